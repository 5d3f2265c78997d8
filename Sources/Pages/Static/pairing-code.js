// A pairing code that runs out: counts its minutes down, and shows its page as it is once the controller has come.
import { catchUp, live } from './live.js'

customElements.define('pairing-code', class extends HTMLElement {
  connectedCallback() {
    const ends = Date.parse(this.dataset.ends)
    const left = this.querySelector('[data-part=left]')
    const tick = () => {
      const minutes = Math.ceil((ends - Date.now()) / 60_000)
      const words = minutes > 0 ? this.dataset.left.replace('{}', minutes) : this.dataset.ended
      if (left.textContent !== words) left.textContent = words
      if (minutes <= 0) clearInterval(this.clock)
    }
    this.clock = setInterval(tick, 1_000)
    this.stops = [
      live.on(this.dataset.event, event => { if (this.dataset.id === String(event.id)) location.reload() }),
      // It may have come while there was no stream: the code is typed in another window.
      catchUp(() => page => { if (!page.querySelector(this.localName)) location.reload() }),
    ]
  }
  disconnectedCallback() {
    clearInterval(this.clock)
    for (const stop of this.stops ?? []) stop()
  }
})
