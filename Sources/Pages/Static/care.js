// The air of a house: a slider beside each threshold's field, how often its level would have been an alarm, and fans that turn.
import { follow } from './live-house.js'

// <threshold-slider data-sensor="…" data-step="1"> around the form's fields; without script the fields alone do.
customElements.define('threshold-slider', class extends HTMLElement {
  connectedCallback() {
    this.level = this.querySelector('input[name=level]')
    this.band = this.querySelector('input[name=hysteresis]')
    this.evidence = this.querySelector('[data-part=evidence]')
    const { least, greatest } = this.level.dataset
    if (least !== undefined && greatest !== undefined && !this.slider) {
      this.slider = document.createElement('input')
      Object.assign(this.slider, { type: 'range', min: least, max: greatest, step: this.dataset.step ?? 'any' })
      this.slider.setAttribute('aria-label', this.querySelector('label').textContent.trim())
      this.slider.value = this.number(this.level.value) ?? greatest
      this.level.before(this.slider)
      this.slider.addEventListener('input', () => {
        this.level.value = this.slider.value
        this.loosen()
        this.ask()
      })
    }
    this.level.addEventListener('input', () => {
      const level = this.number(this.level.value)
      if (this.slider && level !== undefined) this.slider.value = level
      this.ask()
    })
    this.band?.addEventListener('input', () => this.ask())
  }
  disconnectedCallback() {
    clearTimeout(this.wait)
    this.asking?.abort()
  }

  number(text) {
    const value = Number(text.trim().replace(',', '.'))
    return text.trim() && Number.isFinite(value) ? value : undefined
  }

  // The hysteresis that was chosen may be more than a lower level leaves room for.
  loosen() {
    const [level, band, least] = [this.level.value, this.band?.value ?? '', this.level.dataset.least].map(text => this.number(text))
    if (band !== undefined && least !== undefined && level - band < least) this.band.value = String(Math.max(0, level - least))
  }

  ask() {
    clearTimeout(this.wait)
    this.wait = setTimeout(() => this.look(), 250)
  }
  async look() {
    this.asking?.abort()
    const level = this.number(this.level.value)
    if (level === undefined) return
    const query = new URLSearchParams({ level })
    const band = this.number(this.band?.value ?? '')
    if (band !== undefined) query.set('hysteresis', band)
    this.asking = new AbortController()
    try {
      const answer = await fetch(`/api/sensors/${encodeURIComponent(this.dataset.sensor)}/evidence?${query}`, { signal: this.asking.signal })
      if (answer.ok) this.evidence.textContent = (await answer.json()).text
    } catch {}   // asked again with the next level
  }
})

// <fan-gauge data-fan="…"> with the arc that the hub has drawn.
customElements.define('fan-gauge', class extends HTMLElement {
  connectedCallback() {
    this.arc = this.querySelector('[data-part=arc]')
    this.stop = follow(this, house => {
      const fan = house.actuators.find(one => one.id === this.dataset.fan)
      // One that reports no speed stays as the hub drew it: as it was told to run.
      if (typeof fan?.number === 'number') this.show(fan.number)
    })
  }
  disconnectedCallback() { this.stop?.() }
  show(percent) {
    this.arc?.setAttribute('stroke-dasharray', `${Math.min(Math.max(percent, 0), 100)} 200`)
  }
})
