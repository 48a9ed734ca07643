// RemoteRecognizer: the recogniser in a Web Worker, so that the page stays free while it reads.

import { InkscanError } from './errors.js';
import { folderUrl } from './load.js';
import { checkedOptions } from './search.js';

/** @typedef {import('./load.js').LoadOptions} LoadOptions */
/** @typedef {import('./recognizer.js').Recognition} Recognition */
/** @typedef {Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>} WorkerLike */
/** @typedef {{resolve: (value: any) => void, reject: (error: Error) => void}} Waiting */
/** @typedef {{name: string, licence: string, symbols: string[]}} About the model */

/**
 * As `load`, in a worker of its own. `ort` is the address of its module here: a module cannot be sent to a worker.
 * @param {string | URL} where
 * @param {Omit<LoadOptions, 'ort'> & {ort?: string, worker?: WorkerLike}} options
 */
export async function loadInWorker(where, { second, classifier, onProgress = () => {}, worker = newWorker(), ...options } = {}) {
  const folders = [where, second, classifier].map(async (folder) => folder && (await folderUrl(folder)).href);
  const [first, other, weigher] = await Promise.all(folders);
  return RemoteRecognizer.open(worker, onProgress, /** @type {string} */ (first), { second: other, classifier: weigher, ...options });
}

/** Browsers start workers of the page's own host only; one of its own may import another's. @returns {Worker} */
function newWorker() {
  const { origin, href } = new URL('./worker.js', import.meta.url);
  if (origin === location.origin) return new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  const script = URL.createObjectURL(new Blob([`import ${JSON.stringify(href)};`], { type: 'text/javascript' }));
  return new Worker(script, { type: 'module' });
}

/** The API of `Recognizer`; each call is a message to the worker. */
export class RemoteRecognizer {
  #worker;
  #onProgress;
  #isOpen = true;
  #calls = 0;
  /** @type {Map<number, Waiting>} */
  #waiting = new Map();
  /** @type {About} */
  #about = { name: '', licence: '', symbols: [] };

  /** @param {WorkerLike} worker @param {NonNullable<LoadOptions['onProgress']>} onProgress */
  constructor(worker, onProgress) {
    this.#worker = worker;
    this.#onProgress = onProgress;
    worker.onmessage = ({ data }) => this.#receive(data);
    worker.onerror = (event) => this.#fail(event.message ?? 'it could not be started');
  }

  /**
   * @param {WorkerLike} worker
   * @param {NonNullable<LoadOptions['onProgress']>} onProgress
   * @param {string} where
   * @param {object} options
   */
  static async open(worker, onProgress, where, options) {
    const recognizer = new RemoteRecognizer(worker, onProgress);
    try {
      recognizer.#about = await recognizer.#call('load', [where, options]);
    } catch (error) {
      worker.terminate();
      throw error;
    }
    return recognizer;
  }

  get name() {
    return this.#about.name;
  }

  get licence() {
    return this.#about.licence;
  }

  get symbols() {
    return this.#about.symbols;
  }

  /**
   * @param {import('./ink.js').InkLike} strokes
   * @param {import('./search.js').Options} options
   * @returns {Promise<Recognition>}
   */
  recognize(strokes, options = {}) {
    return this.#read('recognize', strokes, options);
  }

  /**
   * @param {import('./ink.js').InkLike} strokes
   * @param {import('./search.js').Options} options
   * @returns {ReturnType<import('./recognizer.js').Recognizer['sheet']>}
   */
  sheet(strokes, options = {}) {
    return this.#read('sheet', strokes, options);
  }

  /**
   * @param {{latex: string} | {tokens: readonly string[]}} value
   * @returns {Promise<import('./latex.js').Typeset>}
   */
  typeset(value) {
    return this.#call('typeset', [value]);
  }

  /** @returns {Promise<void>} */
  complete() {
    return this.#call('complete', []);
  }

  /** Ends the worker; calls that wait, and those that come later, are refused with `request.unavailable`. */
  async close() {
    this.#isOpen = false;
    this.#worker.terminate();
    this.#fail('it was closed');
  }

  /** @param {string} verb @param {unknown} strokes @param {import('./search.js').Options} options @returns {Promise<any>} */
  async #read(verb, strokes, options) {
    const { signal, ...others } = checkedOptions(options);
    const answer = this.#call(verb, [strokes, others]);
    const id = this.#calls;
    const cancel = () => this.#worker.postMessage({ verb: 'cancel', parameters: [id] });
    if (signal?.aborted) cancel();
    signal?.addEventListener('abort', cancel);
    return answer.finally(() => signal?.removeEventListener('abort', cancel));
  }

  /** @param {string} verb @param {unknown[]} parameters @returns {Promise<any>} */
  #call(verb, parameters) {
    this.#calls += 1;
    const id = this.#calls;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      if (!this.#isOpen) this.#fail('it was closed');
      else if (!this.#posted({ id, verb, parameters })) {
        this.#waiting.delete(id);
        reject(new InkscanError('BadRequest', 'what was given is not data, such as lists of numbers'));
      }
    });
  }

  /** Whether a message went to the worker: functions and the like cannot. @param {{id: number, verb: string, parameters: unknown[]}} message */
  #posted(message) {
    try {
      this.#worker.postMessage(message);
      return true;
    } catch {
      return false;
    }
  }

  /** @param {any} message */
  #receive({ id, progress, value, error }) {
    if (progress) {
      this.#onProgress(progress);
      return;
    }
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.reject(fromWire(error));
    else waiting?.resolve(value);
  }

  /** @param {string} why */
  #fail(why) {
    for (const { reject } of this.#waiting.values()) {
      reject(new InkscanError('Unavailable', `the recogniser's worker does not answer: ${why}`));
    }
    this.#waiting.clear();
  }
}

/** @param {{name: any, code?: string, message: string, position: number | null}} error */
function fromWire({ name, code, message, position }) {
  return code === undefined ? Object.assign(new Error(message), { name }) : new InkscanError(name, message, position);
}
