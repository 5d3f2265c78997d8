// Counts down to a moment by the hub's clock: <count-down data-until="2026-…" data-now="2026-…" data-left="{t} left">.
// Without script the moment itself stands there.
customElements.define('count-down', class extends HTMLElement {
  connectedCallback() {
    this.skew = Date.now() - Date.parse(this.dataset.now)
    this.clock = setInterval(() => this.tick(), 250)
    this.tick()
  }
  disconnectedCallback() { clearInterval(this.clock) }

  tick() {
    const left = Math.max(0, Math.ceil((Date.parse(this.dataset.until) + this.skew - Date.now()) / 1_000))
    const text = this.dataset.left.replace('{t}', `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`)
    const place = this.querySelector('time') ?? this
    if (place.textContent !== text) place.textContent = text
  }
})
