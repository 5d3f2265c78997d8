// What was typed into a form stands there again when the hub first asked who somebody is: kept in this tab until the next page,
// without passwords, codes and files. Since it looks as if it had been sent, a notice says that it was not.
const name = 'soglia-form'
// Put down and taken away at once by the page of the sign-in: the other tabs hear of it, and nothing stays.
const arrival = 'soglia-arrival'
const proving = '/account/prove'
const signingIn = '/sign-in'
const here = location.pathname + location.search
const isSecret = ({ type, autocomplete }) =>
  ['password', 'file'].includes(type) || /password|one-time-code/.test(autocomplete)
const fields = form => [...form.elements].filter(one => one.name && one.type !== 'submit' && !isSecret(one))
// Several forms of a page may go to one address: what is hidden in them tells them apart.
const key = form => JSON.stringify(
  [form.getAttribute('action'), ...fields(form).map(one => one.type === 'hidden' ? `${one.name}=${one.value}` : one.name)])

function notSaved() {
  const notice = document.createElement('p')
  notice.className = 'notice wait'
  notice.setAttribute('role', 'status')
  notice.textContent = document.querySelector('script[data-not-saved]').dataset.notSaved
  return notice
}

// A page that answered a form has the form's address, and the way back leads to the page that the form stands on, of the same place.
const placeOf = page => new URL(page, location.origin).pathname.split('/').slice(1, 3)
const isBackAt = page => placeOf(here).every((part, place) => part === placeOf(page)[place])

function fill(kept) {
  const form = [...document.forms].find(form => key(form) === kept.key)
  if (!form) return document.querySelector('main')?.prepend(notSaved())
  fields(form).forEach((field, place) => {
    if (field.type === 'hidden') return
    const [value, isChecked] = kept.values[place]
    if (['checkbox', 'radio'].includes(field.type)) field.checked = isChecked
    else field.value = value
    field.dispatchEvent(new Event('change', { bubbles: true }))
  })
  const notice = notSaved()
  // Beside the button that is to be pressed once more: on a phone a long form's beginning is out of sight.
  const button = form.querySelector('button:not([type=button])')
  let place = button
  while (place && place.parentElement !== form) place = place.parentElement
  if (place) place.before(notice)
  else form.prepend(notice)
  for (let around = form.closest('details'); around; around = around.parentElement.closest('details')) around.open = true
  button?.focus()
}

// The page before was the one that asks, whether it was the first or a repeated attempt.
const wasProven = () => document.referrer !== '' && new URL(document.referrer).origin === location.origin
  && new URL(document.referrer).pathname === proving

addEventListener('storage', ({ key }) => {
  if (key === arrival) sessionStorage.removeItem(name)
})

if (location.pathname === signingIn) {
  // Who signs in here may be another person, for all tabs.
  sessionStorage.removeItem(name)
  localStorage.setItem(arrival, '')
  localStorage.removeItem(arrival)
} else if (location.pathname !== proving) {
  const kept = JSON.parse(sessionStorage.getItem(name) ?? 'null')
  sessionStorage.removeItem(name)
  if (kept && isBackAt(kept.page) && wasProven()) fill(kept)
  addEventListener('submit', ({ target: form }) => {
    if (form.method !== 'post') return
    const values = fields(form).map(({ value, checked }) => [value, checked])
    try {
      sessionStorage.setItem(name, JSON.stringify({ page: here, key: key(form), values }))
    } catch (failure) {
      console.info(failure)   // too much for this browser: it is typed again
    }
  })
} else {
  document.querySelector('form[action="/sign-out"]')?.addEventListener('submit', () => sessionStorage.removeItem(name))
}
