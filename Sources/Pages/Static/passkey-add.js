// Makes a passkey on this device. Around it stands a form with the name that it gets.
import { PasskeyIsland, add, isPossible } from './passkey.js'

customElements.define('passkey-add', class extends PasskeyIsland {
  begin() {
    const form = this.querySelector('form')
    this.parentElement.querySelector('[data-part="impossible"]').hidden = isPossible
    form.addEventListener('submit', event => {
      event.preventDefault()
      this.run(async () => {
        await add('/api/account/passkeys', form.elements.name.value)
        location.assign(this.dataset.return)
      })
    })
  }
})
