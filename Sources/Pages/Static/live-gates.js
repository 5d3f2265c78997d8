// Follows the gates of the page: when one comes or goes, its card or badge says so.
import { live } from './live.js'

customElements.define('live-gates', class extends HTMLElement {
  connectedCallback() {
    this.stops = [
      live.on('gate', event => {
        this.heard?.add(String(event.id))
        this.rest(String(event.id), event.state, event.text)
      }),
      live.on('state', state => { if (state === 'live') this.catchUp() }),
    ]
    if (live.state === 'live') this.catchUp()
  }
  disconnectedCallback() { for (const stop of this.stops ?? []) stop() }

  rest(id, state, text) {
    for (const gate of this.querySelectorAll('open-gate')) if (gate.dataset.gate === id) gate.rest?.(state, text)
  }

  // What changed between the making of the page, or the end of the last stream, and the beginning of this one.
  async catchUp() {
    const heard = this.heard = new Set()   // newer than the answer
    try {
      const answer = await fetch(location.pathname + location.search, { headers: { accept: 'text/html' }, cache: 'no-store' })
      if (!answer.ok || answer.redirected || heard !== this.heard) return
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
      for (const gate of page.querySelectorAll('open-gate')) {
        const id = gate.dataset.gate
        if (heard.has(id)) continue
        const words = gate.querySelector('[data-part="chip"]') ?? gate.querySelector('[data-part="detail"]')
        this.rest(id, gate.dataset.rest ?? gate.dataset.state, words?.textContent)
      }
    } catch {}   // the next stream tries again
  }
})
