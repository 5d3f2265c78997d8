// A page that was kept on the device: says since when, says why its buttons do nothing, and gives way to the living page
// as soon as the hub answers.

const soonest = 4_000   // ms between two questions to the hub, at first
const latest = 60_000   // and in the end

// The day where the place is, as it writes days; nothing where the device does not know that zone.
const today = timeZone => {
  try {
    const { year, month, day } = Object.fromEntries(
      new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
        .formatToParts().map(({ type, value }) => [type, value]))
    return `${year}-${month}-${day}`
  } catch { /* a zone that is newer than the device */ }
}

customElements.define('saved-page', class extends HTMLElement {
  connectedCallback() {
    if (this.dataset.day === today(this.dataset.zone)) this.textContent = this.dataset.today
    this.wait = soonest
    this.seen = () => { if (!document.hidden) this.ask() }
    this.tapped = event => this.explain(event.target.closest('[aria-disabled="true"]'))
    addEventListener('online', this.seen)
    document.addEventListener('visibilitychange', this.seen)
    document.addEventListener('click', this.tapped)
    this.later = setTimeout(this.seen, this.wait)
  }
  disconnectedCallback() {
    clearTimeout(this.later)
    removeEventListener('online', this.seen)
    document.removeEventListener('visibilitychange', this.seen)
    document.removeEventListener('click', this.tapped)
  }

  // `navigator.onLine` only knows of a network, not of the hub.
  async ask() {
    if (this.isAsking) return
    this.isAsking = true
    clearTimeout(this.later)
    try {
      const { ok } = await fetch('/api/health', { cache: 'no-store', signal: AbortSignal.timeout(soonest) })
      if (ok) return location.reload()
    } catch { /* not yet */ }
    this.isAsking = false
    this.wait = Math.min(this.wait * 2, latest)
    this.later = setTimeout(this.seen, this.wait)
  }

  explain(button) {
    const reason = document.getElementById(button?.getAttribute('aria-describedby'))?.textContent
    if (!reason) return
    const chip = button.closest('open-gate')?.querySelector('[data-part="chip"]')
    if (chip) chip.textContent = reason
    const voice = document.getElementById('voice')
    voice.textContent = ''
    setTimeout(() => { voice.textContent = reason }, 60)
  }
})

// Of all pages that the person has, those that are on the device.
customElements.define('saved-links', class extends HTMLElement {
  async connectedCallback() {
    let some = false
    for (const link of this.querySelectorAll('a')) {
      const isSaved = await caches.match(link.pathname) !== undefined
      link.closest('li').hidden = !isSaved
      some ||= isSaved
    }
    this.querySelector('[data-part="links"]').hidden = !some
    this.querySelector('[data-part="nothing"]').hidden = some
  }
})
