// The typeset formula of the page: its symbols can be tapped and reached by keys, doubtful ones are marked.

import { fitFormula, showFormula } from './formula.js';

const DOUBT = 0.6; // a symbol less sure than this is marked

/** Events: "select" (detail: the symbol or null), "down" to its other readings, and "remove", when its strokes shall go. */
export class FormulaView extends EventTarget {
  #box;
  #symbols = [];
  #tokens = [];
  #chosen = null; // the chosen symbol's number
  #pointed = null; // the element that a replay is at

  constructor(box) {
    super();
    this.#box = box;
    box.addEventListener('click', ({ target }) => this.select(target.closest('[data-symbol]')));
    box.addEventListener('keydown', (event) => this.#key(event));
    addEventListener('resize', () => fitFormula(box));
  }

  /** Show MathML whose written symbols are these; `tokens` are what is shown in their places. */
  show({ mathml, tokens }, symbols) {
    this.#symbols = symbols;
    this.#tokens = tokens;
    if (!mathml) {
      this.#box.replaceChildren();
      return;
    }
    const { math } = showFormula(this.#box, mathml, symbols);
    math.querySelectorAll('[data-symbol]').forEach((element, i) => this.#prepare(element, i));
    fitFormula(this.#box);
  }

  /** The symbols that are shown and less sure than one likes. */
  get doubtful() { return this.#symbols.filter((symbol) => this.#isDoubtful(symbol)); }

  /** Choose the symbol of an element of the formula; null for none. */
  select(element) {
    this.#unmark();
    const symbol = element ? this.#symbols[Number(element.dataset.symbol)] : null;
    this.#chosen = symbol ? element.dataset.symbol : null;
    this.#pointed = null;
    if (symbol) {
      element.classList.add('chosen');
      element.focus();
      this.#box.querySelectorAll('[tabindex="0"]').forEach((other) => { other.tabIndex = -1; });
      element.tabIndex = 0;
    }
    this.dispatchEvent(new CustomEvent('select', { detail: symbol ?? null }));
  }

  /** Colour the symbol of the token at this place, without choosing it; null for none. */
  point(index) {
    this.#pointed?.classList.remove('chosen');
    const number = this.#symbols.findIndex((symbol) => symbol.index === index);
    this.#pointed = this.#box.querySelector(`[data-symbol="${number}"]`);
    this.#pointed?.classList.add('chosen');
  }

  focusChosen() { this.#box.querySelector('.chosen')?.focus(); }

  #unmark() { this.#box.querySelectorAll('.chosen').forEach((element) => element.classList.remove('chosen')); }

  #isDoubtful(symbol) { return symbol.confidence < DOUBT && this.#tokens[symbol.index] === symbol.token; }

  #prepare(element, number) {
    const symbol = this.#symbols[Number(element.dataset.symbol)];
    if (!symbol) { delete element.dataset.symbol; return; }
    const isChosen = element.dataset.symbol === this.#chosen;
    element.classList.toggle('chosen', isChosen);
    element.tabIndex = isChosen || (this.#chosen === null && number === 0) ? 0 : -1;
    element.setAttribute('aria-label', `${this.#tokens[symbol.index]}, symbol ${number + 1}`);
    element.classList.toggle('doubtful', this.#isDoubtful(symbol) && !element.firstElementChild);
  }

  #key(event) {
    const elements = [...this.#box.querySelectorAll('[data-symbol]')];
    const at = elements.indexOf(event.target);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step) this.select(elements[(at + step + elements.length) % elements.length] ?? null);
    else if ((event.key === 'Enter' || event.key === ' ') && at >= 0) this.select(elements[at]);
    else if (event.key === 'ArrowDown' && this.#chosen !== null) this.dispatchEvent(new Event('down'));
    else if (event.key === 'Delete' && this.#chosen !== null) this.dispatchEvent(new Event('remove'));
    else return;
    event.preventDefault();
  }
}
