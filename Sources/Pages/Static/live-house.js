// Keeps what is marked on a page of a house as it is now: values, states, ages. What the page marks, `HomePart` says.
//
//   <live-house data-site="…" data-now="2026-…">   without a site: all of the reader's houses
//     <article data-sensor="…"><span data-part="value">…</span><time data-part="age" data-age="2026-…">…</time></article>
//
// An island that draws uses `follow`, not live.on('home', …): the stream does not carry what changed before it began.
import { freshPage, live, say, words } from './live.js'

const kinds = { sensors: 'sensor', actuators: 'actuator', gateways: 'gateway' }
const tones = ['go', 'wait', 'no', 'idle']

// Calls `show` with each house that something is heard of, by the stream or by catching up; answers how to stop that.
export function follow(island, show) {
  const around = island.closest('live-house')
  const heard = ({ detail }) => show(detail)
  around?.addEventListener('home', heard)
  if (live.state === 'live') around?.catchUp()   // it may have caught up before the island was there
  return () => around?.removeEventListener('home', heard)
}

customElements.define('live-house', class extends HTMLElement {
  heard = 0   // so many times from the stream

  connectedCallback() {
    this.words = words('home-words')
    this.skew = Date.now() - Date.parse(this.dataset.now)   // how far this clock is from the hub's
    this.stops = [
      live.on('home', event => { this.heard++; this.take(event) }),
      live.on('state', state => { if (state === 'live') { this.heard++; this.catchUp() } }),
    ]
    this.clock = setInterval(() => { if (!document.hidden) this.grow() }, 1_000)
    if (live.state === 'live') this.catchUp()
  }
  disconnectedCallback() {
    for (const stop of this.stops ?? []) stop()
    clearInterval(this.clock)
  }

  take({ at, houses }) {
    this.skew = Date.now() - Date.parse(at)
    for (const house of houses) {
      if (this.dataset.site && house.site !== this.dataset.site) continue
      this.show(house)
      if (house.changed.length) this.refresh(house.changed)
      if (this.dataset.stamp) this.dataset.stamp = house.stamp
      this.dispatchEvent(new CustomEvent('home', { detail: house }))
    }
  }

  show(house) {
    for (const [list, kind] of Object.entries(kinds)) {
      for (const one of house[list]) {
        for (const place of this.querySelectorAll(`[data-${kind}="${CSS.escape(one.id)}"]`)) {
          this.set(place, 'value', one.text)
          this.chip(place, 'status', one.tone, one.word)
          this.age(place, one.at)
          this.picture(place, one.at)
        }
      }
    }
    for (const place of this.querySelectorAll(`[data-house="${CSS.escape(house.site)}"]`)) {
      if (place.dataset.state && place.dataset.state !== house.state) {
        say([place.dataset.name, house.text].filter(Boolean).join(': '))
      }
      place.dataset.state = house.state
      this.chip(place, 'status', house.tone, house.text)
      this.chip(place, 'panel', house.panel.tone, house.panel.text)
      this.set(place, 'alarms', String(house.alarms))
      this.age(place, house.heard)
    }
  }

  // A part belongs to the nearest thing around it, so that a house may hold sensors.
  parts(place, name) {
    return [...place.querySelectorAll(`[data-part="${name}"]`)].filter(part =>
      part.closest('[data-sensor], [data-actuator], [data-gateway], [data-house]') === place)
  }
  set(place, name, text) {
    for (const part of this.parts(place, name)) {
      const inner = part.querySelector('bdi') ?? part
      if (inner.textContent !== text) inner.textContent = text
    }
  }
  chip(place, name, tone, text) {
    for (const part of this.parts(place, name)) {
      part.classList.remove(...tones)
      part.classList.add(tone)
      if (part.textContent !== text) part.textContent = text
    }
  }
  picture(place, at) {
    for (const part of this.parts(place, 'picture')) {
      if (!at) continue
      part.src = `${part.dataset.path}?at=${encodeURIComponent(at)}`
      part.hidden = false
    }
  }
  age(place, at) {
    for (const part of this.parts(place, 'age')) {
      if (!at) continue
      part.dataset.age = at
      if (part.localName === 'time') part.dateTime = at
      this.grown(part)
    }
  }

  grow() { for (const part of this.querySelectorAll('[data-age]')) this.grown(part) }
  grown(part) {
    const seconds = Math.max(0, Math.floor((Date.now() - this.skew - Date.parse(part.dataset.age)) / 1_000))
    const [unit, count] =
      seconds < 2 ? ['now', 0] : seconds < 60 ? ['seconds', seconds] : seconds < 3_600 ? ['minutes', seconds / 60]
        : seconds < 172_800 ? ['hours', seconds / 3_600] : ['days', seconds / 86_400]
    const text = (this.words[unit] ?? '').replace('{n}', Math.floor(count))
    if (part.textContent !== text) part.textContent = text
  }

  // What was missed while there was no stream.
  catchUp() { return this.catching ??= this.ask().finally(() => { this.catching = undefined }) }
  async ask() {
    const { site } = this.dataset
    try {
      // What is heard meanwhile may be newer than the answer.
      let told, before
      for (let tries = 0; tries < 3 && before !== this.heard; tries++) {
        before = this.heard
        const answer = await fetch(site ? `/api/sites/${encodeURIComponent(site)}/house` : '/api/houses')
        if (!answer.ok) return
        told = await answer.json()
      }
      const houses = site ? [told] : told.items.map(item => item.live)
      // The page may be younger than this: only what is otherwise is asked for anew.
      for (const house of houses) if (!site || house.stamp === this.dataset.stamp) house.changed = []
      this.take({ at: new Date(Date.now() - this.skew).toISOString(), houses })
    } catch {}   // the next event, or the next stream, tries again
  }

  // The parts of the page that a form or a list is made of come whole from the hub.
  refresh(changed) {
    const wanted = [...this.querySelectorAll('[data-fresh]')].filter(part =>
      part.dataset.fresh.split(' ').some(kind => changed.includes(kind)))
    if (!wanted.length) return
    for (const part of wanted) (this.stale ??= new Set()).add(part.id)
    this.later ??= setTimeout(() => { this.later = undefined; this.load() }, 60)
  }
  async load() {
    const ids = this.stale
    this.stale = undefined
    const page = await freshPage()
    if (!page) return
    for (const id of ids) {
      const [part, fresh] = [document.getElementById(id), page.getElementById(id)]
      // Never under the hands of whoever types.
      if (!part || !fresh || part.innerHTML === fresh.innerHTML || part.querySelector('input:focus, select:focus')) continue
      const focused = part.contains(document.activeElement) ? document.activeElement.id : ''
      part.replaceChildren(...fresh.childNodes)
      if (focused) document.getElementById(focused)?.focus()
    }
  }
})
