// Keeps the inbox as it is now: when something was told, or answered elsewhere, the list is asked for anew. Says what came.
import { freshPage, live, say } from './live.js'

customElements.define('live-notices', class extends HTMLElement {
  connectedCallback() {
    this.stop = live.on('notice', event => this.changed(event))
    // What came while there was no stream.
    this.stopState = live.on('state', state => { if (state === 'live') this.changed({}) })
    if (live.state === 'live') this.changed({})
  }
  disconnectedCallback() {
    this.stop?.()
    this.stopState?.()
    clearTimeout(this.later)
  }

  changed({ title }) {
    if (title) say(title)
    clearTimeout(this.later)
    this.later = setTimeout(() => this.load(), 100)
  }

  async load() {
    const list = (await freshPage())?.querySelector('live-notices')
    if (!list || list.innerHTML === this.innerHTML) return
    const focused = this.contains(document.activeElement) ? document.activeElement.closest('article')?.id : null
    this.replaceChildren(...list.childNodes)
    if (focused) document.getElementById(focused)?.querySelector('button, a')?.focus()
  }
})
