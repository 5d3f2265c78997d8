// Says that the hub has a newer version than the page that is open. The worker of the new version takes over by itself; a page
// that somebody is looking at does not change under their hands.
const pause = 600_000   // ms between two questions while somebody comes and goes

customElements.define('app-update', class extends HTMLElement {
  connectedCallback() {
    this.asked = Date.now()
    this.changed = () => this.ask()
    this.seen = () => { if (!document.hidden && Date.now() - this.asked > pause) this.ask() }
    navigator.serviceWorker?.addEventListener('controllerchange', this.changed)
    document.addEventListener('visibilitychange', this.seen)
    addEventListener('online', this.seen)
    this.querySelector('button').addEventListener('click', () => location.reload())
  }
  disconnectedCallback() {
    navigator.serviceWorker?.removeEventListener('controllerchange', this.changed)
    document.removeEventListener('visibilitychange', this.seen)
    removeEventListener('online', this.seen)
  }

  // The worker's file carries the version of all files: it answers 304 while that is still ours.
  async ask() {
    this.asked = Date.now()
    const ours = `"${this.dataset.version}"`
    try {
      const answer = await fetch('/service-worker.js', { cache: 'no-store', headers: { 'If-None-Match': ours } })
      const theirs = answer.headers.get('ETag')
      if (answer.status === 200 && theirs && theirs.replace(/^W\//, '') !== ours) this.show()
    } catch { /* the hub does not answer: later */ }
  }

  show() {
    const words = this.querySelector('[data-part="words"]')
    words.textContent = words.dataset.text
    words.hidden = false
    this.querySelector('button').hidden = false
    this.classList.add('there')
  }
})
