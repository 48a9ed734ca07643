// The recogniser as a module worker; `loadInWorker` is its client.

import { load } from './load.js';

/** @typedef {import('./recognizer.js').Recognizer} Recognizer */

/** @type {Recognizer} */
let recognizer;

/** @type {Map<number, AbortController>} */
const running = new Map();

const verbs = {
  /** @param {number} _ @param {string} where @param {object} options */
  async load(_, where, options) {
    recognizer = await load(where, { ...options, onProgress: (progress) => postMessage({ progress }) });
    return { name: recognizer.name, licence: recognizer.licence, symbols: recognizer.symbols };
  },
  /** @param {number} id @param {Parameters<Recognizer['recognize']>} parameters */
  recognize: (id, ...[strokes, options]) => cancellable(id, (signal) => recognizer.recognize(strokes, { ...options, signal })),
  /** @param {number} id @param {Parameters<Recognizer['sheet']>} parameters */
  sheet: (id, ...[strokes, options]) => cancellable(id, (signal) => recognizer.sheet(strokes, { ...options, signal })),
  complete: () => recognizer.complete(),
  /** @param {number} _ @param {Parameters<Recognizer['typeset']>} parameters */
  typeset: (_, ...parameters) => recognizer.typeset(...parameters),
};

/**
 * @template T
 * @param {number} id
 * @param {(signal: AbortSignal) => Promise<T>} work
 * @returns {Promise<T>}
 */
function cancellable(id, work) {
  const controller = new AbortController();
  running.set(id, controller);
  return work(controller.signal).finally(() => running.delete(id));
}

/** @param {number} id @param {keyof typeof verbs} verb @param {any[]} parameters */
async function answer(id, verb, parameters) {
  try {
    postMessage({ id, value: await /** @type {any} */ (verbs)[verb](id, ...parameters) });
  } catch (error) {
    const { name, code, message, position } = /** @type {any} */ (error);
    postMessage({ id, error: { name, code, message, position } });
  }
}

addEventListener('message', ({ data: { id, verb, parameters } }) => {
  if (verb === 'cancel') running.get(parameters[0])?.abort();
  else answer(id, verb, parameters);
});
