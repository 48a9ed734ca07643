// <ink-math>: a field for handwritten mathematics in any page.
//
//   <script type="module" src="https://ink.example/static/ink-math.js"></script>
//   <ink-math server="https://ink.example"></ink-math>
//
// What stands between the tags is shown only where this file cannot be loaded: the place to say so.
// `value` is the LaTeX, `mathml` its MathML, `ink` the InkML; "input" is fired with each new answer. Attributes: server (default:
// the model in this browser if this file came with one, else the server where it came from), key, name (takes part in forms), height.

import { fitFormula, showFormula } from './formula.js';
import { fitted } from './ink.js';
import { readInk, toInkml } from './inkfile.js';
import { PAUSE_MS, Reader, hasLocal } from './reader.js';
import { InkSurface } from './surface.js';

const HOME = new URL('..', import.meta.url).href;
const STYLE = `
  :host { display: block; --paper: light-dark(#fffefb, #171a23); --edge: light-dark(#d8d5cc, #2d3240); --ink: light-dark(#1c2440, #eceaf2);
    --ink-faint: light-dark(#cfd3df, #434a5c); --accent: light-dark(#2743c4, #93a7ff); --accent-soft: light-dark(#c9d3ff, #2f3d7c);
    --doubt-soft: light-dark(#ffdf9e, #5c4415); --danger: light-dark(#c6303a, #ff7b7f); --heat: light-dark(#d8442f, #ff8a5c);
    --text: light-dark(#22263a, #e6e6ee); --text-soft: light-dark(#6b7080, #9aa0b3);
    font: 15px/1.4 system-ui, sans-serif; color: var(--text); border: 1px solid var(--edge); border-radius: 12px; overflow: hidden; background: var(--paper) }
  .formula { height: 4.8rem; box-sizing: border-box; display: flex; align-items: center; padding: .3rem .8rem; font-size: 1.5rem; overflow: auto;
    border-bottom: 1px solid var(--edge) }
  .formula math { margin: auto }
  .formula:empty::after { margin: auto; content: attr(data-hint); color: var(--text-soft); font-size: .95rem }
  .sheet { position: relative; height: var(--height, 12rem) }
  canvas { position: absolute; inset: 0; width: 100%; height: 100%; cursor: crosshair; touch-action: none }
  .notice { margin: 0; padding: .35rem .8rem; font-size: .85rem; color: var(--danger); border-top: 1px solid var(--edge) }
  .notice:empty { display: none }
  .tools { position: absolute; right: 8px; bottom: 8px; display: flex; gap: 2px }
  button { font: 500 13px system-ui, sans-serif; color: var(--text-soft); background: var(--paper); border: 1px solid var(--edge); border-radius: 8px;
    min-height: 32px; padding: 0 .6rem; cursor: pointer }
  button:disabled { opacity: .4 } :focus-visible { outline: 2px solid var(--accent); outline-offset: 1px } canvas:focus-visible { outline-offset: -2px }`;

export class InkMath extends HTMLElement {
  static formAssociated = true;
  static observedAttributes = ['height'];
  #internals = this.attachInternals();
  #surface = null;
  #reader = null;
  #answer = null;
  #refusal = ''; // the server's own words, which say more than that the line is cut
  #timer = 0;
  #early = ''; // ink set before the element stood in a page

  /** The LaTeX of the ink. */
  get value() { return this.#answer?.latex ?? ''; }
  get mathml() { return this.#answer?.mathml ?? ''; }
  get confidence() { return this.#answer?.confidence ?? null; }
  get ink() { return this.#surface?.strokes.length ? toInkml(this.#surface.strokes, this.value) : ''; }
  set ink(text) {
    if (!this.#surface) {
      this.#early = text;
      return;
    }
    const { width, height } = this.#surface.size;
    this.#surface.replace(fitted(readInk(text), width, height, 16));
  }

  clear() { this.#surface?.clear(); }
  undo() { this.#surface?.undo(); }
  redo() { this.#surface?.redo(); }
  formResetCallback() { this.clear(); }

  async connectedCallback() {
    if (!this.shadowRoot) this.#build();
    if (this.#early) [this.ink, this.#early] = [this.#early, ''];
    const server = this.getAttribute('server');
    const place = server === null && await hasLocal() ? 'device' : 'server';
    if (!this.isConnected || this.#reader) return; // it left, or came again, meanwhile
    this.#read(new Reader({
      server: server ?? HOME, place, key: this.getAttribute('key') ?? '', options: { formats: ['latex', 'mathml'], n_best: 1 },
    }), server ?? HOME);
  }

  disconnectedCallback() {
    this.#reader?.close();
    this.#reader = null;
  }

  attributeChangedCallback(_, __, height) { this.style.setProperty('--height', height); }

  #read(reader, server) {
    this.#reader = reader;
    reader.addEventListener('answer', ({ detail: { lines } }) => {
      this.#refusal = this.#notice.textContent = '';
      if (this.#surface.strokes.length) this.#take(lines[0] ?? null);
    });
    reader.addEventListener('failure', ({ detail }) => { this.#refusal = this.#notice.textContent = detail.message; });
    reader.addEventListener('progress', ({ detail: { loaded } }) => {
      this.#notice.textContent = `Loading the model, once: ${(loaded / 1e6).toFixed(1)} MB`;
    });
    reader.addEventListener('state', ({ detail }) => {
      const away = `No connection to ${server.replace(/\/$/, '')}. Your ink is kept and read when the server answers.`;
      if (detail === 'online') this.#notice.textContent = '';
      if (detail === 'offline') this.#notice.textContent = this.#refusal || away;
    });
    if (this.#surface.strokes.length) reader.read(this.#surface.strokes);
  }

  get #formula() { return this.shadowRoot.querySelector('.formula'); }
  get #notice() { return this.shadowRoot.querySelector('.notice'); }

  #build() {
    this.attachShadow({ mode: 'open', delegatesFocus: true }).innerHTML = `<style>${STYLE}</style>
      <div class="formula" role="status" aria-live="polite" data-hint="Write a formula below"></div>
      <div class="sheet"><canvas tabindex="0" role="img" aria-label="Writing area"></canvas>
      <div class="tools"><button type="button" data-do="undo" disabled>Undo</button><button type="button" data-do="clear" disabled>Clear</button></div></div>
      <p class="notice" role="status"></p>`;
    this.#surface = new InkSurface(this.shadowRoot.querySelector('canvas'));
    this.#surface.addEventListener('change', () => this.#changed());
    this.shadowRoot.addEventListener('keydown', (event) => this.#key(event));
    for (const button of this.shadowRoot.querySelectorAll('button')) {
      button.addEventListener('click', () => this[button.dataset.do]());
    }
  }

  #key(event) {
    const key = event.key.toLowerCase();
    if (!(event.ctrlKey || event.metaKey) || !['z', 'y'].includes(key)) return;
    event.preventDefault();
    if (key === 'y' || event.shiftKey) this.redo();
    else this.undo();
  }

  #changed() {
    const [undo, clear] = this.shadowRoot.querySelectorAll('button');
    undo.disabled = !this.#surface.canUndo;
    clear.disabled = !this.#surface.strokes.length;
    if (this.#answer && !this.#surface.strokes.length) this.#take(null); // without waiting for a server that may be away
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#reader?.read(this.#surface.strokes), PAUSE_MS);
  }

  #take(answer) {
    this.#answer = answer;
    if (answer) {
      showFormula(this.#formula, answer.mathml);
      fitFormula(this.#formula);
    } else this.#formula.replaceChildren();
    this.#internals.setFormValue(this.value);
    this.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  }
}

/** A font can be declared for a whole document only, not inside the field. */
const fonts = document.createElement('link');
Object.assign(fonts, { rel: 'stylesheet', href: new URL('fonts.css', import.meta.url).href });
document.head.append(fonts);

customElements.define('ink-math', InkMath);
