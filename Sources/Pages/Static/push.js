// Lets the hub reach this device, and no longer. The subscription belongs to the session at the hub and to the person in
// this browser: nobody gets another's notices because they use the same one.

const mark = 'soglia-push'          // whose notices are shown here, since they said so: their id
const synced = 'soglia-push-synced' // whether this start of the app has told the hub
const patience = 10_000             // ms until we say that it does not work

export const isSupported = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

// Asks for nothing: whoever calls this has the permission, by a tap.
export async function turnOn() {
  const { key, person } = await ask('GET', '/api/push/key')
  await put(await subscription(key))
  localStorage.setItem(mark, person)
}

export async function turnOff() {
  localStorage.removeItem(mark)
  await ask('DELETE', '/api/push/subscription')
  const { pushManager } = await worker()
  await (await pushManager.getSubscription())?.unsubscribe()
}

// Whether the hub and the browser both know of it.
export async function isOn() {
  if (Notification.permission !== 'granted') return false
  const { isOn } = await ask('GET', '/api/push/key')
  return isOn && Boolean(await (await worker()).pushManager.getSubscription())
}

export const test = () => ask('POST', '/api/push/test', {})

// At each start of the app: browsers lose subscriptions, and give them other addresses, without telling anybody.
export async function resync() {
  const whose = localStorage.getItem(mark)
  if (!whose || !isSupported || Notification.permission !== 'granted' || sessionStorage.getItem(synced)) return
  const { key, person } = await ask('GET', '/api/push/key')
  if (person !== whose) return
  await put(await subscription(key))
  sessionStorage.setItem(synced, '1')
}

async function subscription(key) {
  const { pushManager } = await worker()
  const known = await pushManager.getSubscription()
  if (known && encoded(known.options.applicationServerKey) === key) return known
  await known?.unsubscribe()   // of a hub that was here before
  return inTime(pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }))
}

const put = subscription => ask('PUT', '/api/push/subscription', subscription)
const worker = () => inTime(navigator.serviceWorker.ready)

async function ask(method, path, body) {
  const response = await fetch(path, {
    method, cache: 'no-store', redirect: 'error', signal: AbortSignal.timeout(patience),
    headers: { 'Accept': 'application/json', ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = await response.json().catch(() => ({}))
  if (!response.ok) throw new Error(answer.detail ?? answer.title ?? response.statusText)
  return answer
}

function inTime(promise) {
  return Promise.race([promise, new Promise((_, failed) => setTimeout(() => failed(new Error('no answer')), patience))])
}

function encoded(buffer) {
  return btoa(String.fromCharCode(...new Uint8Array(buffer ?? []))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
