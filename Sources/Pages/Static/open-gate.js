// Opens a gate without leaving the page, and says in words how far it has come. Around it stands a form that does the
// same without script.
import { live, say, words } from './live.js'

const patience = 8_000   // ms until we say that nobody answered
const shown = 8_000      // ms that an outcome stays before the gate is at rest again
const repose = 1_200     // ms in which a second tap means the first

const tones = {
  ready: 'go', notReachable: 'wait', notPaired: 'idle', denied: 'no',
  asking: 'wait', opened: 'go', refused: 'no', unconfirmed: 'wait',
}
const rests = ['ready', 'notReachable', 'notPaired', 'denied']
const upper = text => text && text[0].toUpperCase() + text.slice(1)

customElements.define('open-gate', class extends HTMLElement {
  connectedCallback() {
    this.words = words(this.dataset.words)
    this.form = this.querySelector('form')
    this.button = this.form?.querySelector('button')
    this.resting = this.dataset.rest ?? this.dataset.state
    this.restingText = (this.part('chip') ?? this.part('detail'))?.textContent ?? ''
    this.form?.addEventListener('submit', event => { event.preventDefault(); this.open() })
  }

  part(name) { return this.querySelector(`[data-part="${name}"]`) }

  // What the gate is, for this person, while nobody opens it.
  rest(state, text) {
    if (!rests.includes(state)) return
    this.resting = state
    this.restingText = text || this.words[state]
    if (this.busy) return
    this.form.hidden = state !== 'ready'
    if (!this.until) this.showRest()
  }

  showRest() {
    clearTimeout(this.until)
    this.until = 0
    this.form.hidden = this.resting !== 'ready'
    const name = upper(this.resting)
    const detail = this.words[`${this.resting}Detail`] ?? this.restingText   // a refusal is its own detail
    this.show(this.resting, this.restingText, this.words[`headline${name}`], detail)
  }

  show(state, chip, headline, detail) {
    this.dataset.state = state
    const tone = tones[state]
    const sign = this.querySelector('.sign')
    sign.className = `sign ${sign.classList.contains('big') ? 'big' : 'small'} ${tone}${state === 'opened' ? ' open' : ''}`
    const parts = { chip: [chip, 'chip'], headline: [headline, 'headline'], detail: [detail, 'sentence'] }
    for (const [name, [text, base]] of Object.entries(parts)) {
      const part = this.part(name)
      if (!part || text === undefined) continue
      part.textContent = text
      part.className = name === 'detail' ? base : `${base} ${tone}`
    }
  }

  // An outcome: shown, said, and after a while laid to rest.
  outcome(state, text) {
    const headline = this.words[`headline${upper(state)}`]
    this.show(state, state === 'opened' ? `${headline} · ${text}` : text, headline, text)
    if (!this.part('headline')) say(`${this.dataset.name}: ${headline}. ${text}`)
    clearTimeout(this.until)
    this.until = setTimeout(() => this.showRest(), state === 'opened' ? shown : shown * 2)
    this.dispatchEvent(new CustomEvent('gate-outcome', { bubbles: true, detail: { state, gate: this.dataset.gate } }))
  }

  async open() {
    if (this.busy || performance.now() - (this.ended ?? -repose) < repose) return
    this.busy = true
    clearTimeout(this.until)
    this.until = 0
    this.button.setAttribute('aria-disabled', 'true')
    this.show('asking', this.words.askingHub, this.words.headlineAsking, this.words.askingHub)
    const stop = live.on('opening', event => {
      if (event.gate !== this.dataset.gate) return
      this.show('asking', this.words.waitingForGate, this.words.headlineAsking, this.words.waitingForGate)
    })
    try {
      this.outcome(...await this.ask())
    } finally {
      stop()
      this.busy = false
      this.ended = performance.now()
      this.button.removeAttribute('aria-disabled')
      if (this.resting !== 'ready') this.form.hidden = true
    }
  }

  // The state and the words of the answer.
  async ask() {
    const started = performance.now()
    const giveUp = AbortSignal.timeout(patience)
    const wasOffline = navigator.onLine === false
    let response, answer
    try {
      response = await this.send(giveUp)
      answer = await response.json().catch(() => null)
    } catch (failure) {
      // The answer may be what was lost, not the request: only who had no network at all knows that nothing was sent.
      return wasOffline && !giveUp.aborted ? ['refused', this.words.noHub] : ['unconfirmed', this.words.noHubAnswer]
    }
    if (response.status === 401) {
      location.assign(`/sign-in?return=${encodeURIComponent(location.pathname + location.search)}`)
      return ['refused', this.words.notAccepted]
    }
    if (!response.ok) {   // a problem document
      const text = answer?.detail || answer?.title || this.words.notAccepted
      return [response.status >= 500 && response.status !== 503 ? 'unconfirmed' : 'refused', text]
    }
    if (answer?.decision === 'denied') return ['refused', answer.reason?.text || this.words.notAccepted]
    switch (answer?.outcome) {
      case 'opened': {
        const tenths = Math.max(Math.ceil((answer.milliseconds ?? performance.now() - started) / 100), 1)   // nobody believes that a door took no time
        const seconds = tenths / 10
        const text = new Intl.NumberFormat(document.documentElement.lang, {
          minimumFractionDigits: 1, maximumFractionDigits: 1,
        }).format(seconds)
        return ['opened', this.words.confirmedIn.replace('{s}', text)]
      }
      case 'refused': return ['refused', answer.reason?.text || this.words.notAccepted]
      default: return ['unconfirmed', answer?.reason?.text || this.words.noAnswer]
    }
  }

  // One request with a key of its own; sent a second time, with the same key, when the network dropped it: the hub
  // then answers what it answered, and opens once.
  async send(signal) {
    const request = {
      method: 'POST', body: '{}', signal, cache: 'no-store', credentials: 'same-origin', redirect: 'error',
      headers: {
        'Content-Type': 'application/json', 'Accept': 'application/json', 'Idempotency-Key': this.key(),
      },
    }
    const address = `/api/gates/${encodeURIComponent(this.dataset.gate)}/open`
    try {
      return await fetch(address, request)
    } catch (failure) {
      if (signal.aborted) throw failure
      await new Promise(done => setTimeout(done, 700))
      return await fetch(address, request)
    }
  }

  key() {
    if (crypto.randomUUID) return crypto.randomUUID()
    return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
  }
})
