// Bytes from a URL or a file: with progress, checked against their hash, and kept by it where the browser has a cache.

import { InkscanError } from './errors.js';
import { sha256 } from './sha256.js';

/** @typedef {{loaded: number, total: number | null}} Progress bytes; the total is null while it is not known */
/** @typedef {Uint8Array<ArrayBuffer>} Bytes */
/** @typedef {{name: string, url: URL, sha256?: string}} Source */

export const CACHE = 'inkscan-models';

/** Several downloads that report their progress together. */
export class Downloads {
  #report;
  #expected;
  /** @type {Map<string, {loaded: number, total: number | null}>} */
  #files = new Map();

  /** @param {(progress: Progress) => void} report @param {number | null} expected bytes of all, if somebody knows */
  constructor(report, expected = null) {
    this.#report = report;
    this.#expected = expected;
  }

  /** The content, or null where there is none. @param {Source} source @returns {Promise<Bytes | null>} */
  async read(source) {
    const kept = await readKept(source);
    const bytes = kept ?? await this.#fetch(source);
    if (!bytes) return null;
    this.#advance(source.name, bytes.length, bytes.length);
    if (source.sha256 === undefined) return bytes;
    if (await sha256(bytes) !== source.sha256) {
      throw new InkscanError(
        'DamagedModel', `${source.url} is not the file that its model describes (its SHA-256 differs): damaged, cut or from `
        + 'another model; copy or export the whole folder again',
      );
    }
    if (!kept) await keep(source, bytes);
    return bytes;
  }

  /** @param {Source} source @returns {Promise<Bytes | null>} */
  async #fetch({ name, url }) {
    if (url.protocol === 'file:') return readFile(url);
    const response = await fetch(url).catch((error) => unavailable(`${url} cannot be reached: ${error.message}`));
    if (response.status === 404) return null;
    if (!response.ok) return unavailable(`${url} answers ${response.status} ${response.statusText}`);
    return this.#received(name, response);
  }

  /** @param {string} name @param {Response} response @returns {Promise<Bytes>} */
  async #received(name, response) {
    const isPlain = !response.headers.get('content-encoding'); // else the length is that of the compressed bytes
    const total = isPlain ? Number(response.headers.get('content-length')) || null : null;
    this.#advance(name, 0, total);
    if (!response.body) return new Uint8Array(await response.arrayBuffer());
    /** @type {Uint8Array[]} */
    const chunks = [];
    let loaded = 0;
    const reader = response.body.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      chunks.push(part.value);
      loaded += part.value.length;
      this.#advance(name, loaded, total);
    }
    return joined(chunks, loaded);
  }

  /** @param {string} name @param {number} loaded @param {number | null} total */
  #advance(name, loaded, total) {
    this.#files.set(name, { loaded, total });
    const files = [...this.#files.values()];
    const known = files.every((file) => file.total !== null) ? files.reduce((sum, file) => sum + (file.total ?? 0), 0) : null;
    this.#report({ loaded: files.reduce((sum, file) => sum + file.loaded, 0), total: this.#expected ?? known });
  }
}

/** @param {Uint8Array[]} chunks @param {number} length @returns {Bytes} */
function joined(chunks, length) {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** @param {URL} url @returns {Promise<Bytes | null>} */
async function readFile(url) {
  const module = 'node:fs/promises'; // a name that bundlers for browsers do not look into
  const fs = await import(/* webpackIgnore: true */ /* @vite-ignore */ module);
  return fs.readFile(url).then(
    (/** @type {Uint8Array} */ content) => new Uint8Array(content),
    (/** @type {{code: string, message: string}} */ error) => (error.code === 'ENOENT' ? null : unavailable(error.message)),
  );
}

/** The key of a file in the cache: its place and its hash. @param {Source} source */
export const keyOf = ({ url, sha256: hash }) => `${url.href}?sha256=${hash}`;

/** @param {Source} source @returns {Promise<Bytes | null>} */
async function readKept(source) {
  const cache = await openCache(source);
  const kept = await cache?.match(keyOf(source));
  return kept ? new Uint8Array(await kept.arrayBuffer()) : null;
}

/** @param {Source} source @param {Bytes} bytes */
async function keep(source, bytes) {
  const cache = await openCache(source);
  await cache?.put(keyOf(source), new Response(bytes)).catch(() => {}); // a full disk only makes the next start slower
}

/** @param {Source} source @returns {Promise<Cache | undefined>} */
async function openCache({ url, sha256: hash }) {
  if (hash === undefined || !url.protocol.startsWith('http')) return undefined;
  return globalThis.caches?.open(CACHE).catch(() => undefined); // absent or forbidden: browse on without
}

/** @param {string} message @returns {never} */
function unavailable(message) {
  throw new InkscanError('Unavailable', message);
}
