// Follows the gates of the page: when one comes or goes, its card or badge says so.
import { live } from './live.js'

customElements.define('live-gates', class extends HTMLElement {
  connectedCallback() {
    this.stop = live.on('gate', event => {
      for (const gate of this.querySelectorAll('open-gate')) {
        if (gate.dataset.gate === String(event.id)) gate.rest?.(event.state, event.text)
      }
    })
  }
  disconnectedCallback() { this.stop?.() }
})
