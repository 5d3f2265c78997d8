// A button that copies the text beside it.
customElements.define('copy-text', class extends HTMLElement {
  connectedCallback() {
    const text = this.querySelector('code')
    if (!text || !navigator.clipboard || this.querySelector('button')) return
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'plain'
    button.textContent = this.dataset.label
    button.setAttribute('aria-label', `${this.dataset.label} ${this.dataset.name ?? text.textContent}`)
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(text.textContent)
      button.textContent = '✓'
      setTimeout(() => { button.textContent = this.dataset.label }, 1_500)
    })
    this.append(button)
  }
})
