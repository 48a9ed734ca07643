// The models in this browser: they read in a worker, with files that the build put beside this one.

import { CACHE } from './inkscan/download.js';
import { loadInWorker } from './inkscan/index.js';

const HERE = new URL('.', import.meta.url);
const IS_PAGE = document.documentElement.dataset.reader === 'device'; // not that of a server, nor one with a field in it

/** @typedef {import('../src/download.js').Progress} Progress */
/** @typedef {import('../build.mjs').Built} Built */

/** One recogniser for all who ask on this page: it is large. @type {ReturnType<typeof open> | undefined} */
let opening;
/** @type {Progress | undefined} */
let latest;
/** @type {Set<(progress: Progress) => void>} */
const listeners = new Set();

/**
 * Open the models that the build bundled. The second one and the classifier come later, in the background.
 * @param {(progress: Progress) => void} onProgress bytes, while the first is fetched for the first time
 */
export async function openLocal(onProgress = () => {}) {
  if (latest) onProgress(latest);
  listeners.add(onProgress);
  opening ??= open().catch((error) => {
    opening = undefined; // the next one may try again
    throw error;
  });
  try {
    return await opening;
  } finally {
    listeners.delete(onProgress);
  }
}

/** @param {Progress} progress */
function tell(progress) {
  latest = progress;
  for (const listener of listeners) listener(progress);
}

async function open() {
  if (IS_PAGE) navigator.serviceWorker?.register(new URL('../service-worker.js', HERE)).catch(() => {}); // without one, online only
  /** @type {Built} */
  const built = await (await fetch(new URL('app.json', HERE))).json();
  const recognizer = await loadInWorker(new URL(built.model, HERE), {
    second: new URL(built.second, HERE),
    classifier: new URL(built.classifier, HERE),
    onProgress: tell,
    expectedBytes: built.bytes,
    ort: new URL(built.ort, HERE).href,
    wasm: { url: new URL(built.wasm.url, HERE).href, sha256: built.wasm.sha256 },
  });
  forgetOlderModels(built.kept.map((key) => new URL(key, HERE).href)).catch(() => {});
  return recognizer;
}

/** Models are kept by their hash, so that those of earlier builds would stay for ever. @param {string[]} kept */
async function forgetOlderModels(kept) {
  const cache = await globalThis.caches?.open(CACHE);
  for (const { url } of await cache?.keys() ?? []) {
    if (url.startsWith(HERE.href) && !kept.includes(url)) await cache.delete(url);
  }
}
