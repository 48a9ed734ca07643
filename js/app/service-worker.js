// Keeps the page's files, so that it opens without a network. The model and the WebAssembly are kept by the package itself.

importScripts('precache.js'); // the build writes it: self.PRECACHE = {version, files}

const worker = /** @type {ServiceWorkerGlobalScope & {PRECACHE: {version: string, files: string[]}}} */ (/** @type {unknown} */ (self));
const { version, files } = worker.PRECACHE;
const OURS = `inkscan-app ${worker.registration.scope} `; // other copies of the app may live on the same host
const CACHE = OURS + version;

worker.addEventListener('install', (event) => {
  const fresh = files.map((file) => new Request(file, { cache: 'reload' }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(fresh)));
});

worker.addEventListener('activate', (event) => {
  event.waitUntil((async () => {
    const outdated = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== CACHE);
    await Promise.all(outdated.map((name) => caches.delete(name)));
    await worker.clients.claim();
  })());
});

// A page and its files come from one build: what is kept is never mixed with what a newer build put on the host.
worker.addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET') return;
  event.respondWith((async () => {
    const cache = await caches.open(CACHE);
    return await cache.match(event.request, { ignoreSearch: true }) ?? fetch(event.request);
  })());
});
