// Later: what helps a model that reads already, made ready in the background.

import { InkscanError } from './errors.js';

export const CLOSED = 'the recogniser was closed; load it again';

/** @template {{close: () => Promise<void>}} T */
export class Later {
  #open;
  /** @type {Promise<T> | null} */
  #opening = null;
  /** @type {T | null} */
  #ready = null;
  #isClosed = false;

  /** @param {() => Promise<T>} open */
  constructor(open) {
    this.#open = open;
  }

  /** It if it is ready; if it is not, it is made so, in vain perhaps, and null has to do. */
  get now() {
    if (!this.#ready) this.ready().catch(() => {});
    return this.#ready;
  }

  /** It once it is ready; refused if it cannot be had, and tried again when it is asked for again. */
  ready() {
    if (this.#isClosed) return Promise.reject(new InkscanError('Unavailable', CLOSED));
    this.#opening ??= this.#open().then(
      (ready) => { this.#ready = ready; return ready; },
      (error) => { this.#opening = null; throw error; },
    );
    return this.#opening;
  }

  /** Give its memory back; what is not asked for yet is never opened. */
  async close() {
    this.#isClosed = true;
    const ready = await this.#opening?.catch(() => null);
    await ready?.close();
  }
}
