// Lets this device open the app without the hub: starts the service worker, and tells it which pages this one wants kept.
// And where somebody wants notices here, sees to it that the hub still reaches it. After the page itself is there, since it
// comes first.
const { serviceWorker } = navigator   // only over HTTPS, or on this machine itself

if (document.readyState !== 'complete') await new Promise(done => addEventListener('load', done, { once: true }))
try {
  await serviceWorker?.register('/service-worker.js', { updateViaCache: 'none' })
  const keep = document.querySelector('meta[name="soglia-keep"]')?.content.split(' ')
  if (serviceWorker && keep) (await serviceWorker.ready).active.postMessage({ keep })
  if (localStorage.getItem('soglia-push')) await (await import('./push.js')).resync()
} catch (failure) {
  console.info(failure)   // the page is whole without it
}
