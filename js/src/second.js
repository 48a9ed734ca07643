// SecondOpinion: a model that is asked where another one is in doubt, made ready in the background.

/** @typedef {import('./reader.js').Reader} Reader */

/** Until it is ready, and where it cannot be had, the first model's answers have to do. */
export class SecondOpinion {
  #open;
  /** @type {Promise<Reader> | null} */
  #opening = null;
  /** @type {Reader | null} */
  #reader = null;

  /** @param {() => Promise<Reader>} open */
  constructor(open) {
    this.#open = open;
  }

  /** The model if it is ready; if it is not, it is made so, in vain perhaps. */
  get reader() {
    if (!this.#reader) this.ready().catch(() => {});
    return this.#reader;
  }

  /** The model once it is ready; refused if it cannot be had, and tried again when it is asked for again. */
  ready() {
    this.#opening ??= this.#open().then(
      (reader) => { this.#reader = reader; return reader; },
      (error) => { this.#opening = null; throw error; },
    );
    return this.#opening;
  }

  /** Give the model's memory back. */
  async close() {
    const reader = await this.#opening?.catch(() => null);
    await reader?.close();
  }
}
