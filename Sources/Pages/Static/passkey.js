// What the passkey islands share: asking the hub for a challenge, having the browser hold the ceremony, bringing the
// result back, and words for whatever goes wrong. Bytes travel as base64url.

// Whether this browser can have passkeys at all, on this page.
export const isPossible = window.isSecureContext && 'PublicKeyCredential' in window && !!navigator.credentials

const bytes = text => {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(plain, character => character.charCodeAt(0))
}
const text = buffer => btoa(String.fromCharCode(...new Uint8Array(buffer)))
  .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
const named = list => (list ?? []).map(one => ({ ...one, id: bytes(one.id) }))

// An answer of the hub that is no good one: the kind of problem.
class Refusal extends Error {
  constructor(problem, status) {
    super(problem?.title ?? 'refused')
    this.kind = problem?.type?.split('/').pop() ?? ''
    this.status = status
  }
}

async function post(path, body) {
  const response = await fetch(path, {
    method: 'POST', body: JSON.stringify(body), cache: 'no-store', credentials: 'same-origin', redirect: 'error',
    headers: { 'Content-Type': 'application/json', 'Accept': 'application/json' },
  })
  const answer = response.status === 204 ? null : await response.json().catch(() => null)
  if (!response.ok) throw new Refusal(answer, response.status)
  return answer
}

// A new passkey, which the hub then knows under that name.
export async function add(path, name) {
  const options = await post(`${path}/options`, {})
  const credential = await navigator.credentials.create({
    publicKey: {
      ...options, challenge: bytes(options.challenge), user: { ...options.user, id: bytes(options.user.id) },
      excludeCredentials: named(options.excludeCredentials),
    },
  })
  const { clientDataJSON, attestationObject } = credential.response
  return post(path, {
    name, id: text(credential.rawId), response: {
      clientDataJSON: text(clientDataJSON), attestationObject: text(attestationObject),
      transports: credential.response.getTransports?.() ?? [],
    },
  })
}

// Shows a passkey that is there. `more` is what else `navigator.credentials.get` is told.
export async function show(path, more = {}) {
  const options = await post(`${path}/options`, {})
  const credential = await navigator.credentials.get({
    ...more,
    publicKey: {
      ...options, challenge: bytes(options.challenge), allowCredentials: named(options.allowCredentials),
    },
  })
  const { clientDataJSON, authenticatorData, signature, userHandle } = credential.response
  const id = text(credential.rawId)
  try {
    return await post(path, {
      id, response: {
        clientDataJSON: text(clientDataJSON), authenticatorData: text(authenticatorData), signature: text(signature),
        userHandle: userHandle ? text(userHandle) : null,
      },
    })
  } catch (failure) {
    // So that the device offers no more what the hub has forgotten.
    if (failure.kind === 'passkey-unknown' && PublicKeyCredential.signalUnknownCredential)
      PublicKeyCredential.signalUnknownCredential({ rpId: options.rpId, credentialId: id }).catch(() => {})
    throw failure
  }
}

const kinds = {
  'passkey-stale': 'tookTooLong', 'passkey-unknown': 'unknown', 'passkey-suspected': 'suspected',
  'passkey-taken': 'alreadyThere', 'too-many-passkeys': 'tooMany', 'too-many-requests': 'tooOften',
  'no-passkeys-here': 'notHere', 'wrong-name': 'wrongName', 'disk-full': 'diskFull',
}
const names = {
  NotAllowedError: 'notConfirmed', InvalidStateError: 'alreadyThere', SecurityError: 'notHere',
  NotSupportedError: 'notPossible', ConstraintError: 'notPossible', TypeError: 'noHub',
}

// An island around a button: while something goes on it is busy, and what went wrong stands under it.
export class PasskeyIsland extends HTMLElement {
  connectedCallback() {
    if (!isPossible) return
    this.words = JSON.parse(document.getElementById('passkey-words').textContent)
    this.failure = this.querySelector('[data-part="failure"]')
    this.button = this.querySelector('button')
    this.hidden = false
    this.begin()
  }

  // Runs a ceremony; says in words why it came to nothing.
  async run(ceremony) {
    if (this.isBusy) return
    this.isBusy = true
    this.button.setAttribute('aria-disabled', 'true')
    this.failure.hidden = true
    try {
      await ceremony()
    } catch (failure) {
      this.tell(failure)
    } finally {
      this.isBusy = false
      this.button.removeAttribute('aria-disabled')
    }
  }

  tell(failure) {
    if (failure.name === 'AbortError') return
    const here = encodeURIComponent(location.pathname + location.search)
    if (failure.status === 401) return location.assign(`/sign-in?return=${here}`)
    if (failure.kind === 'fresh-proof-needed') return location.assign(`/account/prove?return=${here}`)
    if (failure.kind === 'second-factor-needed') return location.assign(`/account/prove?strong=1&return=${here}`)
    const name = failure.kind === undefined ? names[failure.name] : kinds[failure.kind]
    this.failure.textContent = this.words[name ?? 'notAccepted']
    this.failure.hidden = false
  }
}
