// The layout tree to MathML Core that browsers typeset well.

import {
  ACCENTS, ACCENT_MARKS, BARS, CHARACTERS, CLOSING, FUNCTION_NAMES, INTEGRALS, LARGE, LETTERLIKE, LIMIT_FUNCTIONS, MARKS,
  MAX_FENCES, OPENING, OPERATORS, PUNCTUATION, RELATIONS, STACKED, STACKS, STYLED, TALL, UNDER, UPRIGHT, WIDE,
} from './tables.js';
import { hasLimits } from './tree.js';

/** @typedef {import('./tree.js').TreeSymbol} TreeSymbol */
/** @typedef {import('./tree.js').Row} Row */
/** @typedef {'ordinary' | 'function' | 'operator' | 'open' | 'close' | 'space'} AtomKind what it is for spacing */
/** @typedef {{kind: AtomKind, mathml: string}} Atom one thing of a row */

const NAMESPACE = 'http://www.w3.org/1998/Math/MathML';
const THIN = '<mspace width="0.167em"/>';
const DIGITS = /^\p{Nd}+$/u;
const LETTER = /^\p{L}$/u;
const ESCAPES = new Map(Object.entries({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' }));

/** A `math` element in a block of its own. @param {Row} row */
export function toMathml(row) {
  return `<math xmlns="${NAMESPACE}" display="block">${rowMathml(row)}</math>`;
}

/** One element for the row. @param {Row} row @returns {string} */
function rowMathml(row) {
  const atoms = atomsOf(row);
  const inner = spaced(atoms);
  return atoms.length === 1 ? inner : `<mrow>${inner}</mrow>`;
}

/** The atoms of a row; what stands between a pair of fences is one atom. @param {Row} row @returns {Atom[]} */
function atomsOf(row) {
  const partner = fences(row);
  const hasIntegral = row.some(({ label }) => INTEGRALS.has(label));
  /** @type {Atom[]} */
  let atoms = [];
  /** @type {{opening: number, before: Atom[]}[]} */
  const outer = []; // the fences that are open, and the atoms before each
  for (let at = 0, length = 1; at < row.length; at += length) {
    length = Math.max(1, numberLength(row, at));
    const last = row[at + length - 1];
    const open = outer.at(-1);
    if (partner.has(at)) {
      outer.push({ opening: at, before: atoms });
      atoms = [];
    } else if (open && partner.get(open.opening) === at) {
      outer.pop();
      const isGrowing = row.slice(open.opening + 1, at).some(isTall);
      atoms = [...open.before, fenced(row[open.opening], last, atoms, isGrowing)];
    } else if (DIGITS.test(last.label)) {
      const text = row.slice(at, at + length).map(({ label }) => label).join('');
      atoms.push({ kind: 'ordinary', mathml: scripted(last, `<mn>${text}</mn>`) });
    } else {
      if (hasIntegral && isDifferential(row, at) && atoms.length && atoms.at(-1)?.kind !== 'operator') {
        atoms.push({ kind: 'space', mathml: THIN });
      }
      const before = atoms.at(-1)?.kind;
      atoms.push(atomOf(last, before === undefined || before === 'operator' || before === 'open'));
    }
  }
  return atoms;
}

/** Functions get the thin spaces that TeX gives them; MathML's own spacing does the rest. @param {readonly Atom[]} atoms */
function spaced(atoms) {
  return atoms.map(({ kind, mathml }, i) => {
    const before = atoms[i - 1]?.kind;
    const wordThenLetter = before === 'function' && (kind === 'ordinary' || kind === 'function');
    const letterThenWord = (before === 'ordinary' || before === 'close') && kind === 'function';
    return wordThenLetter || letterThenWord ? THIN + mathml : mathml;
  }).join('');
}

/** The closing fence of each opening one; bars pair up where they can. @param {Row} row @returns {Map<number, number>} */
function fences(row) {
  /** @type {Map<number, number>} */
  const partner = new Map();
  /** @type {number[]} */
  const opened = [];
  const labelOpen = () => row[opened[opened.length - 1]]?.label;
  const pair = (/** @type {number} */ at) => partner.set(/** @type {number} */ (opened.pop()), at);
  for (const [at, symbol] of row.entries()) {
    const { label } = symbol;
    if (opened.length > MAX_FENCES) return new Map();
    if (OPENING.has(label)) opened.push(at);
    else if (CLOSING.has(label)) {
      while (opened.length && BARS.has(labelOpen())) opened.pop();
      if (opened.length && !isAttached(row[opened[opened.length - 1]])) pair(at);
    } else if (BARS.has(label)) {
      const isFilled = at > opened[opened.length - 1] + 1;
      if (opened.length && labelOpen() === label && isFilled && endsOperand(row[at - 1].label)) pair(at);
      else if (!isAttached(symbol)) opened.push(at);
    }
  }
  return partner;
}

/** Whether a symbol can end what stands between two bars. @param {string} label */
function endsOperand(label) {
  return ![OPERATORS, RELATIONS, OPENING, PUNCTUATION].some((kind) => kind.has(label));
}

/** @param {TreeSymbol} symbol */
function isAttached({ sub, sup, above, below }) {
  return sub.length + sup.length + above.length + below.length > 0;
}

/** Whether it, or anything attached to it, needs fences that grow. @param {TreeSymbol} symbol @returns {boolean} */
function isTall({ label, sub, sup, above, below, inside }) {
  return TALL.has(label) || [sub, sup, above, below, inside].some((row) => row.some(isTall));
}

/**
 * What stands between two fences, with them; the scripts of the closing one are those of the whole.
 * @param {TreeSymbol} opening
 * @param {TreeSymbol} closing
 * @param {readonly Atom[]} inside
 * @param {boolean} isGrowing
 * @returns {Atom}
 */
function fenced(opening, closing, inside, isGrowing) {
  const stretchy = isGrowing ? '' : ' stretchy="false"';
  const left = `<mo form="prefix" fence="true"${stretchy}>${character(opening.label)}</mo>`;
  const right = `<mo form="postfix" fence="true"${stretchy}>${character(closing.label)}</mo>`;
  return { kind: 'close', mathml: scripted(closing, `<mrow>${left}${spaced(inside)}${right}</mrow>`) };
}

/**
 * How many symbols from here on are one number such as 12.5; only its last digit may have scripts.
 * @param {Row} row
 * @param {number} start
 */
function numberLength(row, start) {
  let at = start;
  while (at < row.length) {
    const isPoint = row[at].label === '.' && at > start && at < row.length - 1 && DIGITS.test(row[at + 1].label)
      && !isAttached(row[at]);
    if (!DIGITS.test(row[at].label) && !isPoint) break;
    at += 1;
    if (isAttached(row[at - 1])) break;
  }
  return at - start;
}

/** Whether a `d` begins the `d x` of an integral. @param {Row} row @param {number} at */
function isDifferential(row, at) {
  if (row[at].label !== 'd' || isAttached(row[at]) || at + 1 >= row.length) return false;
  const following = row[at + 1].label;
  return LETTERLIKE.has(following) || LETTER.test(following);
}

/** @param {TreeSymbol} symbol @param {boolean} isPrefix @returns {Atom} */
function atomOf(symbol, isPrefix) {
  const { label } = symbol;
  if (STACKS.has(label)) return { kind: 'ordinary', mathml: scripted(symbol, stack(symbol)) };
  if (label === '\\sqrt') return { kind: 'ordinary', mathml: scripted(symbol, root(symbol)) };
  if (ACCENTS.has(label)) return { kind: 'ordinary', mathml: scripted(symbol, accent(symbol)) };
  if (FUNCTION_NAMES.has(label)) return { kind: 'function', mathml: scripted(symbol, functionName(symbol)) };
  if (LARGE.has(label)) {
    return { kind: 'operator', mathml: scripted(symbol, `<mo${movable(symbol)}>${character(label)}</mo>`) };
  }
  const { kind, mathml } = plainAtom(label, isPrefix);
  return { kind, mathml: scripted(symbol, mathml) };
}

/** A symbol without its scripts. @param {string} label @param {boolean} isPrefix @returns {Atom} */
function plainAtom(label, isPrefix) {
  const text = character(label);
  if (OPENING.has(label)) return { kind: 'open', mathml: `<mo stretchy="false" form="prefix">${text}</mo>` };
  if (CLOSING.has(label)) return { kind: 'close', mathml: `<mo stretchy="false" form="postfix">${text}</mo>` };
  if (BARS.has(label)) return { kind: 'ordinary', mathml: `<mo stretchy="false" lspace="0" rspace="0">${text}</mo>` };
  if (RELATIONS.has(label) || OPERATORS.has(label)) {
    const form = isPrefix && OPERATORS.has(label) ? 'prefix' : 'infix';
    return { kind: 'operator', mathml: `<mo stretchy="false" form="${form}">${text}</mo>` };
  }
  if (PUNCTUATION.has(label)) return { kind: 'operator', mathml: `<mo separator="true">${text}</mo>` };
  if (label === '!') return { kind: 'close', mathml: '<mo form="postfix" lspace="0" rspace="0">!</mo>' };
  if (MARKS.has(label)) return { kind: 'ordinary', mathml: `<mo lspace="0" rspace="0">${text}</mo>` };
  const variant = UPRIGHT.has(label) ? ' mathvariant="normal"' : '';
  return { kind: 'ordinary', mathml: `<mi${variant}>${text}</mi>` };
}

/** @param {TreeSymbol} symbol */
function movable(symbol) {
  if (hasLimits(symbol)) return ' movablelimits="false"';
  return symbol.sub.length || symbol.sup.length ? ' movablelimits="true"' : '';
}

/** @param {TreeSymbol} symbol */
function functionName(symbol) {
  const { label } = symbol;
  const name = FUNCTION_NAMES.get(label);
  const isAround = LIMIT_FUNCTIONS.has(label) && (hasLimits(symbol) || symbol.sub.length || symbol.sup.length);
  return isAround ? `<mo lspace="0" rspace="0"${movable(symbol)}>${name}</mo>` : `<mi>${name}</mi>`;
}

/** The base with the symbol's scripts or limits around it. @param {TreeSymbol} symbol @param {string} base */
function scripted(symbol, base) {
  const limits = hasLimits(symbol);
  const [low, high] = limits ? [symbol.below, symbol.above] : [symbol.sub, symbol.sup];
  const [lower, upper, both] = limits || STACKED.has(symbol.label) ? ['munder', 'mover', 'munderover'] : ['msub', 'msup', 'msubsup'];
  if (low.length && high.length) return `<${both}>${base}${rowMathml(low)}${rowMathml(high)}</${both}>`;
  if (low.length) return `<${lower}>${base}${rowMathml(low)}</${lower}>`;
  return high.length ? `<${upper}>${base}${rowMathml(high)}</${upper}>` : base;
}

/** @param {TreeSymbol} symbol */
function root({ above, inside }) {
  if (above.length) return `<mroot>${rowMathml(inside)}${rowMathml(above)}</mroot>`;
  return `<msqrt>${rowMathml(inside)}</msqrt>`;
}

/** @param {TreeSymbol} symbol */
function stack({ label, above, below }) {
  const [top, bottom] = [rowMathml(above), rowMathml(below)];
  if (label === '\\frac') return `<mfrac>${top}${bottom}</mfrac>`;
  return `<mrow><mo>(</mo><mfrac linethickness="0">${top}${bottom}</mfrac><mo>)</mo></mrow>`;
}

/** @param {TreeSymbol} symbol */
function accent({ label, inside }) {
  const inner = rowMathml(inside);
  if (label === '\\boxed') return `<mrow style="border: 1px solid; padding: 0.2em">${inner}</mrow>`;
  const mark = `<mo stretchy="${WIDE.has(label)}">${escaped(/** @type {string} */ (ACCENT_MARKS.get(label)))}</mo>`;
  if (UNDER.has(label)) return `<munder accentunder="true">${inner}${mark}</munder>`;
  return `<mover accent="true">${inner}${mark}</mover>`;
}

/** The character that shows a label, escaped for XML. @param {string} label */
function character(label) {
  if (label === '-') return '−';
  const shown = CHARACTERS.get(label);
  const isStyled = STYLED.some((style) => label.startsWith(style));
  if (shown === undefined && isStyled) return escaped(label.slice(label.indexOf('{') + 1, -1)); // no such letter in Unicode
  return escaped(shown ?? label);
}

/** @param {string} text */
const escaped = (text) => text.replace(/[&<>"']/g, (one) => /** @type {string} */ (ESCAPES.get(one)));
