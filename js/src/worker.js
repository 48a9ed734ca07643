// The recogniser as a module worker; `loadInWorker` is its client.

import { load } from './load.js';

/** @typedef {import('./recognizer.js').Recognizer} Recognizer */

/** @type {Recognizer} */
let recognizer;

const verbs = {
  /** @param {string} where @param {object} options */
  async load(where, options) {
    recognizer = await load(where, { ...options, onProgress: (progress) => postMessage({ progress }) });
    return { name: recognizer.name, licence: recognizer.licence, symbols: recognizer.symbols };
  },
  /** @param {Parameters<Recognizer['recognize']>} parameters */
  recognize: (...parameters) => recognizer.recognize(...parameters),
  /** @param {Parameters<Recognizer['typeset']>} parameters */
  typeset: (...parameters) => recognizer.typeset(...parameters),
};

addEventListener('message', async ({ data: { id, verb, parameters } }) => {
  try {
    postMessage({ id, value: await /** @type {any} */ (verbs)[verb](...parameters) });
  } catch (error) {
    const { name, code, message, position } = /** @type {any} */ (error);
    postMessage({ id, error: { name, code, message, position } });
  }
});
