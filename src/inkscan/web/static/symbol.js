// The panel of one symbol: how sure it is, and what else its strokes may say.

import { CHARACTERS } from './alphabet.js';
import { percent } from './readings.js';

export class SymbolPanel {
  #elements;
  #choose;

  constructor(elements, choose) {
    this.#elements = elements;
    this.#choose = choose;
  }

  /** Show a symbol of the answer, now read as `token`; null hides the panel. */
  show(symbol, token) {
    const { box, about, choices } = this.#elements;
    box.hidden = !symbol;
    if (!symbol) return;
    const count = symbol.strokes.length;
    const strokes = count ? `written by ${count} ${count === 1 ? 'stroke' : 'strokes'}` : 'without strokes of its own';
    about.textContent = `${named(symbol.token)}, ${percent(symbol.confidence)} sure, ${strokes}.`;
    const others = symbol.candidates;
    const all = others.length ? [{ token: symbol.token, probability: null }, ...others] : [];
    choices.replaceChildren(...all.map((candidate) => this.#button(symbol, candidate, token)));
    box.scrollIntoView({ block: 'nearest' }); // on a phone it is below the sheet
  }

  #button(symbol, { token, probability }, chosen) {
    const button = document.createElement('button');
    button.type = 'button';
    button.dataset.token = token;
    button.setAttribute('aria-pressed', token === chosen);
    button.append(named(token));
    if (probability !== null) {
      const share = document.createElement('small');
      share.textContent = percent(probability);
      button.append(share);
    }
    button.addEventListener('click', () => {
      for (const other of this.#elements.choices.children) other.setAttribute('aria-pressed', other === button);
      this.#choose(symbol, token);
    });
    return button;
  }
}

const named = (token) => (token === '\\frac' ? 'fraction bar' : CHARACTERS[token] ?? token.replace(/^\\/, ''));
