// Opens the app without the hub: the shell, and of the person's own pages those that the hub offers for it, as they were
// last seen. The network comes first, always; what is kept is only for when it does not answer. Nothing else goes through
// here: no interface, no stream, no form. And shows what the hub tells while no page is open, and acts on a tap on it.
//
// The hub writes two lines in front of this: `version`, a hash of all static files, and `files`, those of the shell. So a
// change of any of them is another worker, which takes over at once and puts away what the old one kept of the shell.

const shell = `soglia-shell-${version}`
const whose = 'soglia-pages-'     // and the person and language that the hub names: never two of them at a time
const offline = '/offline'
const patience = 3_000            // ms that a page waits for the hub when there is a kept one to show instead
const fresh = 3_600_000           // ms in which a page that was not looked at is not asked for anew
const most = 40                   // pages kept

let wipes = 0                     // an answer that comes after a wipe is not kept
let keeping = Promise.resolve()   // one after another, so that two tabs do not ask for the same at once
const keptClients = new Set()     // tabs that show a kept page: their files come from the same place, without waiting

self.addEventListener('install', event => event.waitUntil(install()))
self.addEventListener('activate', event => event.waitUntil(activate()))
self.addEventListener('message', event => {
  const paths = event.data?.keep
  if (!Array.isArray(paths)) return
  keeping = keeping.then(() => keep(paths.slice(0, most))).catch(() => {})
  event.waitUntil(keeping)
})
self.addEventListener('fetch', event => {
  const { method, mode, url } = event.request
  const { origin, pathname, searchParams } = new URL(url)
  if (origin !== location.origin) return
  // Somebody comes or goes. The request itself is the browser's own: a form is never sent a second time.
  const isComingOrGoing = method === 'POST' && ['/sign-in', '/sign-out', '/api/session/passkey'].includes(pathname)
    || method === 'DELETE' && pathname === '/api/session'
  if (isComingOrGoing) event.waitUntil(wipe())
  if (method !== 'GET') return
  if (mode === 'navigate') event.respondWith(page(event, pathname, searchParams))
  else if (pathname.startsWith('/static/') || pathname === '/manifest.webmanifest') event.respondWith(file(event))
})
self.addEventListener('push', event => event.waitUntil(tell(event.data)))
self.addEventListener('notificationclick', event => {
  event.notification.close()
  event.waitUntil(tapped(event.notification.data ?? {}, event.action))
})
self.addEventListener('pushsubscriptionchange', event => event.waitUntil(subscribeAnew(event)))

async function install() {
  const cache = await caches.open(shell)
  await cache.addAll(files.map(path => new Request(path, { cache: 'no-cache' })))
  // For when no person's own is there; asked for by nobody, so that nobody's places are in it.
  await cache.add(new Request(offline, { cache: 'no-store', credentials: 'omit' }))
  await self.skipWaiting()
}

async function activate() {
  await self.clients.claim()
  const old = (await caches.keys()).filter(name => name.startsWith('soglia-shell-') && name !== shell)
  if (!old.length) return
  // Pages and files belong together: the kept pages are asked for anew, now that the files are.
  const pages = await kept()
  if (pages) await keep((await pages.keys()).map(({ url }) => new URL(url).pathname), true).catch(() => {})
  await Promise.all(old.map(name => caches.delete(name)))
}

// MARK: what is kept

// Whoever's pages they are.
async function kept() {
  const name = (await caches.keys()).find(name => name.startsWith(whose))
  return name && caches.open(name)
}

// Forgets everything about anybody.
async function wipe() {
  wipes += 1
  const names = await caches.keys()
  await Promise.all(names.filter(name => name.startsWith(whose)).map(name => caches.delete(name)))
}

// Asks the hub for the form of each page that is to be kept; the first one is what the person looks at.
async function keep(paths, isAll = false) {
  const before = wipes
  for (const [index, path] of paths.entries()) {
    const pages = await kept()
    if (index > 0 && !isAll && isFresh(await pages?.match(path))) continue
    const answer = await fetch(path, { headers: { 'Soglia-Saved': '1' }, redirect: 'manual', cache: 'no-store' })
    if (wipes !== before) return
    const owner = answer.headers.get('Soglia-Keep')
    // Sent elsewhere, or known as nobody: the session is over.
    if (answer.type === 'opaqueredirect' || answer.status === 401 || owner === 'nobody') return wipe()
    if (answer.ok && owner) await put(path, answer, whose + owner)
    else if (answer.status < 500) await pages?.delete(path)   // it exists no more, or is not for them any more
    if (wipes !== before) return wipe()
  }
}

function isFresh(answer) {
  return answer && Date.now() - Date.parse(answer.headers.get('Date')) < fresh
}

async function put(path, answer, name) {
  const others = (await caches.keys()).filter(other => other.startsWith(whose) && other !== name)
  await Promise.all(others.map(other => caches.delete(other)))
  const pages = await caches.open(name)
  await pages.put(path, answer)
  const keys = await pages.keys()   // oldest first
  await Promise.all(keys.slice(0, -most).map(key => pages.delete(key)))
}

// MARK: what is answered

async function page(event, path, search) {
  const instead = await keptFor(path, search)
  const network = fetch(event.request).then(answer => {
    if (answer.headers.get('Soglia-Keep') === 'nobody') event.waitUntil(wipe())   // the sign-in: the session is over
    if (instead && [502, 503, 504].includes(answer.status)) throw new Error('nobody is behind the proxy, or not for long')
    return answer
  })
  try {
    return await (instead ? within(patience, network) : network)
  } catch {
    keptClients.add(event.resultingClientId)
    return instead ?? await (await kept())?.match(offline) ?? await caches.match(offline, { cacheName: shell }) ?? Response.error()
  }
}

// What was kept of a page. The start of the app, and the first page of whoever has one place, are the list of gates.
async function keptFor(path, search) {
  const pages = await kept()
  if (!pages) return
  const isStart = path === '/start' || path === '/start/renewed'
  const wanted = isStart ? search.get('return') ?? '/' : path
  if (wanted !== '/') return pages.match(wanted)
  const lists = (await pages.keys()).filter(({ url }) => new URL(url).pathname.endsWith('/gates'))
  if (isStart || lists.length === 1) return lists.length ? pages.match(lists.at(-1)) : undefined
}

async function file(event) {
  const instead = await caches.match(event.request, { cacheName: shell, ignoreSearch: true })
  if (!instead) return fetch(event.request)
  if (keptClients.has(event.clientId)) return instead
  return within(patience, fetch(event.request)).catch(() => instead)
}

function within(time, answer) {
  return new Promise((done, failed) => {
    setTimeout(() => failed(new Error('no answer yet')), time)
    answer.then(done, failed)
  })
}

// MARK: what the hub tells

const actPatience = 10_000        // ms until we say that nobody answered
const again = 700                 // ms until a request that the network dropped is sent once more

// A push always shows something: browsers take the permission away from whoever stays silent. The hub sends the words,
// in the person's language, without names and places unless the person allows them on a lock screen.
async function tell(data) {
  let notice = {}
  try { notice = data?.json() ?? {} } catch { /* not ours to read: a notice without words */ }
  const { title = 'Soglia', body = '', tag = '', lang = '', isCritical = false } = notice
  const actions = Array.isArray(notice.actions) ? notice.actions.slice(0, 2) : []
  await self.registration.showNotification(title, {
    body, lang, icon: '/static/icon-192.png', data: { ...notice, actions },
    actions: actions.map(({ name, title }) => ({ action: name, title })),
    ...(tag && { tag, renotify: true }), requireInteraction: isCritical,
  })
  if (notice.isTracked) await shown(notice.id)
}

// Tells the hub that a notice is on the screen. What was told before it was written down is not known there for a moment.
async function shown(id) {
  for (const pause of [0, 2_000]) {
    await new Promise(done => setTimeout(done, pause))
    const answer = await ask(`/api/notices/${encodeURIComponent(id)}/shown`).catch(() => undefined)
    if (answer && answer.status !== 404) return
  }
}

// A tap on a notice opens its page; a tap on an action acts, or opens the page on which more has to be shown first.
async function tapped(notice, name) {
  const action = notice.actions?.find(action => action.name === name)
  if (!action) return show(notice.link)
  if (action.proof !== 'none') return show(action.link)
  const outcome = await act(notice, name)
  const { title = 'Soglia', tag = '', lang = '' } = notice
  await self.registration.showNotification(outcome.title || title, {
    body: outcome.body, lang, icon: '/static/icon-192.png', data: { link: outcome.link ?? notice.link }, ...(tag && { tag }),
  })
}

// What came of an action, in words, and where it goes on.
async function act(notice, name) {
  const words = notice.words ?? {}
  let response, told
  try {
    response = await ask(`/api/notices/${encodeURIComponent(notice.id)}/actions/${encodeURIComponent(name)}`)
    told = await response.json()
  } catch {
    return { body: words.unreachable }
  }
  if (response.ok) return { title: told.text, body: told.body }
  const back = encodeURIComponent(notice.link ?? '/')
  switch (response.status === 401 ? 'signed-out' : told.type?.split('/').at(-1)) {
    case 'signed-out': return { body: words.signedOut, link: `/sign-in?return=${back}` }
    case 'fresh-proof-needed':
    case 'second-factor-needed': return { body: words.prove, link: `/account/prove?strong=1&return=${back}` }
    case 'notice-over': return { body: words.over }
    case 'already-done': return { body: words.done }
    default: return { body: words.refused }
  }
}

// With one key for both tries: what the hub has done once it does not do again.
async function ask(path) {
  const request = {
    method: 'POST', body: '{}', credentials: 'same-origin', cache: 'no-store', redirect: 'error',
    signal: AbortSignal.timeout(actPatience),
    headers: {
      'Content-Type': 'application/json', 'Accept': 'application/json', 'Idempotency-Key': self.crypto.randomUUID(),
    },
  }
  try {
    return await fetch(path, request)
  } catch (failure) {
    if (request.signal.aborted) throw failure
    await new Promise(done => setTimeout(done, again))
    return await fetch(path, request)
  }
}

// Shows a page of ours: in the window that is there, else in a new one.
async function show(link = '/') {
  const url = new URL(link, location.origin)
  const path = url.origin === location.origin ? url.href : location.origin
  const windows = await self.clients.matchAll({ type: 'window' })
  for (const client of windows) {
    await client.focus().catch(() => {})   // some browsers bring it to the front only now and then
    try {
      return await client.navigate(path)
    } catch { /* a window that this worker does not hold, or one that is closing */ }
  }
  return self.clients.openWindow(path)
}

// The push service has given the device another address: the hub has to know it.
async function subscribeAnew({ oldSubscription, newSubscription }) {
  const key = oldSubscription?.options.applicationServerKey
  const subscription = newSubscription ?? (key && await self.registration.pushManager.subscribe({
    userVisibleOnly: true, applicationServerKey: key,
  }))
  if (!subscription) return   // the next page that is opened sees to it
  await fetch('/api/push/subscription', {
    method: 'PUT', body: JSON.stringify(subscription), credentials: 'same-origin',
    headers: { 'Content-Type': 'application/json' },
  })
}
