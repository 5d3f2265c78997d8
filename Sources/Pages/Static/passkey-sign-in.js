// Signs in with a passkey: by the button, or by choosing it where the browser offers to fill in the address.
import { PasskeyIsland, show } from './passkey.js'

const path = '/api/session/passkey'
const renewal = 240_000   // ms after which a challenge that still waits in the background is asked for anew

customElements.define('passkey-sign-in', class extends PasskeyIsland {
  begin() {
    this.button.addEventListener('click', () => this.run(async () => {
      this.waiting?.abort()
      await show(path)
      this.leave()
    }))
    addEventListener('pagehide', () => this.waiting?.abort())
    this.offer()
  }

  // Among the addresses that the browser fills in. Nothing is said when that comes to nothing: nobody asked for it.
  async offer() {
    if (!await PublicKeyCredential.isConditionalMediationAvailable?.()) return
    while (!this.isBusy && this.isConnected) {
      const waiting = this.waiting = new AbortController()
      const timer = setTimeout(() => waiting.abort(), renewal)
      try {
        await show(path, { mediation: 'conditional', signal: waiting.signal })
        return this.leave()
      } catch (failure) {
        if (failure.name !== 'AbortError') return failure.kind === undefined || this.tell(failure)
      } finally {
        clearTimeout(timer)
      }
    }
  }

  leave() { location.assign(this.dataset.return) }
})
