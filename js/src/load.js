// load: from the address of a model's folder to a recogniser.

import { Classifier } from './classifier.js';
import { Downloads } from './download.js';
import { InkscanError } from './errors.js';
import { Later } from './later.js';
import { readClassifier, readModel } from './model.js';
import { Network } from './network.js';
import { Reader } from './reader.js';
import { Recognizer } from './recognizer.js';

/** @typedef {import('./network.js').Ort} Ort */
/**
 * @typedef {object} LoadOptions
 * @property {string | URL} [second] the folder of a model that is asked where the first is in doubt, fetched after it
 * @property {string | URL} [classifier] the folder of a classifier of single symbols that weighs the answers, fetched likewise
 * @property {(progress: import('./download.js').Progress) => void} [onProgress] called while bytes come in, of the first model
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
export async function load(where, { second, classifier, onProgress = () => {}, expectedBytes, ort, wasm } = {}) {
  const downloads = new Downloads(onProgress, expectedBytes ?? null);
  const [runtime, model, binary] = await Promise.all([
    importRuntime(ort),
    folderUrl(where).then((folder) => readModel(folder, downloads)),
    wasm ? readWasm(wasm, downloads) : null,
  ]);
  if (binary) runtime.env.wasm.wasmBinary = binary;
  const reader = await openReader(runtime, model);
  const opinion = second === undefined ? null : new Later(() => openSecond(runtime, second, model.info));
  const weigher = classifier === undefined ? null : new Later(() => openClassifier(runtime, classifier, model.info));
  // The classifier is small and helps with every ink, so it goes first; `complete()` tells why one cannot be had.
  Promise.resolve(weigher?.ready()).catch(() => {}).then(() => opinion?.ready()).catch(() => {});
  return new Recognizer(reader, opinion, weigher);
}

/** @param {Ort} runtime @param {string | URL} where @param {import('./model.js').ModelInfo} first */
async function openClassifier(runtime, where, first) {
  const exported = await readClassifier(await folderUrl(where), new Downloads(() => {}));
  checkVocabulary(exported.info, first, 'classifier');
  return Classifier.open(runtime, exported);
}

/** @param {Ort} runtime @param {import('./model.js').ExportedModel} model */
async function openReader(runtime, { info, encoder, step }) {
  const network = await Network.open(runtime, encoder, step);
  if (network.vocabularySize !== info.vocabulary.length) {
    await network.close();
    throw new InkscanError('DamagedModel', `the vocabulary of ${info.name} is not that of its graphs; export it again`);
  }
  return new Reader(info, network);
}

/** @param {Ort} runtime @param {string | URL} where @param {import('./model.js').ModelInfo} first */
async function openSecond(runtime, where, first) {
  const model = await readModel(await folderUrl(where), new Downloads(() => {}));
  checkVocabulary(model.info, first, 'second model');
  return openReader(runtime, model);
}

/** @param {{vocabulary: string[]}} other @param {{vocabulary: string[]}} first @param {string} name */
function checkVocabulary(other, first, name) {
  if (String(other.vocabulary) === String(first.vocabulary)) return;
  throw new InkscanError('DamagedModel', `a ${name} needs the vocabulary of the first model`);
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
