// A button that shows what was typed into the password field, and hides it again.
customElements.define('show-password', class extends HTMLElement {
  connectedCallback() {
    const field = this.querySelector('input')
    if (!field || this.querySelector('button')) return
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'plain'
    const show = visible => {
      field.type = visible ? 'text' : 'password'
      button.textContent = visible ? this.dataset.hide : this.dataset.show
      button.setAttribute('aria-controls', field.id)
    }
    button.addEventListener('click', () => show(field.type === 'password'))
    field.form?.addEventListener('submit', () => show(false))
    show(false)
    field.after(button)
  }
})
