// A pairing code that runs out: counts its minutes down, and shows the gate as it is once its controller has come.
import { live } from './live.js'

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
    this.stop = live.on('gate', event => {
      if (this.dataset.gate === String(event.id)) location.reload()
    })
  }
  disconnectedCallback() {
    clearInterval(this.clock)
    this.stop?.()
  }
})
