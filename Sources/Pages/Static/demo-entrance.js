// A link to the demo's page has the token after its #, which browsers send to nobody: it is shown once, and not kept in the address.
customElements.define('demo-entrance', class extends HTMLElement {
  connectedCallback() {
    const token = location.hash.slice(1)
    if (!token) return
    history.replaceState(null, '', location.pathname)
    this.querySelector('[name=token]').value = token
    this.querySelector('form').requestSubmit()
  }
})
