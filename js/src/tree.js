// The symbol layout tree: symbols on a baseline, each with rows of symbols attached around it.

import { InkscanError } from './errors.js';
import { ACCENTS, FOREIGN, INFIX_STACKS, MAX_DEPTH, OVERSETS, PRIME, STACKS } from './tables.js';

/**
 * One written symbol and the rows attached to it. A fraction bar has `above` and `below`; a radical has `inside` and, for its
 * index, `above`; an accent has `inside`; an operator with limits has `above` and `below`; everything else has `sup` and `sub`.
 * @typedef {object} TreeSymbol
 * @property {string} label
 * @property {Row} sub
 * @property {Row} sup
 * @property {Row} above
 * @property {Row} below
 * @property {Row} inside
 */
/** @typedef {readonly TreeSymbol[]} Row */
/** @typedef {'sub' | 'sup' | 'above' | 'below' | 'inside'} Part */

/** @param {string} label @param {Partial<Record<Part, Row>>} rows @returns {TreeSymbol} */
const symbolOf = (label, rows = {}) => ({ label, sub: [], sup: [], above: [], below: [], inside: [], ...rows });

/** Whether `above` and `below` are limits rather than arguments. @param {TreeSymbol} symbol */
export function hasLimits({ label, above, below }) {
  return takesLimits(label) && (above.length > 0 || below.length > 0);
}

/** The layout tree of a token sequence; errors carry the index of the offending token. @param {readonly string[]} tokens */
export function parseTokens(tokens) {
  return new Parser(tokens).parse();
}

/** The canonical tokens of a tree. @param {Row} row @param {number} level @returns {string[]} */
export function toTokens(row, level = 0) {
  if (level > MAX_DEPTH) tooDeep(null);
  return row.flatMap((symbol) => [...baseTokens(symbol, level), ...scriptTokens(symbol, level)]);
}

/** @param {TreeSymbol} symbol @param {number} level @returns {string[]} */
function baseTokens({ label, above, below, inside }, level) {
  if (STACKS.has(label)) return [label, ...group(above, level), ...group(below, level)];
  if (label === '\\sqrt') {
    if (above.some((part) => part.label === ']')) refuse("the index of a root cannot hold a ']'");
    return [label, ...(above.length ? group(above, level, '[', ']') : []), ...group(inside, level)];
  }
  return ACCENTS.has(label) ? [label, ...group(inside, level)] : [label];
}

/** @param {TreeSymbol} symbol @param {number} level @returns {string[]} */
function scriptTokens(symbol, level) {
  const limits = hasLimits(symbol);
  if (limits && (symbol.sub.length || symbol.sup.length)) {
    refuse(`'${symbol.label}' has both limits and scripts, which tokens cannot write`);
  }
  const [low, high] = limits ? [symbol.below, symbol.above] : [symbol.sub, symbol.sup];
  return [
    ...(limits ? ['\\limits'] : []),
    ...(low.length ? ['_', ...group(low, level)] : []),
    ...(high.length ? ['^', ...group(high, level)] : []),
  ];
}

/** @param {Row} row @param {number} level @param {string} opening @param {string} closing */
function group(row, level, opening = '{', closing = '}') {
  if (!row.length) refuse('an argument is empty');
  return [opening, ...toTokens(row, level + 1), closing];
}

/** @param {string} label */
const takesLimits = (label) => !STACKS.has(label) && label !== '\\sqrt';

/** @param {string} message @param {number | null} position @returns {never} */
function refuse(message, position = null) {
  throw new InkscanError('LatexSyntax', message, position);
}

/** @param {number | null} position @returns {never} */
function tooDeep(position) {
  throw new InkscanError('LatexTooDeep', `more than ${MAX_DEPTH} groups within one another`, position);
}

/** Recursive descent over tokens; the recursion is bounded by MAX_DEPTH. */
class Parser {
  #tokens;
  #at = 0;

  /** @param {readonly string[]} tokens */
  constructor(tokens) {
    this.#tokens = tokens;
  }

  /** @returns {Row} */
  parse() {
    const row = this.#row(null, 0);
    if (this.#at < this.#tokens.length) refuse(`'${this.#next}' closes a group that was never opened`, this.#at);
    return row;
  }

  /** @returns {string | undefined} */
  get #next() {
    return this.#tokens[this.#at];
  }

  /** @param {string | null} closer @param {number} level @returns {Row} */
  #row(closer, level) {
    if (level > MAX_DEPTH) tooDeep(this.#at);
    /** @type {TreeSymbol[]} */
    const row = [];
    for (let token = this.#next; token !== undefined && token !== '}' && token !== closer; token = this.#next) {
      if (INFIX_STACKS.has(token)) return [this.#infixStack(row, closer, level)];
      row.push(...this.#scripted(this.#base(level), level));
    }
    return row;
  }

  /** @param {Row} above @param {string | null} closer @param {number} level @returns {TreeSymbol} */
  #infixStack(above, closer, level) {
    const start = this.#at;
    const token = this.#tokens[start];
    this.#at += 1;
    const below = this.#row(closer, level + 1);
    if (!above.length || !below.length) refuse(`'${token}' needs something on both sides`, start);
    return symbolOf(/** @type {string} */ (INFIX_STACKS.get(token)), { above, below });
  }

  /** The symbol, or the symbols of a group, at which the parser stands. @param {number} level @returns {Row} */
  #base(level) {
    const [start, token] = [this.#at, this.#tokens[this.#at]];
    if (['_', '^', '\\limits'].includes(token) || INFIX_STACKS.has(token)) {
      refuse(`'${token}' has nothing to attach to`, start);
    }
    if (token === '{') return this.#braced('}', level);
    if (FOREIGN.some((prefix) => token.startsWith(prefix))) {
      const message = `'${token}' has no place in the layout tree: arrays are not read`;
      throw new InkscanError('UnknownToken', message, start);
    }
    this.#at += 1;
    if (STACKS.has(token)) {
      const above = this.#argument(level);
      return [symbolOf(token, { above, below: this.#argument(level) })];
    }
    if (token === '\\sqrt') {
      const above = this.#next === '[' ? this.#braced(']', level) : [];
      return [symbolOf(token, { above, inside: this.#argument(level) })];
    }
    if (ACCENTS.has(token)) return [symbolOf(token, { inside: this.#argument(level) })];
    const place = OVERSETS.get(token);
    if (place) return this.#overset(start, /** @type {'above' | 'below'} */ (place), level);
    return [symbolOf(token === "'" ? PRIME : token)];
  }

  /** @param {number} start @param {'above' | 'below'} place @param {number} level @returns {Row} */
  #overset(start, place, level) {
    const script = this.#argument(level);
    const [base, ...more] = this.#argument(level);
    const isFree = !more.length && takesLimits(base.label) && !base.sub.length && !base.sup.length && !base[place].length;
    if (!isFree) refuse(`'${this.#tokens[start]}' is read only over a single symbol`, start);
    return [{ ...base, [place]: script }];
  }

  /** @param {string} closer @param {number} level @returns {Row} */
  #braced(closer, level) {
    const start = this.#at;
    this.#at += 1;
    const row = this.#row(closer, level + 1);
    if (this.#next !== closer) refuse(`'${this.#tokens[start]}' is never closed`, start);
    this.#at += 1;
    return row;
  }

  /** A group in braces or one bare symbol; never empty. @param {number} level @returns {Row} */
  #argument(level) {
    const [start, token] = [this.#at, this.#next];
    if (level >= MAX_DEPTH) tooDeep(start);
    if (token === undefined || token === '}' || token === ']') {
      refuse('an argument is missing', token === undefined ? null : start);
    }
    const row = token === '{' ? this.#braced('}', level) : this.#base(level + 1);
    if (!row.length) refuse('an argument is empty', start);
    return row;
  }

  /** Attach the scripts that follow to the last symbol of the base. @param {Row} base @param {number} level @returns {Row} */
  #scripted(base, level) {
    let limits = false;
    /** @type {Map<string, Row>} */
    const scripts = new Map();
    const start = this.#at;
    const isPrime = base.at(-1)?.label === PRIME;
    for (let token = this.#next; token !== undefined && ['_', '^', "'", '\\limits'].includes(token); token = this.#next) {
      if (token === "'" && isPrime) break; // the next of several in braces: f^{''}
      const at = this.#at;
      this.#at += 1;
      if (token === '\\limits') limits = true;
      else if (token === "'") scripts.set('^', [...(scripts.get('^') ?? []), symbolOf(PRIME)]);
      else if (this.#next === '{' && this.#tokens[this.#at + 1] === '}') this.#at += 2;
      else {
        const script = this.#argument(level);
        const before = scripts.get(token) ?? [];
        if (before.length && (token === '_' || before.some(({ label }) => label !== PRIME))) {
          refuse(`two '${token}' on one symbol`, at);
        }
        scripts.set(token, [...before, ...script]);
      }
    }
    if (scripts.size) return attach(base, scripts.get('_') ?? [], scripts.get('^') ?? [], limits, start);
    if (limits) refuse("'\\limits' is followed by neither '_' nor '^'", start);
    return base;
  }
}

/** @param {Row} base @param {Row} low @param {Row} high @param {boolean} asLimits @param {number} start @returns {Row} */
function attach(base, low, high, asLimits, start) {
  const last = base.at(-1);
  if (!last) return refuse('a script has nothing to attach to', start);
  if (asLimits && !takesLimits(last.label)) refuse(`'${last.label}' takes no '\\limits'`, start);
  const limits = asLimits || hasLimits(last);
  const [present, above] = limits ? [last.below, last.above] : [last.sub, last.sup];
  if ((low.length && present.length) || (high.length && above.length)) {
    refuse('two scripts at the same place of one symbol', start);
  }
  if (limits && (last.sub.length || last.sup.length)) refuse('one symbol has both limits and scripts', start);
  const rows = [low.length ? low : present, high.length ? high : above];
  const scripted = limits ? { ...last, below: rows[0], above: rows[1] } : { ...last, sub: rows[0], sup: rows[1] };
  return [...base.slice(0, -1), scripted];
}
