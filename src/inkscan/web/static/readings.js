// The list of readings of the whole ink.

import { fitFormula, inText, showFormula } from './formula.js';
import { percent } from './notices.js';

const SHORTEST_BAR = 0.015; // of the width: a shorter one looks like a stray dot

export class Readings {
  #list;
  #none;
  #choose;
  #alternatives = [];

  constructor(list, none, choose) {
    this.#list = list;
    this.#none = none;
    this.#choose = choose;
  }

  /** Show the alternatives of an answer; the one with this LaTeX is the one in use. */
  show(answer, latex) {
    this.#alternatives = answer?.alternatives ?? [];
    this.#none.hidden = this.#alternatives.length > 0;
    this.#list.replaceChildren(...this.#alternatives.map((alternative, i) => this.#row(alternative, i, latex)));
    this.#list.querySelectorAll('.typeset').forEach(fitFormula);
  }

  choose(number) {
    if (this.#alternatives[number]) this.#choose(this.#alternatives[number]);
  }

  #row(alternative, number, latex) {
    const item = document.createElement('li');
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'reading';
    button.title = alternative.latex;
    button.setAttribute('aria-pressed', alternative.latex === latex);
    button.setAttribute('aria-label', `${alternative.latex}, ${percent(alternative.probability)}`);
    button.style.setProperty('--share', alternative.probability < SHORTEST_BAR ? 0 : alternative.probability.toFixed(3));
    const [key, typeset, share] = ['span', 'span', 'span'].map((name) => document.createElement(name));
    key.textContent = number + 1;
    typeset.className = 'typeset';
    showFormula(typeset, inText(alternative.mathml));
    share.className = 'share';
    share.textContent = percent(alternative.probability);
    button.append(key, typeset, share);
    button.addEventListener('click', () => this.choose(number));
    item.append(button);
    return item;
  }
}
