// The alphabet: what the model can read, as a table that one can open, and limits to it.

import { CHARACTERS } from './characters.js';
import { STRUCTURE } from './latex.js';
import { named } from './symbol.js';

const KEY = 'inkscan-alphabet';
const ARITHMETIC = new Set([...'0123456789+-=()/.,<>', '\\times', '\\div', '\\cdot', '\\frac', '\\leq', '\\geq', '\\neq', '\\%', ':']);
const GROUPS = [
  { name: 'Digits', has: (token) => /^\d$/.test(token) },
  { name: 'Letters', has: (token) => /^([A-Za-z]|\\mathbb\{.\})$/.test(token) },
  { name: 'Greek', has: (token) => /^\p{Script=Greek}$/u.test(CHARACTERS[token] ?? '') },
  { name: 'Functions', has: (token) => /^\\[a-z]{2,}$/i.test(token) && !(token in CHARACTERS) && !['\\frac', '\\sqrt', '\\binom'].includes(token) },
  { name: 'Signs', has: () => true },
];

/** Calls `limit` with the only symbols that may be read, or with null for all of them. */
export class Alphabet {
  #elements;
  #limit;
  #symbols = [];
  #preset = 'all';
  #own = new Set();

  /** `elements` {dialog, open, preset, table, about}. */
  constructor(elements, limit) {
    this.#elements = elements;
    this.#limit = limit;
    this.#restore();
    elements.open.addEventListener('click', () => elements.dialog.showModal());
    elements.preset.addEventListener('change', () => this.#use(elements.preset.value));
    elements.table.addEventListener('click', ({ target }) => {
      const { token } = target.closest('[data-token]')?.dataset ?? {};
      if (token) this.#toggle(token);
    });
  }

  /** The symbols of the model that reads now. */
  set symbols(symbols) {
    this.#symbols = symbols.filter((token) => !STRUCTURE.has(token)); // which is always allowed
    this.#elements.open.hidden = !symbols.length;
    this.#show();
  }

  /** The symbols that may be read, of those that this model knows; null: all. */
  get allowed() {
    const chosen = { all: null, arithmetic: ARITHMETIC, own: this.#own }[this.#preset];
    const known = chosen && this.#symbols.filter((token) => chosen.has(token));
    return known?.length ? known : null;
  }

  #restore() {
    try {
      const { preset, own } = JSON.parse(localStorage.getItem(KEY));
      [this.#preset, this.#own] = [['arithmetic', 'own'].includes(preset) ? preset : 'all', new Set(own)];
    } catch {
      // Nothing is kept, or not by us.
    }
  }

  #toggle(token) {
    this.#own = new Set(this.allowed ?? this.#symbols);
    if (!this.#own.delete(token)) this.#own.add(token);
    this.#use(this.#own.size && this.#own.size < this.#symbols.length ? 'own' : 'all');
  }

  #use(preset) {
    if (preset === 'own' && !this.#own.size) this.#own = new Set(this.allowed ?? this.#symbols);
    this.#preset = preset;
    localStorage.setItem(KEY, JSON.stringify({ preset, own: [...this.#own] }));
    this.#show();
    this.#limit(this.allowed);
  }

  #show() {
    const { preset, table, open } = this.#elements;
    const { allowed } = this;
    const all = this.#symbols.length;
    open.textContent = allowed ? `Reads only ${allowed.length} of ${all} symbols` : `Reads ${all} symbols`;
    preset.value = this.#preset;
    const isOn = new Set(allowed ?? this.#symbols);
    const focused = document.activeElement?.dataset?.token;
    table.replaceChildren(...grouped(this.#symbols).flatMap(([name, tokens]) => group(name, tokens, isOn)));
    if (focused) table.querySelector(`[data-token="${CSS.escape(focused)}"]`)?.focus();
  }
}

/** The tokens of each group that has any: one belongs to the first whose rule it meets. */
function grouped(symbols) {
  let left = symbols;
  return GROUPS.map(({ name, has }) => {
    const tokens = left.filter(has);
    left = left.filter((token) => !has(token));
    return [name, tokens];
  }).filter(([, tokens]) => tokens.length);
}

function group(name, tokens, isOn) {
  const title = document.createElement('h3');
  title.textContent = name;
  const row = document.createElement('div');
  row.className = 'letters';
  row.append(...tokens.map((token) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.dataset.token = token;
    button.title = token;
    button.textContent = named(token);
    button.setAttribute('aria-label', token);
    button.setAttribute('aria-pressed', isOn.has(token));
    return button;
  }));
  return [title, row];
}
