// Beside the choice of a time zone: one button that chooses the one of this device.
customElements.define('zone-here', class extends HTMLElement {
  connectedCallback() {
    const choice = this.querySelector('select')
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
    if (!choice || this.querySelector('button') || ![...choice.options].some(({ value }) => value === zone)) return
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'quiet'
    button.textContent = `${this.dataset.here} ${zone}`
    const show = () => { button.hidden = choice.value === zone }
    button.addEventListener('click', () => {
      choice.value = zone
      show()
      choice.focus()
    })
    choice.addEventListener('change', show)
    show()
    this.append(button)
  }
})
