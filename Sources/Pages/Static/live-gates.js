// Follows the gates of the page: when one comes or goes, its card or badge says so.
import { catchUp, live } from './live.js'

customElements.define('live-gates', class extends HTMLElement {
  connectedCallback() {
    this.stops = [
      live.on('gate', event => {
        this.heard?.add(String(event.id))
        this.rest(String(event.id), event.state, event.text)
      }),
      catchUp(() => this.begin()),
    ]
  }
  disconnectedCallback() { for (const stop of this.stops ?? []) stop() }

  rest(id, state, text) {
    for (const gate of this.querySelectorAll('open-gate')) if (gate.dataset.gate === id) gate.rest?.(state, text)
  }

  // What changed between the making of the page, or the end of the last stream, and the beginning of this one.
  begin() {
    const heard = this.heard = new Set()   // newer than the answer
    return page => {
      if (heard !== this.heard) return
      // A gate that the page would not show any more: whose access has ended sees other gates than before.
      const shown = new Set([...page.querySelectorAll('open-gate')].map(gate => gate.dataset.gate))
      const isGone = ({ dataset: { gate } }) => !shown.has(gate) && !heard.has(gate)
      if ([...this.querySelectorAll('open-gate')].some(isGone)) return location.reload()
      for (const gate of page.querySelectorAll('open-gate')) {
        const id = gate.dataset.gate
        if (heard.has(id)) continue
        const words = gate.querySelector('[data-part="chip"]') ?? gate.querySelector('[data-part="detail"]')
        this.rest(id, gate.dataset.rest ?? gate.dataset.state, words?.textContent)
      }
    }
  }
})
