// Corrections that a user has made: a reading for the strokes of a symbol, kept while those strokes stay together, and own LaTeX for
// the strokes of a whole formula.

import { haveOneShape } from './latex.js';

const wholeKey = (strokeIds) => [...strokeIds].sort().join(' ');
const keyOf = (symbol, strokeIds) => wholeKey(symbol.strokes.map((i) => strokeIds[i]));

export class Corrections {
  #readings = new Map(); // stroke ids -> token
  #wholes = new Map(); // stroke ids -> LaTeX

  set(symbol, strokeIds, token) {
    const key = keyOf(symbol, strokeIds);
    if (key) this.#readings.set(key, token);
  }

  /** All of them, to be kept and taken up again. */
  get entries() { return { readings: [...this.#readings], wholes: [...this.#wholes] }; }
  set entries({ readings = [], wholes = [] }) {
    this.#readings = new Map(readings);
    this.#wholes = new Map(wholes);
  }

  /** The user's own LaTeX for a formula; without a text the answer holds again. */
  write(strokeIds, latex = '') {
    if (latex) this.#wholes.set(wholeKey(strokeIds), latex);
    else this.#wholes.delete(wholeKey(strokeIds));
  }

  written(strokeIds) { return this.#wholes.get(wholeKey(strokeIds)) ?? null; }

  /** Tokens of the answer with the corrections in place; null where nothing changes. */
  apply(answer) {
    const tokens = [...answer.tokens];
    let changed = false;
    for (const symbol of answer.symbols ?? []) {
      const token = this.#readings.get(keyOf(symbol, answer.strokeIds));
      if (token && token !== tokens[symbol.index] && symbol.candidates.length) {
        tokens[symbol.index] = token;
        changed = true;
      }
    }
    return changed ? tokens : null;
  }

  /** Take over another reading of the whole: symbol by symbol if it differs in single ones only, else as the user's LaTeX. */
  adopt(answer, { tokens, latex }) {
    const { strokeIds } = answer;
    this.#forget(strokeIds);
    const symbolAt = new Map(answer.symbols.map((symbol) => [symbol.index, symbol]));
    const differing = tokens.flatMap((token, i) => (token === answer.tokens[i] ? [] : [i]));
    const isBySymbols = haveOneShape(tokens, answer.tokens)
      && differing.every((i) => symbolAt.get(i)?.strokes.length && symbolAt.get(i).candidates.length);
    if (!isBySymbols) this.write(strokeIds, latex);
    else for (const i of differing) this.set(symbolAt.get(i), strokeIds, tokens[i]);
  }

  #forget(strokeIds) {
    this.write(strokeIds);
    const gone = new Set(strokeIds);
    for (const key of this.#readings.keys()) if (key.split(' ').every((id) => gone.has(id))) this.#readings.delete(key);
  }
}
