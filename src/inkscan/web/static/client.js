// Clients of an inkscan server: a live session for pages that show an answer while one writes, and the verbs of the
// WICG handwriting API for programs that want one prediction.

import { placesOf } from './latex.js';

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 8000;
const MOST_ALTERNATIVES = 20; // that a server gives

/** A stroke {x, y, t?, p?}, each a list with a number for each point, as the server takes it: a copy, which does not grow with it. */
export function wire({ x, y, t = [], p = [] }) {
  if (x?.length === undefined || y?.length === undefined) throw new TypeError('A stroke is {x: [...], y: [...]}, with t (milliseconds) and p (pressure) if they are known.');
  return { x: [...x], y: [...y], ...(t.length === x.length ? { t: [...t] } : {}), ...(p.length === x.length ? { p: [...p] } : {}) };
}

/**
 * Keeps the server's copy of the ink equal to ours and hands on its answers.
 *
 * Events: "answer" (detail: the answer, with the `strokes` it is about, their `strokeIds`, and `roundTrip` in ms), "failure" (detail:
 * {code, message}) and "state" (detail: "connecting", "online" or "offline"). Offline, the newest ink waits and is sent when
 * the server is back.
 */
export class LiveClient extends EventTarget {
  #url;
  #options;
  #key;
  #socket = null;
  #wanted = []; // {stroke, ink} that the server should have
  #sent = []; // those that it has
  #inStep = true; // until it refuses a change: then it does not have what we sent
  #messages = new Map(); // id of a message -> {strokes, time}
  #number = 0;
  #retry = FIRST_RETRY_MS;
  #timer = 0;
  #closing = new AbortController();
  state = 'connecting';

  constructor({ server = '.', options = {}, key = '' } = {}) {
    super();
    const url = addressOf('v1/live', server);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    this.#url = url;
    this.#options = options;
    this.#key = key;
    addEventListener('online', () => this.reconnect(), { signal: this.#closing.signal });
    this.#connect();
  }

  set key(key) {
    this.#key = key;
    this.reconnect();
  }

  /** Tell the server what the ink is now: all strokes, as `wire` takes them. */
  update(strokes) {
    this.#wanted = strokes.map((stroke) => ({ stroke, ink: wire(stroke) }));
    this.#push();
  }

  /** Try at once instead of after the pause. */
  reconnect() {
    if (this.state === 'online' || this.state === 'closed') return;
    clearTimeout(this.#timer);
    this.#socket?.close();
    this.#connect();
  }

  close() {
    this.state = 'closed';
    this.#closing.abort();
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #connect() {
    const socket = new WebSocket(this.#url);
    this.#socket = socket;
    socket.addEventListener('open', () => {
      if (socket !== this.#socket) return;
      this.#messages.clear();
      this.#sent = [];
      this.#send({ ...(this.#key ? { key: this.#key } : {}), options: this.#options, set: inksOf(this.#wanted) });
      this.#enter('online'); // who hears it may send more: the key comes first
    });
    socket.addEventListener('message', ({ data }) => { if (socket === this.#socket) this.#receive(JSON.parse(data)); });
    socket.addEventListener('close', () => { if (socket === this.#socket) this.#wait(); });
  }

  #wait() {
    this.#enter('offline');
    this.#timer = setTimeout(() => this.#connect(), this.#retry);
    this.#retry = Math.min(2 * this.#retry, LAST_RETRY_MS);
  }

  #enter(state) {
    if (state === this.state) return;
    this.state = state;
    this.dispatchEvent(new CustomEvent('state', { detail: state }));
  }

  /** Send the difference between what the server has and what it should have. */
  #push() {
    if (this.state !== 'online') return;
    const lengths = new Map(this.#wanted.map(({ stroke, ink }) => [stroke, ink.x.length]));
    const isWanted = ({ stroke, ink }) => lengths.get(stroke) === ink.x.length; // not if it has grown
    const remove = this.#sent.flatMap((one, i) => (isWanted(one) ? [] : [i]));
    const kept = this.#sent.filter(isWanted);
    if (!this.#inStep || !kept.every(({ stroke }, i) => stroke === this.#wanted[i].stroke)) {
      this.#inStep = true;
      this.#send({ set: inksOf(this.#wanted) });
      return;
    }
    const add = inksOf(this.#wanted.slice(kept.length));
    // Without a difference (a clear undone before it was sent) the answer is still wanted: ask for it again.
    this.#send({ ...(remove.length ? { remove } : {}), ...(add.length ? { add } : {}) });
  }

  #send(message) {
    this.#number += 1;
    this.#sent = this.#wanted;
    this.#messages.set(this.#number, { strokes: this.#wanted.map(({ stroke }) => stroke), time: performance.now() });
    this.#socket.send(JSON.stringify({ id: this.#number, ...message }));
  }

  #receive(reply) {
    if (reply.type === 'error') {
      this.#inStep = false;
      this.dispatchEvent(new CustomEvent('failure', { detail: reply.error }));
      return;
    }
    this.#retry = FIRST_RETRY_MS; // not before: a server that refuses accepts first, then it closes
    const message = this.#messages.get(reply.id);
    if (!message) return;
    for (const id of [...this.#messages.keys()]) if (id < reply.id) this.#messages.delete(id);
    const { strokes, time } = message;
    const detail = { ...reply, strokes, strokeIds: strokes.map(({ id }) => id), roundTrip: performance.now() - time };
    this.dispatchEvent(new CustomEvent('answer', { detail }));
  }
}

const inksOf = (wanted) => wanted.map(({ ink }) => ink);

/** The address of a path of a server, which may lie in a folder. */
export const addressOf = (path, server) => new URL(path, new URL(server.endsWith('/') ? server : `${server}/`, document.baseURI));

/** A POST to the server; throws an Error with `code` where it refuses. */
export async function post(path, body, { server = '.', key = '' } = {}) {
  const headers = { 'Content-Type': 'application/json', ...(key ? { Authorization: `Bearer ${key}` } : {}) };
  const response = await fetch(addressOf(path, server), { method: 'POST', headers, body: JSON.stringify(body) });
  const value = await response.json();
  if (response.ok) return value;
  throw Object.assign(new Error(value.error?.message ?? response.statusText), { code: value.error?.code });
}

/** A stroke of the WICG handwriting API. */
export class HandwritingStroke {
  #points = [];
  addPoint({ x, y, t }) { this.#points.push({ x, y, ...(t === undefined ? {} : { t }) }); }
  getPoints() { return this.#points.map((point) => ({ ...point })); }
  clear() { this.#points = []; }
}

/** A drawing of the WICG handwriting API: strokes go in, predictions come out. */
class HandwritingDrawing {
  #strokes = [];
  #options;
  #hints;

  constructor(options, hints) {
    this.#options = options;
    this.#hints = hints;
  }

  addStroke(stroke) { this.#strokes.push(stroke); }
  removeStroke(stroke) { this.#strokes = this.#strokes.filter((other) => other !== stroke); }
  clear() { this.#strokes = []; }
  getStrokes() { return [...this.#strokes]; }

  /** The likeliest readings first; the first one says which strokes write each of its symbols. */
  async getPrediction() {
    const drawn = this.#strokes
      .map((stroke, strokeIndex) => ({ strokeIndex, points: stroke.getPoints() }))
      .filter(({ points }) => points.length);
    if (!drawn.length) return [];
    const strokes = drawn.map(({ points }) => ({ x: points.map(({ x }) => x), y: points.map(({ y }) => y) }));
    const n_best = Math.round(Math.min(Math.max(this.#hints.alternatives ?? 3, 1), MOST_ALTERNATIVES));
    const answer = await post('v1/recognize', { strokes, n_best }, this.#options);
    const begins = placesOf(answer.tokens, answer.latex);
    return answer.alternatives.map(({ latex, mathml, probability }, i) => ({
      text: latex,
      mathml,
      probability,
      segmentationResult: i > 0 ? [] : answer.symbols.map((symbol) => ({
        grapheme: symbol.token,
        beginIndex: begins[symbol.index],
        endIndex: begins[symbol.index] + symbol.token.length,
        drawingSegments: symbol.strokes.map((i) => ({
          strokeIndex: drawn[i].strokeIndex, beginPointIndex: 0, endPointIndex: drawn[i].points.length,
        })),
      })),
    }));
  }
}

/** As navigator.createHandwritingRecognizer, for mathematics and an inkscan server. */
export async function createHandwritingRecognizer({ server = '.', key = '' } = {}) {
  return {
    startDrawing: (hints = {}) => new HandwritingDrawing({ server, key }, hints),
    finish: () => {},
  };
}
