// Shows once more, by a passkey, that it is still the same person; then goes back to where they were.
import { PasskeyIsland, show } from './passkey.js'

customElements.define('passkey-prove', class extends PasskeyIsland {
  begin() {
    this.button.addEventListener('click', () => this.run(async () => {
      await show('/api/session/proof/passkey')
      location.replace(this.dataset.return)
    }))
  }
})
