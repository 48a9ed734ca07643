// load: from the address of a model's folder to a recogniser.

import { Downloads } from './download.js';
import { InkscanError } from './errors.js';
import { readModel } from './model.js';
import { Network } from './network.js';
import { Recognizer } from './recognizer.js';

/** @typedef {import('./network.js').Ort} Ort */
/**
 * @typedef {object} LoadOptions
 * @property {(progress: import('./download.js').Progress) => void} [onProgress] called while bytes come in
 * @property {number} [expectedBytes] of all files, for the total of the progress where the server compresses
 * @property {Ort | string} [ort] onnxruntime-web, or the address of its module; else the installed package is imported
 * @property {{url: string, sha256?: string}} [wasm] its WebAssembly, to be fetched with progress and kept by its hash
 */

const SCHEME = /^[a-z][a-z0-9+.-]+:/i; // of two letters or more, which a Windows drive has not

/**
 * A recogniser from the folder of an exported model: a URL, or in node a path.
 * @param {string | URL} where
 * @param {LoadOptions} options
 */
export async function load(where, { onProgress = () => {}, expectedBytes, ort, wasm } = {}) {
  const downloads = new Downloads(onProgress, expectedBytes ?? null);
  const [runtime, model, binary] = await Promise.all([
    importRuntime(ort),
    folderUrl(where).then((folder) => readModel(folder, downloads)),
    wasm ? readWasm(wasm, downloads) : null,
  ]);
  if (binary) runtime.env.wasm.wasmBinary = binary;
  const network = await Network.open(runtime, model.encoder, model.step);
  if (network.vocabularySize !== model.info.vocabulary.length) {
    throw new InkscanError('DamagedModel', `the vocabulary of ${model.info.name} is not that of its graphs; export it again`);
  }
  return new Recognizer(model.info, network);
}

/** The URL of a folder, whether or not its address ends with a slash. @param {string | URL} where */
export async function folderUrl(where) {
  const text = String(where);
  const folder = text.endsWith('/') ? text : `${text}/`;
  if (SCHEME.test(folder)) return new URL(folder);
  if (globalThis.location) return new URL(folder, globalThis.document?.baseURI ?? location.href);
  const module = 'node:url'; // a name that bundlers for browsers do not look into
  const { pathToFileURL } = await import(/* webpackIgnore: true */ /* @vite-ignore */ module);
  return /** @type {URL} */ (pathToFileURL(folder));
}

/** @param {Ort | string | undefined} ort @returns {Promise<Ort>} */
async function importRuntime(ort) {
  if (ort === undefined) return import('onnxruntime-web/wasm');
  return typeof ort === 'string' ? import(/* webpackIgnore: true */ /* @vite-ignore */ ort) : ort;
}

/** @param {{url: string, sha256?: string}} wasm @param {Downloads} downloads */
async function readWasm({ url, sha256 }, downloads) {
  const bytes = await downloads.read({ name: 'wasm', url: new URL(url, globalThis.location?.href), sha256 });
  if (!bytes) throw new InkscanError('Unavailable', `there is no ${url}`);
  return bytes.buffer;
}
