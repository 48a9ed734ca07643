// <ink-math>: a field for handwritten mathematics in any page.
//
//   <script type="module" src="https://ink.example/static/ink-math.js"></script>
//   <ink-math server="https://ink.example"></ink-math>
//
// What stands between the tags is shown only where this file cannot be loaded: the place to say so.
// `value` is the LaTeX, `mathml` its MathML, `ink` the InkML; "input" is fired with each new answer. While there is ink that `value`
// does not tell, the field is `pending` and not valid. Attributes: server (default: the model in this browser if this file came with one,
// else the server where it came from), api-key (or key, which frameworks keep for themselves), name (takes part in forms), height, disabled.

import { fitFormula, showFormula } from './formula.js';
import { fitted } from './ink.js';
import { readInk, toInkml } from './inkfile.js';
import { PAUSE_MS, Reader, hasLocal } from './reader.js';
import { InkSurface } from './surface.js';

const MARGIN = 16; // pixels around ink from outside
const HOME = new URL('..', import.meta.url).href;
const STYLE = `
  :host { display: block; --paper: light-dark(#fffefb, #171a23); --edge: light-dark(#d8d5cc, #2d3240); --ink: light-dark(#1c2440, #eceaf2);
    --ink-faint: light-dark(#cfd3df, #434a5c); --accent: light-dark(#2743c4, #93a7ff); --accent-soft: light-dark(#c9d3ff, #2f3d7c);
    --doubt-soft: light-dark(#ffdf9e, #5c4415); --danger: light-dark(#c6303a, #ff7b7f); --heat: light-dark(#d03e29, #ff8a5c);
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
  .sheet[inert] { opacity: .4 }
  button:disabled { opacity: .4 } :focus-visible { outline: 2px solid var(--accent); outline-offset: 1px } canvas:focus-visible { outline-offset: -2px }`;

export class InkMath extends HTMLElement {
  static formAssociated = true;
  static observedAttributes = ['height', 'server', 'api-key', 'key'];
  #internals = this.attachInternals();
  #surface = null;
  #reader = null;
  #answer = null;
  #read = []; // the strokes that it is about
  #refusal = ''; // the server's own words, which say more than that the line is cut
  #timer = 0;
  #unfitted = null; // ink from outside that waits for the field to have a size

  constructor() {
    super();
    this.#build();
  }

  /** The LaTeX of the ink. */
  get value() { return this.#answer?.latex ?? ''; }
  get mathml() { return this.#answer?.mathml ?? ''; }
  get confidence() { return this.#answer?.confidence ?? null; }
  get ink() { return this.#surface.strokes.length ? toInkml(this.#surface.strokes, this.value) : ''; }
  set ink(text) {
    if (!text) {
      this.clear();
      return;
    }
    this.#surface.replace(readInk(text));
    this.#unfitted = this.#surface.strokes;
    this.#fit();
  }

  /** Whether there is ink that the value does not tell: it is still being read, or it could not be. */
  get pending() {
    const { strokes } = this.#surface;
    return strokes.length !== this.#read.length || strokes.some((stroke, i) => stroke !== this.#read[i]);
  }

  get validity() { return this.#internals.validity; }
  get validationMessage() { return this.#internals.validationMessage; }
  checkValidity() { return this.#internals.checkValidity(); }
  reportValidity() { return this.#internals.reportValidity(); }

  clear() { this.#surface.clear(); }
  undo() { this.#surface.undo(); }
  redo() { this.#surface.redo(); }

  formResetCallback() { this.clear(); }

  formDisabledCallback(isDisabled) {
    this.#surface.isLocked = this.shadowRoot.querySelector('.sheet').inert = isDisabled;
    if (isDisabled) this.#surface.drop();
  }

  connectedCallback() {
    this.#name();
    this.#open();
  }

  disconnectedCallback() {
    this.#surface.drop();
    this.#close();
  }

  attributeChangedCallback(name, before, value) {
    if (name === 'height') this.style.setProperty('--height', value);
    else if (this.#reader && value !== before) {
      this.#close();
      this.#open();
    }
  }

  async #open() {
    const isLocal = await hasLocal();
    if (!this.isConnected || this.#reader) return; // it left, or came again, meanwhile
    const server = this.getAttribute('server');
    this.#listen(new Reader({
      server: server ?? HOME,
      place: server === null && isLocal ? 'device' : 'server',
      key: this.getAttribute('api-key') ?? this.getAttribute('key') ?? '',
      options: { formats: ['latex', 'mathml'], n_best: 1 },
    }), server ?? HOME);
  }

  #close() {
    this.#reader?.close();
    this.#reader = null;
    this.#refusal = '';
    this.#notify('');
  }

  #listen(reader, server) {
    this.#reader = reader;
    const on = (name, listener) => reader.addEventListener(name, ({ detail }) => { if (reader === this.#reader) listener(detail); });
    on('answer', ({ strokes, lines }) => {
      if (this.#surface.strokes.length && strokes.length) this.#take(lines[0] ?? null, strokes);
      this.#refusal = '';
      this.#notify('');
    });
    on('failure', ({ message }) => {
      this.#refusal = message;
      this.#notify(message);
    });
    on('progress', ({ loaded }) => this.#notify(`Loading the model, once: ${(loaded / 1e6).toFixed(1)} MB`));
    on('state', (state) => {
      const away = `No connection to ${server.replace(/\/$/, '')}. Your ink is kept and read when the server answers.`;
      if (state === 'online') this.#notify('');
      if (state === 'offline') this.#notify(this.#refusal || away);
    });
    if (this.#surface.strokes.length) reader.read(this.#surface.strokes);
  }

  /** Ink from outside gets the size of the field, as soon as that is shown. */
  #fit() {
    const { strokes, size } = this.#surface;
    if (strokes !== this.#unfitted) return;
    const ink = fitted(strokes, size.width, size.height, MARGIN);
    if (ink === strokes) return;
    this.#unfitted = null;
    this.#surface.refit(ink);
  }

  get #formula() { return this.shadowRoot.querySelector('.formula'); }
  get #notice() { return this.shadowRoot.querySelector('.notice'); }

  #notify(text) {
    this.#notice.textContent = text;
    this.#validate();
  }

  #validate() {
    const message = this.pending ? this.#notice.textContent || 'The ink is still being read.' : '';
    this.#internals.setValidity({ customError: this.pending }, message, this.shadowRoot.querySelector('canvas'));
  }

  #build() {
    this.attachShadow({ mode: 'open', delegatesFocus: true }).innerHTML = `<style>${STYLE}</style>
      <div class="formula" role="status" aria-live="polite" data-hint="Write a formula below"></div>
      <div class="sheet"><canvas tabindex="0" role="img" aria-label="Writing area"></canvas>
      <div class="tools"><button type="button" data-do="undo" disabled>Undo</button><button type="button" data-do="clear" disabled>Clear</button></div></div>
      <p class="notice" role="status"></p>`;
    this.#surface = new InkSurface(this.shadowRoot.querySelector('canvas'));
    this.#surface.addEventListener('change', () => this.#changed());
    this.#surface.addEventListener('resize', () => this.#fit());
    this.shadowRoot.addEventListener('focusin', () => this.#name());
    this.shadowRoot.addEventListener('keydown', (event) => this.#key(event));
    for (const button of this.shadowRoot.querySelectorAll('button')) {
      button.addEventListener('click', () => this[button.dataset.do]());
    }
  }

  /** What takes the focus is called as the field is: its label may come, go or change at any time. */
  #name() {
    const label = this.getAttribute('aria-label') || [...this.#internals.labels].map(({ textContent }) => textContent.trim()).join(' ');
    this.shadowRoot.querySelector('canvas').setAttribute('aria-label', label ? `${label}, writing area` : 'Writing area');
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
    if (this.#read.length && !this.#surface.strokes.length) this.#take(null, []); // without waiting for a server that may be away
    this.#validate();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#reader?.read(this.#surface.strokes), PAUSE_MS);
  }

  #take(answer, strokes) {
    this.#answer = answer;
    this.#read = strokes;
    if (answer) {
      showFormula(this.#formula, answer.mathml);
      fitFormula(this.#formula);
    } else this.#formula.replaceChildren();
    this.#internals.setFormValue(this.value);
    this.#validate();
    this.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  }
}

/** A font can be declared for a whole document only, not inside the field. */
const fonts = document.createElement('link');
Object.assign(fonts, { rel: 'stylesheet', href: new URL('fonts.css', import.meta.url).href });
document.head.append(fonts);

customElements.define('ink-math', InkMath);
