// Sheets: what is written is kept on this device at once, survives a reload or a crash, and can be taken up again.

import { newId } from './ink.js';

const CURRENT = 'inkscan-sheet'; // of this tab

/**
 * The sheet of this tab and all others.
 *
 * A sheet is {id, created, changed, strokes, latex, corrections}. Changes are written in turn, the newest state last; a sheet
 * without ink is not worth keeping.
 */
export class Sheets {
  #store;
  #current = fresh();
  #writing = null;
  #isDirty = false;
  #release = () => {};

  /** `store` is a promise: ink may come before it is open. */
  constructor(store) {
    this.#store = store;
    this.#claim(this.#current.id);
  }

  get current() { return this.#current; }

  /**
   * Take up the sheet of this tab, which is empty if it is not kept; a new tab takes the last one unless another tab has it
   * open. Not if somebody writes already.
   */
  async resume() {
    const sheets = await this.all();
    if (this.#current.strokes.length) return this.#current;
    const own = sessionStorage.getItem(CURRENT);
    const sheet = own ? sheets.find(({ id }) => id === own) : sheets[0];
    if (sheet && await this.#claim(sheet.id)) this.#enter(sheet);
    else this.#remember(); // empty, but this tab's own from now on
    return this.#current;
  }

  /** The sheets that have ink, the newest first. */
  async all() {
    await this.#writing;
    const sheets = await (await this.#store).all('sheets');
    return sheets.filter(({ strokes }) => strokes.length).sort((a, b) => b.changed - a.changed);
  }

  /** Note a change of the sheet at hand; resolves when it is kept. */
  keep(changes) {
    Object.assign(this.#current, changes, { changed: Date.now() });
    if (this.#current.strokes.length) this.#remember();
    this.#isDirty = true;
    this.#writing ??= this.#write();
    return this.#writing;
  }

  /** Begin an empty sheet; the one at hand stays among the others. */
  async begin() {
    await this.#writing;
    const sheet = fresh();
    await this.#claim(sheet.id);
    this.#enter(sheet);
    return sheet;
  }

  /** Take up a sheet again; false where another tab has it open. */
  async take(sheet) {
    await this.#writing;
    if (sheet.id === this.#current.id) return true;
    if (!await this.#claim(sheet.id)) return false;
    this.#enter(sheet);
    return true;
  }

  /** Delete a sheet; false where another tab has it open. */
  async remove(id) {
    await this.#writing;
    if (id !== this.#current.id && !await this.#isFree(id)) return false;
    await (await this.#store).remove('sheets', id);
    return true;
  }

  async #write() {
    try {
      const store = await this.#store;
      while (this.#isDirty) {
        this.#isDirty = false;
        const { id, strokes } = this.#current;
        if (strokes.length) await store.put('sheets', this.#current);
        else await store.remove('sheets', id);
      }
    } finally {
      this.#writing = null;
    }
  }

  #enter(sheet) {
    this.#current = sheet;
    this.#remember();
  }

  #remember() { sessionStorage.setItem(CURRENT, this.#current.id); }

  async #isFree(id) {
    return navigator.locks?.request(lockOf(id), { ifAvailable: true }, (lock) => lock !== null) ?? true;
  }

  /** Two tabs must not write over each other's sheet; without the browser's help (no https) the last one wins. */
  async #claim(id) {
    if (!navigator.locks) return true;
    const release = await new Promise((resolve) => {
      navigator.locks.request(lockOf(id), { ifAvailable: true }, (lock) => (lock
        ? new Promise((free) => { resolve(free); }) : resolve(null)));
    });
    if (!release) return false;
    this.#release();
    this.#release = release;
    return true;
  }
}

const lockOf = (id) => `inkscan-sheet-${id}`;

function fresh() {
  const now = Date.now();
  return { id: newId(), created: now, changed: now, strokes: [], latex: '', corrections: {} };
}
