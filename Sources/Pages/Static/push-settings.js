// Switches the notices on this device on and off, and says what is in the way. The browser is asked only on a tap.
import { isOn, isSupported, test, turnOff, turnOn } from './push.js'

const tones = { on: 'go', off: 'idle', blocked: 'wait', install: 'wait', unsupported: 'idle', failed: 'wait' }

customElements.define('push-settings', class extends HTMLElement {
  async connectedCallback() {
    this.words = JSON.parse(document.getElementById(this.dataset.words).textContent)
    this.part('switch').addEventListener('click', () => this.change())
    this.part('test').addEventListener('click', () => this.test())
    await this.look()
  }

  part(name) { return this.querySelector(`[data-part="${name}"]`) }

  async look() {
    // Safari on a phone knows push only in an app from the home screen, and says by `standalone` that this is none yet.
    if (!isSupported) return this.show(navigator.standalone === false ? 'install' : 'unsupported')
    if (Notification.permission === 'denied') return this.show('blocked')
    try {
      this.show(await isOn() ? 'on' : 'off')
    } catch (failure) {
      console.info(failure)
      this.show('off')
    }
  }

  show(state) {
    this.dataset.state = state
    const chip = this.part('chip')
    chip.className = `chip ${tones[state]}`
    chip.textContent = this.words[state]
    this.part('detail').textContent = this.words[`${state}Detail`]
    const button = this.part('switch')
    button.hidden = !['on', 'off', 'failed'].includes(state)
    button.textContent = this.words[state === 'on' ? 'turnOff' : 'turnOn']
    button.classList.toggle('quiet', state === 'on')
    this.part('test').hidden = state !== 'on'
    this.part('outcome').textContent = ''
  }

  async busily(work) {
    if (this.isBusy) return
    this.isBusy = true
    const buttons = this.querySelectorAll('button')
    for (const button of buttons) button.setAttribute('aria-disabled', 'true')
    try { await work() } finally {
      this.isBusy = false
      for (const button of buttons) button.removeAttribute('aria-disabled')
    }
  }

  change() {
    return this.busily(async () => {
      try {
        if (this.dataset.state === 'on') {
          await turnOff()
        } else {
          if (await Notification.requestPermission() === 'denied') return this.show('blocked')
          if (Notification.permission !== 'granted') return
          await turnOn()
        }
        this.show(this.dataset.state === 'on' ? 'off' : 'on')
      } catch (failure) {
        console.info(failure)
        this.show('failed')
      }
    })
  }

  test() {
    return this.busily(async () => {
      try {
        await test()
        this.part('outcome').textContent = this.words.tested
      } catch (failure) {
        console.info(failure)
        this.part('outcome').textContent = this.words.notTested
      }
    })
  }
})
