// What reads the ink: a server, or the model in this browser. The rest of the page does not know which.

import { LiveClient, addressOf, post, wire } from './client.js';

/** From pen-up to recognition. */
export const PAUSE_MS = 60;

const AGAIN_MS = 1000; // after a request that nobody answered, or that came too early

// Fetched with the page: when the server is away it is too late.
const local = import('./local.js').catch(() => ({ openLocal: null }));

/** Whether a model was built into this page. */
export const hasLocal = async () => Boolean((await local).openLocal);

/**
 * Reads the newest ink, one request at a time.
 *
 * `place` says where it begins: "server" (the model in the browser takes over while the server is away, if there is one) or
 * "device". `isSheet`: the ink is parted into lines; else it is one formula.
 *
 * Events: "answer" (detail: {strokes, lines, roundTrip}; a line is a reply of /v1/recognize with `strokes`, the numbers of its own
 * among those asked about), "failure" ({code, message}), "progress" ({loaded, total}) and "state". States: "connecting", "loading" (the
 * model), "online" and "offline".
 */
export class Reader extends EventTarget {
  #server;
  #key;
  #options;
  #isSheet;
  #live = null; // tells whether the server is there, and reads single formulas
  #device = null; // a promise of the model in this browser
  #isReady = false; // it has been loaded
  #next = null;
  #again = 0; // a timer: until then nothing is asked
  #isBusy = false;
  #isClosed = false;
  state = 'connecting';
  place;
  hasSheets = true;

  constructor({ server = '.', key = '', options = {}, isSheet = false, place = 'server' } = {}) {
    super();
    this.#server = server;
    this.#key = key;
    this.#options = options;
    this.#isSheet = isSheet;
    this.place = place;
    if (place === 'device') this.#useDevice();
    else this.#connect();
  }

  set key(key) {
    this.#key = key;
    if (this.#live) this.#live.key = key;
  }

  set options(options) { this.#options = options; }

  /** Read these strokes; what was asked before and is not begun yet is forgotten. */
  read(strokes) {
    this.#next = [...strokes];
    this.#pump();
  }

  /** {latex, tokens, mathml} of `{latex}` or `{tokens}`. */
  async typeset(what) {
    const device = this.place === 'device' ? await this.#device : null;
    return device?.typeset ? device.typeset(what) : post('v1/typeset', what, { server: this.#server, key: this.#key });
  }

  /** {model, licence, symbols, version?} of what reads now. */
  async about() {
    if (this.place === 'server') return (await fetch(addressOf('v1/model', this.#server))).json();
    const { name = 'model', licence = '', symbols = [] } = (await this.#device) ?? {};
    return { model: name, licence, symbols };
  }

  /** Load the model in this browser, if there is one: when the server is gone, so are the model's files. */
  async prepare() {
    const { connection } = /** @type {any} */ (navigator); // not of all browsers
    if (!connection?.saveData) await this.#openDevice();
  }

  close() {
    this.#isClosed = true;
    this.#live?.close();
  }

  #connect() {
    const live = new LiveClient({ server: this.#server, key: this.#key, options: this.#isSheet ? { formats: ['latex'] } : this.#options });
    this.#live = live;
    live.addEventListener('state', ({ detail }) => {
      if (detail === 'online') this.#enter('online', 'server');
      else if (detail === 'offline') this.#useDevice();
    });
    live.addEventListener('failure', ({ detail }) => this.#tell('failure', detail));
    live.addEventListener('answer', ({ detail }) => { if (!this.#isSheet) this.#takeLive(detail); });
  }

  /** The server is away, or not wanted. */
  async #useDevice() {
    const isMissing = () => !this.#isReady && this.#live?.state !== 'online';
    if (await hasLocal() && isMissing()) this.#enter('loading', 'device');
    const device = await this.#openDevice();
    if (this.#live?.state === 'online') return;
    if (device) this.#enter('online', 'device');
    else this.#enter('offline', this.#live ? 'server' : 'device');
  }

  #openDevice() {
    this.#device ??= this.#load().then((device) => {
      this.#isReady = Boolean(device);
      if (!device) this.#device = null; // perhaps it can be loaded later
      return device;
    });
    return this.#device;
  }

  async #load() {
    const { openLocal } = await local;
    try {
      return await openLocal?.((progress) => this.#tell('progress', progress)) ?? null;
    } catch (error) {
      const message = `The model could not be loaded: ${error.message}`;
      if (!this.#live) this.#tell('failure', { code: error.code ?? 'local', message }); // else it is missed only if the server goes
      return null;
    }
  }

  #enter(state, place = this.place) {
    if (this.#isClosed || (state === this.state && place === this.place)) return;
    if (place !== this.place) this.hasSheets = true; // until it says otherwise
    this.state = state;
    this.place = place;
    clearTimeout(this.#again);
    this.#again = 0;
    this.#tell('state', state);
    this.#pump();
  }

  async #pump() {
    if (this.#isBusy || this.#again || !this.#next || this.state !== 'online' || this.#isClosed) return;
    const strokes = this.#next;
    this.#next = null;
    if (this.place === 'server' && !this.#isSheet) {
      this.#live.update(strokes);
      return;
    }
    this.#isBusy = true;
    const { place } = this;
    const start = performance.now();
    try {
      const lines = strokes.length ? await this.#lines(strokes) : [];
      this.#tell('answer', { strokes, lines, roundTrip: performance.now() - start });
    } catch (error) {
      this.#fail(error, strokes, place);
    }
    this.#isBusy = false;
    this.#pump();
  }

  #fail(error, strokes, place) {
    const isOnlyLater = !error.code && place === 'server';
    if (!isOnlyLater && error.code !== 'request.overloaded') {
      this.#tell('failure', { code: error.code ?? 'local', message: error.message });
      return;
    }
    this.#next ??= strokes; // newer ink takes its place
    this.#again = setTimeout(() => { this.#again = 0; this.#pump(); }, AGAIN_MS);
  }

  async #lines(strokes) {
    const ink = strokes.map(({ x, y }) => wire({ x, y })); // time and pressure would double it, and tell the model nothing
    const all = strokes.map((_, i) => i);
    if (this.place === 'device') {
      const device = await this.#device;
      if (this.#isSheet && device.sheet) return (await device.sheet(ink, this.#options)).lines;
      this.hasSheets = false;
      return [{ ...await device.recognize(ink, this.#options), strokes: all }];
    }
    const ask = (path) => post(path, { strokes: ink, ...this.#options }, { server: this.#server, key: this.#key });
    if (this.hasSheets) {
      try {
        return (await ask('v1/sheet')).lines;
      } catch (error) {
        if (error.code !== 'request.not_found') throw error;
        this.hasSheets = false; // an older server reads one formula
      }
    }
    return [{ ...await ask('v1/recognize'), strokes: all }];
  }

  #takeLive({ strokes: asked, roundTrip, ...reply }) {
    const all = asked.map((_, i) => i);
    this.#tell('answer', { strokes: asked, lines: reply.latex === undefined ? [] : [{ ...reply, strokes: all }], roundTrip });
  }

  #tell(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail })); }
}
