// How to put the app on the phone: a button where the browser offers it, words where a person has to do it by hand (every
// browser on an iPhone). Whoever has put the hint away, or installed the app, does not see it again on this device.
const key = 'soglia-install-hint'
const isInstalled = () => matchMedia('(display-mode: standalone)').matches || navigator.standalone === true
const isByHand = () => /iPhone|iPad|iPod/.test(navigator.userAgent)
  || navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1

// Storage may be forbidden: the hint is then there again with the next page.
const remembered = () => { try { return localStorage.getItem(key) !== null } catch { return false } }
const remember = () => { try { localStorage.setItem(key, 'away') } catch { /* as above */ } }

let offer   // the browser's own, to be used once

customElements.define('install-hint', class extends HTMLElement {
  connectedCallback() {
    this.offered = event => {
      event.preventDefault()
      offer = event
      this.show()
    }
    this.installed = () => this.putAway()
    addEventListener('beforeinstallprompt', this.offered)
    addEventListener('appinstalled', this.installed)
    this.part('install').addEventListener('click', () => this.install())
    this.part('away').addEventListener('click', () => this.putAway())
    this.show()
  }
  disconnectedCallback() {
    removeEventListener('beforeinstallprompt', this.offered)
    removeEventListener('appinstalled', this.installed)
  }

  part(name) { return this.querySelector(`[data-part="${name}"]`) }

  show() {
    this.part('install').hidden = !offer
    this.part('by-hand').hidden = Boolean(offer) || !isByHand()
    this.hidden = remembered() || isInstalled() || !offer && !isByHand()
  }

  async install() {
    const asked = offer
    offer = undefined
    await asked.prompt()
    const { outcome } = await asked.userChoice
    if (outcome === 'accepted') this.putAway()
    else this.show()
  }

  putAway() {
    remember()
    this.hidden = true
  }
})
