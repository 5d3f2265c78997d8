// One live stream per browser. The visible tabs elect a leader with a lock; it alone holds the stream and passes on
// what comes by a broadcast channel. A hidden tab lets go, so a forgotten one never keeps a connection busy.
//
//   import { live, say } from './live.js'
//   const stop = live.on('log', event => …)     // also 'gate', 'opening', 'notice' and 'home', or any other type of the stream; 'state' for the connection
//   live.state                                   // 'connecting' | 'live' | 'lost' | 'ended': nobody is signed in here any more

const address = '/api/live'
const types = ['hello', 'log', 'gate', 'opening', 'notice', 'home', 'gateway']
const longestWait = 30_000

const listeners = new Map()
const channel = 'BroadcastChannel' in window ? new BroadcastChannel('soglia-live') : null
const tab = Math.random().toString(36).slice(2)

let state = 'connecting'
let last = ''        // the id of the last event, by whichever tab it came
let stream = null    // only the leader has one
let letGo = null     // ends the leadership, or the waiting for it
let wait = 1_000
let retry = 0

function tell(type, value) {
  for (const listener of listeners.get(type) ?? []) {
    try { listener(value) } catch (failure) { console.warn(failure) }
  }
}

function change(next) {
  if (next === state) return
  state = next
  tell('state', state)
}

function receive(type, id, value) {
  if (id) last = id
  tell(type, value)
}

function lead(next) {
  change(next)
  channel?.postMessage({ from: tab, state: next })
}

function open() {
  clearTimeout(retry)
  stream = new EventSource(last ? `${address}?after=${encodeURIComponent(last)}` : address)
  stream.onopen = () => { wait = 1_000; lead('live') }
  stream.onerror = () => {
    if (state !== 'ended') lead('lost')
    if (stream?.readyState !== EventSource.CLOSED) return   // the browser itself tries again
    retry = setTimeout(open, wait)
    wait = Math.min(wait * 2, longestWait)
    lookForSession()
  }
  for (const type of types) {
    stream.addEventListener(type, event => {
      let value = {}
      try { value = JSON.parse(event.data || '{}') } catch { return }
      receive(type, event.lastEventId, value)
      channel?.postMessage({ from: tab, type, id: event.lastEventId, value })
    })
  }
}

// A stream that is refused says nothing of why. Whoever signs in again loads the page anew; the stream is tried as before.
async function lookForSession() {
  try {
    const answer = await fetch('/api/sessions', { headers: { accept: 'application/json' }, cache: 'no-store' })
    if (answer.status === 401 && state === 'lost') lead('ended')
  } catch {}   // the hub is away: lost is the word for it
}

function close() {
  clearTimeout(retry)
  stream?.close()
  stream = null
}

function join() {
  if (letGo) return
  if (!navigator.locks || !channel) {   // no election possible: a stream of its own, while visible
    open()
    letGo = close
    return
  }
  const candidacy = new AbortController()
  let resign = () => {}
  letGo = () => { candidacy.abort(); resign() }
  channel.postMessage({ from: tab, ask: true })
  navigator.locks.request('soglia-live', { signal: candidacy.signal }, () => new Promise(done => {
    resign = () => { close(); done() }
    open()
  })).catch(() => {})
}

function leave() {
  letGo?.()
  letGo = null
  change('connecting')   // a page that comes back has missed something, and hears of it by the next 'live'
}

channel?.addEventListener('message', ({ data }) => {
  if (data.from === tab) return
  if (data.type) receive(data.type, data.id, data.value)
  else if (data.state) { if (!stream) change(data.state) }
  else if (data.ask && stream) channel.postMessage({ from: tab, state })
})

document.addEventListener('visibilitychange', () => document.hidden ? leave() : join())
window.addEventListener('pagehide', leave)
window.addEventListener('pageshow', event => { if (event.persisted && !document.hidden) join() })

export const live = {
  get state() { return state },
  on(type, listener) {
    if (!listeners.has(type)) listeners.set(type, new Set())
    listeners.get(type).add(listener)
    return () => listeners.get(type).delete(listener)
  },
}

// A stream carries what happens from its beginning on. Each time that one has begun, this asks for the page as the hub makes it now and
// hands it over. `begin` is called before each request, and answers what is to be done with its page. Answers how to stop that.
export function catchUp(begin) {
  const ask = async () => {
    try {
      const answer = await fetch(location.pathname + location.search, { headers: { accept: 'text/html' }, cache: 'no-store' })
      // There is no such page any more, for whoever reads it: so it is said.
      if (answer.status === 404) location.reload()
      return answer.ok && !answer.redirected ? await answer.text() : null
    } catch { return null }   // the next stream tries again
  }
  const look = async () => {
    const done = begin()
    const text = await ask()
    if (text !== null) done(new DOMParser().parseFromString(text, 'text/html'))
  }
  if (state === 'live') look()
  return live.on('state', next => { if (next === 'live') look() })
}

// The page as the hub makes it now; null: it could not be had. What a refused form was answered stands at the form's own address, which
// leads elsewhere: then it is asked for by the name that the page gives itself.
let own = location.pathname + location.search
export async function freshPage() {
  const ask = () => fetch(own, { headers: { accept: 'text/html' }, cache: 'no-store' })
  try {
    let answer = await ask()
    const name = document.querySelector('link[rel="canonical"]')?.getAttribute('href')
    if (answer.redirected && name && name !== own) {
      own = name
      answer = await ask()
    }
    return answer.ok && !answer.redirected ? new DOMParser().parseFromString(await answer.text(), 'text/html') : null
  } catch { return null }   // the next event tries again
}

// Says something to a screen reader in the page's one polite voice.
export function say(words) {
  const voice = document.getElementById('voice')
  if (!voice) return
  voice.textContent = ''
  setTimeout(() => { voice.textContent = words }, 60)
}

// The words of an island: a block of JSON that the page carries.
export function words(id) {
  try { return JSON.parse(document.getElementById(id).textContent) } catch { return {} }
}

customElements.define('live-state', class extends HTMLElement {
  connectedCallback() {
    this.stop = live.on('state', () => this.show())
    this.late = setTimeout(() => { if (this.dataset.show === 'always') this.hidden = false }, 300)
    this.show()
  }
  disconnectedCallback() {
    this.stop?.()
    clearTimeout(this.late)
  }
  show() {
    const tone = { live: 'go', connecting: 'idle', lost: 'wait', ended: 'no' }[state]
    this.className = `chip ${tone}`
    this.textContent = this.dataset[state]
    if (state === 'lost' || state === 'ended') { this.hidden = false; this.wasLost = true; say(this.dataset[state]) }
    if (state === 'live' && this.wasLost) {
      this.wasLost = false
      this.hidden = this.dataset.show !== 'always'
      say(this.dataset.live)
    }
  }
})

if (!document.hidden) join()
