// A test of the way that alarms take: what telephones say is shown as it comes, until all have answered or the time is over.
import { say } from './live.js'

customElements.define('alarm-test', class extends HTMLElement {
  connectedCallback() { this.wait() }
  disconnectedCallback() { clearTimeout(this.later) }

  wait() {
    if (this.dataset.runs) this.later = setTimeout(() => this.load(), 700)
  }

  async load() {
    try {
      const answer = await fetch(location.pathname, { headers: { accept: 'text/html' } })
      if (!answer.ok || answer.redirected) return
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
      const fresh = page.querySelector('alarm-test')
      if (fresh && fresh.innerHTML !== this.innerHTML) this.replaceChildren(...fresh.childNodes)
      if (fresh && !fresh.dataset.runs) {
        delete this.dataset.runs
        say(this.querySelector('h2 ~ .chip, h2')?.textContent ?? '')
      }
    } catch {}   // the next look tries again
    this.wait()
  }
})
