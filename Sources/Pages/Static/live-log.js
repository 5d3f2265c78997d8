// Adds what happens to the log as it happens: a row at the top, at most 200 in all, a polite word for each or for many.
import { catchUp, live, say, words } from './live.js'

const most = 200
const tones = { opened: 'go', refused: 'no', denied: 'no', unconfirmed: 'wait', granted: 'idle', other: 'idle' }

function make(name, className, ...content) {
  const element = document.createElement(name)
  if (className) element.className = className
  element.append(...content)
  return element
}

customElements.define('live-log', class extends HTMLElement {
  connectedCallback() {
    this.words = words(this.dataset.words)
    this.unsaid = []
    this.stops = [live.on('log', event => this.add(event)), catchUp(() => this.begin())]
  }
  disconnectedCallback() {
    for (const stop of this.stops ?? []) stop()
    clearTimeout(this.later)
  }

  add(event) {
    if (event.site !== this.dataset.site) return
    this.heard?.add(String(event.id))
    this.put(this.row(event))
    this.announce(event)
  }

  // What changed between the making of the page, or the end of the last stream, and the beginning of this one.
  begin() {
    const heard = this.heard = new Set()   // newer than the answer
    return page => {
      if (heard !== this.heard) return
      for (const row of page.querySelectorAll(`${this.localName} tbody tr`)) {
        if (!heard.has(row.dataset.event) && this.known(row)?.textContent !== row.textContent) this.put(row)
      }
    }
  }

  known(row) { return this.querySelector(`tbody tr[data-event="${CSS.escape(row.dataset.event)}"]`) }

  put(row) {
    const known = this.known(row)
    if (known) {
      known.replaceWith(row)
    } else {
      // By place in the chain, since what was missed may come after what was not.
      const body = this.querySelector('tbody')
      const sequence = Number(row.dataset.sequence)
      let before = body.firstElementChild
      while (before && Number(before.dataset.sequence) > sequence) before = before.nextElementSibling
      body.insertBefore(row, before)
      while (body.childElementCount > most) body.lastElementChild.remove()
    }
    this.querySelector('.empty')?.remove()
    this.querySelector('table').hidden = false
  }

  row(event) {
    const time = make('time', '', event.atText || this.clock(event.at))
    time.dateTime = event.at
    const outcome = event.outcome in tones ? event.outcome : 'other'
    const cells = [
      make('td', 'time', time),
      make('td', 'person', make('bdi', '', event.person ?? '')),
      make('td', 'gate', make('bdi', '', event.gate ?? '')),
      make('td', 'how', event.how ?? ''),
      make('td', 'outcome', make('span', `chip ${tones[outcome]}`, event.text || this.words[outcome] || '')),
    ]
    for (const cell of cells) cell.setAttribute('role', 'cell')
    const row = make('tr', 'new', ...cells)
    row.setAttribute('role', 'row')
    row.dataset.event = event.id
    row.dataset.sequence = event.sequence
    return row
  }

  clock(at) {
    const date = new Date(at)
    if (Number.isNaN(date.getTime())) return ''
    return new Intl.DateTimeFormat(document.documentElement.lang, { timeStyle: 'medium' }).format(date)
  }

  announce(event) {
    this.unsaid.push([event.person, event.gate, event.text || this.words[event.outcome]].filter(Boolean).join(', '))
    this.later ??= setTimeout(() => {
      const { length } = this.unsaid
      say(length === 1 ? this.unsaid[0] : this.words.newEntries.replace('{n}', length))
      this.unsaid = []
      this.later = undefined
    }, 1_500)
  }
})
