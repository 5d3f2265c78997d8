// Where houses are. The page brings a list and a drawing; this adds one's own position (kept in this browser alone, and asked for by a
// tap only), the walk to the next house, and, where the hub has a server for it, a map. The drawing stays when the map does not come.
import { say, words } from './live.js'
import { follow } from './live-house.js'

const kept = 'soglia-here'
const middle = 160, nearest = 36, farthest = 132   // as in `Schematic`
const patience = 8_000

const radians = degrees => degrees * Math.PI / 180

function distance(a, b) {
  const [north, east] = [radians(b.latitude - a.latitude), radians(b.longitude - a.longitude)]
  const h = Math.sin(north / 2) ** 2
    + Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * Math.sin(east / 2) ** 2
  return 2 * 6_371_008.8 * Math.asin(Math.min(1, Math.sqrt(h)))
}

function bearing(a, b) {
  const [from, to, east] = [radians(a.latitude), radians(b.latitude), radians(b.longitude - a.longitude)]
  const degrees = Math.atan2(
    Math.sin(east) * Math.cos(to), Math.cos(from) * Math.sin(to) - Math.sin(from) * Math.cos(to) * Math.cos(east))
  return (degrees * 180 / Math.PI + 360) % 360
}

function remembered() {
  try {
    const { latitude, longitude } = JSON.parse(localStorage.getItem(kept))
    if (Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180) return { latitude, longitude }
  } catch {}
  return null
}

function remember(place) {
  try {
    if (place) localStorage.setItem(kept, JSON.stringify(place))
    else localStorage.removeItem(kept)
  } catch {}   // without storage it is known until the page goes
}

function ask() {
  return new Promise((found, failed) => navigator.geolocation.getCurrentPosition(
    ({ coords }) => found({ latitude: coords.latitude, longitude: coords.longitude }), failed,
    { timeout: 15_000, maximumAge: 60_000 }))
}

// The library comes from the machine's own package, and only where there is a map.
async function draw(element, { tiles, credit }, label) {
  const L = await import('./leaflet/leaflet.js')
  if (!document.querySelector('link[data-leaflet]')) {
    const sheet = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: '/static/leaflet/leaflet.css' })
    sheet.dataset.leaflet = ''
    document.head.append(sheet)
    await new Promise((loaded, failed) => { sheet.onload = loaded; sheet.onerror = failed })
  }
  element.hidden = false
  element.setAttribute('role', 'group')
  element.setAttribute('aria-label', label)
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  const map = L.map(element, { zoomAnimation: !still, fadeAnimation: !still, markerZoomAnimation: !still })
  map.attributionControl.setPrefix(false)
  // The credit is text, whatever stands in it.
  const text = document.createElement('span')
  text.textContent = credit
  const layer = L.tileLayer(tiles, { attribution: text.innerHTML, maxZoom: 19, referrerPolicy: 'no-referrer' })
  const came = new Promise((good, bad) => {
    layer.once('tileload', good)
    setTimeout(() => bad(new Error('no tile in time')), patience)
  })
  layer.addTo(map)
  return { L, map, came }
}

customElements.define('house-map', class extends HTMLElement {
  connectedCallback() {
    this.words = words(this.dataset.words)
    this.houses = [...this.querySelectorAll('[data-house]')].map(card => ({
      card, id: card.dataset.house, name: card.dataset.name,
      place: card.dataset.latitude
        ? { latitude: Number(card.dataset.latitude), longitude: Number(card.dataset.longitude) } : null,
      usual: this.part(card, 'distance')?.textContent,
    }))
    this.at = this.houses.findIndex(house => house.card.getAttribute('aria-current'))
    this.offer()
    this.part(this, 'next')?.addEventListener('click', event => { event.preventDefault(); this.next() })
    this.stop = follow(this, house => this.show(house))
    this.me = remembered()
    this.place()
    if (this.dataset.tiles && this.houses.some(house => house.place)) this.map()
  }
  disconnectedCallback() {
    this.stop?.()
    this.leaf?.map.remove()
  }
  part(inside, name) { return inside.querySelector(`[data-part="${name}"]`) }

  // One's own position.
  offer() {
    const you = this.part(this, 'you')
    if (!you) return
    you.hidden = false
    const state = this.part(you, 'you-state')
    this.quiet = state.textContent
    this.part(you, 'use').addEventListener('click', async () => {
      if (!window.isSecureContext || !navigator.geolocation) { state.textContent = this.words.notSecure; return }
      try {
        this.me = await ask()
        remember(this.me)
        this.place()
      } catch { state.textContent = this.words.notTold }
    })
    this.part(you, 'forget').addEventListener('click', () => {
      this.me = null
      remember(null)
      this.place()
      this.part(you, 'use').focus()
    })
  }

  // Distances and drawing, from oneself or from the first house.
  place() {
    const you = this.part(this, 'you')
    if (you) {
      this.part(you, 'you-state').textContent = this.me ? this.words.here : this.quiet
      this.part(you, 'forget').hidden = !this.me
    }
    for (const house of this.houses) {
      const text = this.part(house.card, 'distance')
      if (text && house.place) text.textContent = this.me ? this.way(this.me, house.place) : house.usual
    }
    this.redraw()
    if (this.leaf) this.pins()
  }
  way(from, to) {
    const metres = distance(from, to)
    const number = metres < 10_000 ? Math.round(metres / 100) / 10 : Math.round(metres / 1_000)
    const far = metres < 1_000
      ? `${Math.round(metres / 10) * 10}\u00a0m` : `${String(number).replace('.', this.words.decimal)}\u00a0km`
    const direction = this.words.compass.split(' ')[Math.round(bearing(from, to) / 45) % 8]
    return this.words.fromYou.replace('{distance}', far).replace('{direction}', direction)
  }
  redraw() {
    const drawing = this.part(this, 'schematic')
    const placed = this.houses.filter(house => house.place)
    const centre = this.me ?? placed[0]?.place
    if (!drawing || !centre) return
    drawing.hidden = Boolean(this.leaf) || !placed.length
    const far = Math.max(0, ...placed.map(house => distance(centre, house.place)))
    const spokes = [...drawing.querySelectorAll('.spoke')]
    placed.forEach((house, index) => {
      const metres = distance(centre, house.place)
      const unit = Math.max(far / 50, 1)
      const radius = metres > 1
        ? nearest + (farthest - nearest) * Math.log1p(metres / unit) / Math.log1p(Math.max(far, metres) / unit) : 0
      const angle = radians(bearing(centre, house.place))
      const [x, y] = [middle + radius * Math.sin(angle), middle - radius * Math.cos(angle)].map(value => value.toFixed(1))
      drawing.querySelector(`[data-pin="${CSS.escape(house.id)}"]`)?.setAttribute('transform', `translate(${x} ${y})`)
      spokes[index]?.setAttribute('x2', x)
      spokes[index]?.setAttribute('y2', y)
    })
    drawing.querySelector('.me')?.toggleAttribute('hidden', !this.me)
  }

  // The walk: oneself first, where known, then house after house.
  get stations() {
    return [...(this.me ? [{ card: this.part(this, 'you'), name: this.words.you, place: this.me }] : []), ...this.houses]
  }
  next() {
    const { stations } = this
    const now = stations.findIndex(station => station.card.getAttribute('aria-current'))
    this.go(stations[(now + 1) % stations.length], stations[(now + 2) % stations.length])
  }
  go(station, after) {
    for (const { card } of this.stations) card.removeAttribute('aria-current')
    station.card.setAttribute('aria-current', 'true')
    station.card.scrollIntoView({ block: 'nearest' })
    this.part(this, 'next').textContent = this.words.next.replace('{name}', after.name)
    for (const pin of this.querySelectorAll('[data-pin]')) pin.classList.toggle('here', pin.dataset.pin === station.id)
    if (station.place && this.leaf) this.leaf.map.setView([station.place.latitude, station.place.longitude], 15)
    say([station.name, this.part(station.card, 'status')?.textContent, this.part(station.card, 'distance')?.textContent]
      .filter(Boolean).join(', '))
  }

  // A house is otherwise than it was.
  show(house) {
    for (const pin of this.querySelectorAll(`[data-pin="${CSS.escape(house.site)}"]`)) {
      pin.classList.remove('go', 'wait', 'no', 'idle')
      pin.classList.add(house.tone)
      pin.dataset.contact = house.contact
    }
  }

  async map() {
    const element = this.part(this, 'map')
    try {
      this.leaf = await draw(element, this.dataset, this.words.map)
      this.pins()
      this.redraw()
      await this.leaf.came
      this.part(this, 'note').hidden = true
    } catch {
      this.leaf?.map.remove()
      this.leaf = null
      element.hidden = true
      this.part(this, 'map-away').hidden = false
      this.redraw()
    }
  }
  pins() {
    const { L, map } = this.leaf
    this.layer?.remove()
    // First where to look: before that the map draws nothing.
    const places = [...this.houses.map(house => house.place), this.me].filter(Boolean)
    map.fitBounds(places.map(place => [place.latitude, place.longitude]), { padding: [40, 40], maxZoom: 15 })
    this.layer = L.featureGroup().addTo(map)
    for (const house of this.houses) {
      if (!house.place) continue
      const drawn = this.part(this, 'schematic').querySelector(`[data-pin="${CSS.escape(house.id)}"]`).cloneNode(true)
      drawn.setAttribute('transform', 'translate(20 20)')
      const picture = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
      picture.setAttribute('viewBox', '0 0 40 40')
      picture.setAttribute('aria-hidden', 'true')
      picture.append(drawn)
      const marker = L.marker([house.place.latitude, house.place.longitude], {
        icon: L.divIcon({ html: picture, className: 'map-pin', iconSize: [40, 40] }), title: house.name, alt: house.name,
      }).addTo(this.layer)
      marker.getElement().setAttribute('role', 'button')
      marker.getElement().setAttribute('aria-label', house.name)
      marker.on('click keypress', event => {
        if (event.originalEvent?.key && !['Enter', ' '].includes(event.originalEvent.key)) return
        const index = this.stations.findIndex(station => station.id === house.id)
        this.go(this.stations[index], this.stations[(index + 1) % this.stations.length])
      })
    }
    if (this.me) {
      L.circleMarker([this.me.latitude, this.me.longitude], { radius: 9, className: 'map-me', interactive: false })
        .addTo(this.layer)
    }
  }
})

// The place of one house: as the browser tells it, or by a tap on the map.
customElements.define('house-place', class extends HTMLElement {
  connectedCallback() {
    this.words = words(this.dataset.words)
    const here = this.querySelector('[data-part="here"]')
    const state = this.querySelector('[data-part="state"]')
    here.hidden = false
    here.addEventListener('click', async () => {
      if (!window.isSecureContext || !navigator.geolocation) { state.textContent = this.words.notSecure; return }
      try { this.set(await ask()) } catch { state.textContent = this.words.notTold }
    })
    if (this.dataset.tiles) this.map()
  }
  disconnectedCallback() { this.leaf?.map.remove() }
  get fields() { return ['latitude', 'longitude'].map(name => this.querySelector(`[name="${name}"]`)) }
  set({ latitude, longitude }) {
    const [north, east] = this.fields
    north.value = latitude.toFixed(6)
    east.value = longitude.toFixed(6)
    this.mark()
  }
  async map() {
    const element = this.querySelector('[data-part="map"]')
    try {
      this.leaf = await draw(element, this.dataset, this.words.map)
      const { map } = this.leaf
      const [north, east] = this.fields.map(field => Number(field.value))
      if (this.fields.every(field => field.value)) map.setView([north, east], 15)
      else { const me = remembered(); map.setView(me ? [me.latitude, me.longitude] : [42, 12], me ? 13 : 4) }
      map.on('click', ({ latlng }) => this.set({ latitude: latlng.lat, longitude: latlng.wrap().lng }))
      this.mark()
      this.querySelector('[data-part="pick"]').hidden = false
      await this.leaf.came
    } catch {
      this.leaf?.map.remove()
      this.leaf = null
      element.hidden = true
      this.querySelector('[data-part="pick"]').hidden = true
    }
  }
  mark() {
    if (!this.leaf || !this.fields.every(field => field.value)) return
    const [north, east] = this.fields.map(field => Number(field.value))
    if (!Number.isFinite(north) || !Number.isFinite(east)) return
    this.point?.remove()
    this.point = this.leaf.L.circleMarker([north, east], { radius: 10, className: 'map-me', interactive: false })
      .addTo(this.leaf.map)
  }
})
