// Reads a chart out under the finger, the mouse or the arrow keys, turns its pages without loading the rest anew, and follows
// what is being told now. The drawing itself comes from the hub.
import { say } from './live.js'

const pause = 30_000

customElements.define('sensor-chart', class extends HTMLElement {
  connectedCallback() {
    this.addEventListener('click', event => this.click(event))
    this.addEventListener('pointermove', event => this.point(event))
    this.addEventListener('pointerdown', event => this.point(event))
    this.addEventListener('pointerleave', () => this.rest())
    this.addEventListener('keydown', event => this.key(event))
    this.back = () => this.turn(location.href, false)
    window.addEventListener('popstate', this.back)
    this.timer = setInterval(() => {
      if (this.dataset.follows && !document.hidden && this.at === undefined) this.turn(location.href, false, true)
    }, pause)
    this.prepare()
  }

  disconnectedCallback() {
    window.removeEventListener('popstate', this.back)
    clearInterval(this.timer)
  }

  part(name) { return this.querySelector(`[data-part="${name}"]`) }

  // After every turn: what the page brought, and nothing read yet.
  prepare() {
    this.words = JSON.parse(this.querySelector('#chart-words').textContent)
    const language = document.documentElement.lang
    const { span } = this.words
    const zone = { timeZone: this.dataset.zone }
    const isShort = span === 'hour' || span === 'day'
    const form = isShort ? { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
      : span === 'year' || span === 'all' ? { day: 'numeric', month: 'long', year: 'numeric' }
        : { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
    this.clock = new Intl.DateTimeFormat(language, { ...form, ...zone })
    this.figures = new Intl.NumberFormat(language, { maximumSignificantDigits: 4 })
    this.data = undefined
    this.at = undefined
    const field = this.part('field')
    if (!field) return
    field.tabIndex = 0
    field.setAttribute('role', 'group')
    field.setAttribute('aria-label', this.words.hint)
    this.told = this.part('readout').textContent
    this.cursor = document.createElementNS('http://www.w3.org/2000/svg', 'line')
    this.cursor.setAttribute('class', 'cursor')
    this.cursor.setAttribute('y1', '0')
    this.cursor.setAttribute('y2', '100%')
    field.querySelector('svg').append(this.cursor)
  }

  // What the drawing shows, as numbers; asked for when somebody begins to read.
  async load() {
    if (this.data) return this.data
    const query = new URLSearchParams({ span: this.words.span, at: this.words.from, style: this.words.style })
    this.data = fetch(`/api/sensors/${this.dataset.of}/chart?${query}`, { headers: { Accept: 'application/json' } })
      .then(answer => { if (!answer.ok) throw new Error(answer.status); return answer.json() })
      .then(chart => {
        this.items = chart.items.map(item => ({ ...item, time: Date.parse(item.from) }))
        return chart
      })
    this.data.catch(() => { this.data = undefined })
    return this.data
  }

  get bounds() { return [Date.parse(this.words.from), Date.parse(this.words.to)] }

  async point(event) {
    const field = event.target.closest?.('[data-part="field"]')
    if (!field) return
    const box = field.getBoundingClientRect()
    const part = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width))
    try { await this.load() } catch { return }
    const [from, to] = this.bounds
    const time = from + part * (to - from)
    let next = this.items.findIndex(item => item.time > time)
    if (next < 0) next = this.items.length
    this.read(Math.max(0, next - 1))
  }

  async key(event) {
    if (!event.target.closest?.('[data-part="field"]')) return
    const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity }
    if (event.key === 'Escape') return this.rest()
    if (!(event.key in steps)) return
    event.preventDefault()
    try { await this.load() } catch { return }
    const last = this.items.length - 1
    const start = this.at ?? (steps[event.key] < 0 ? last + 1 : -1)
    this.read(Math.min(last, Math.max(0, start + steps[event.key])))
    say(this.part('readout').textContent)
  }

  value(number) {
    if (this.dataset.truth && (number === 0 || number === 1)) return number ? this.words.yes : this.words.no
    return this.figures.format(number) + (this.dataset.unit ? `\u00a0${this.dataset.unit}` : '')
  }

  read(index) {
    const item = this.items[index]
    if (!item) return
    this.at = index
    const { lowest, highest, mean, readings } = this.words
    const one = item.count === 1
    this.part('readout').textContent = this.clock.format(item.time) + ' · ' + (one ? this.value(item.last)
      : `${mean}: ${this.value(item.mean)} · ${lowest}: ${this.value(item.min)} · ${highest}: ${this.value(item.max)} · ${readings}: ${item.count}`)
    const [from, to] = this.bounds
    const step = (this.items[index + 1]?.time ?? item.time) - item.time
    const x = `${Math.min(100, Math.max(0, (item.time + Math.min(step, (to - from) / 40) / 2 - from) / (to - from) * 100))}%`
    this.cursor.setAttribute('x1', x)
    this.cursor.setAttribute('x2', x)
    this.cursor.classList.add('there')
  }

  rest() {
    if (this.at === undefined) return
    this.at = undefined
    this.cursor.classList.remove('there')
    this.part('readout').textContent = this.told
  }

  click(event) {
    const link = event.target.closest?.('#figure a[href]')
    if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    this.turn(link.href, true)
  }

  // Another part of the series. Where the hub cannot be reached, the chart stays and says so.
  async turn(address, isNew, isQuiet = false) {
    const turn = this.turning = (this.turning ?? 0) + 1
    const late = setTimeout(() => { if (!isQuiet) this.classList.add('loading') }, 300)
    try {
      const answer = await fetch(address, { headers: { Accept: 'text/html' } })
      if (!answer.ok || answer.redirected) throw new Error(answer.status)
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
      const other = page.querySelector('sensor-chart')
      if (turn !== this.turning) return
      if (!other) throw new Error('no chart')
      const focus = this.querySelector('#figure :focus-visible')?.textContent
      const isOpen = this.querySelector('details')?.open
      if (other.dataset.follows) this.dataset.follows = other.dataset.follows
      else delete this.dataset.follows
      this.replaceChildren(...other.childNodes)
      if (isOpen) this.querySelector('details')?.setAttribute('open', '')
      if (isNew) history.pushState(null, '', address)
      this.prepare()
      if (focus) [...this.querySelectorAll('#figure a')].find(link => link.textContent === focus)?.focus()
      if (!isQuiet) say(`${this.querySelector('h2').textContent}. ${this.told ?? ''}`)
    } catch (failure) {
      if (isQuiet || turn !== this.turning) return
      console.info(failure)
      say(this.words.lost)
      const readout = this.part('readout')
      if (readout) readout.textContent = this.words.lost
    } finally {
      clearTimeout(late)
      if (turn === this.turning) this.classList.remove('loading')
    }
  }
})
