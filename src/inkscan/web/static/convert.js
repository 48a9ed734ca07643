// The answer's MathML to AsciiMath and Typst. MathML is a tree already, so nothing is parsed twice.

import { ASCIIMATH, ASCIIMATH_MARKS, TYPST, TYPST_MARKS } from './characters.js';

const OPENING = new Set(['(', '[', '{', '{:', 'langle']);
const CLOSING = new Set([')', ']', '}', ':}', 'rangle']);
const WORD = /\{:|:\}|[()[\]{}]|[^\s()[\]{}]+/g;
const PAIRS = new Map([['()', 'p'], ['[]', 's']]); // parentheses and square brackets, of which AsciiMath makes the rows of a matrix
const ROWS = /^(?:P|S|[Pp](?:,[Pp])+|[Ss](?:,[Ss])+)$/; // capitals hold a comma
const NOTHING = '{: :}';
const BOX = '□'; // the alphabet's mark of a box; MathML draws it by a border

const ASCIIMATH_WRITER = {
  marks: ASCIIMATH_MARKS,
  leaf: (text) => ASCIIMATH[text] ?? text,
  fence: (text) => ASCIIMATH[text] ?? text,
  group: (text) => `(${text})`,
  fraction: (above, below) => `frac(${above})(${below})`, // not a/b, which binds less than scripts and functions do
  binomial: (above, below) => `((${cell(above)}),(${cell(below)}))`,
  root: (inside, index) => (index === null ? `sqrt(${inside})` : `root(${index})(${inside})`),
};

const TYPST_WRITER = {
  marks: TYPST_MARKS,
  leaf: (text) => TYPST[text] ?? text.replace(/^[@`]$/, '\\$&'), // these two may be typed, but are in no alphabet
  fence: (text) => text,
  group: (text) => `(${text})`,
  fraction: (above, below) => `frac(${above || '""'}, ${below || '""'})`,
  binomial: (above, below) => `binom(${above}, ${below})`,
  root: (inside, index) => (index === null ? `sqrt(${inside})` : `root(${index}, ${inside})`),
};

/** AsciiMath that is read as the same formula, in which only binomials are matrices. */
export function toAsciiMath(mathml) {
  const text = written(mathml, ASCIIMATH_WRITER).replaceAll('(:', '( :').replaceAll(':)', ': )'); // together they would be angles
  return matrixHeads(text).reduceRight(
    (rest, at) => rest.slice(0, at) + (text[at] === ' ' ? ` ${NOTHING}` : `${NOTHING} `) + rest.slice(at), text,
  );
}

export const toTypst = (mathml) => written(mathml, TYPST_WRITER);

function written(mathml, writer) {
  const math = new DOMParser().parseFromString(mathml, 'application/xml').documentElement;
  return row([...math.children], writer);
}

function row(elements, writer) {
  return elements.map((element) => piece(element, writer)).filter(Boolean).join(' ');
}

function piece(element, writer) {
  const children = [...element.children];
  const inside = (i) => row(flat([children[i]]), writer);
  const script = (sign, i) => `${sign}${writer.group(inside(i))}`;
  switch (element.localName) {
    case 'mspace': return '';
    case 'mrow':
      if (isBoxed(element)) return marked(BOX, row(children, writer), writer);
      return isBinomial(children) ? binomial(children[1], writer) : row(children, writer);
    case 'mfrac': return writer.fraction(inside(0), inside(1));
    case 'msqrt': return writer.root(row(flat(children), writer), null);
    case 'mroot': return writer.root(inside(0), inside(1));
    case 'msub': return piece(children[0], writer) + script('_', 1);
    case 'msup': return piece(children[0], writer) + script('^', 1);
    case 'msubsup': case 'munderover': return piece(children[0], writer) + script('_', 1) + script('^', 2);
    case 'munder': case 'mover': {
      const isMark = ['accent', 'accentunder'].some((name) => element.getAttribute(name) === 'true');
      if (isMark) return marked(children[1].textContent, inside(0), writer);
      return piece(children[0], writer) + script(element.localName === 'munder' ? '_' : '^', 1);
    }
    default: {
      const text = element.textContent.replace('−', '-');
      return element.getAttribute('fence') === 'true' ? writer.fence(text) : writer.leaf(text);
    }
  }
}

/** What is written for a mark over, under or around something. */
const marked = (mark, inside, writer) => writer.marks[mark].replace('%', () => inside);

const flat = (children) => (children.length === 1 && isPlain(children[0]) ? [...children[0].children] : children);
const isPlain = (element) => element.localName === 'mrow' && !isFenced(element) && !isBoxed(element) && !isBinomial([...element.children]);
const isFenced = (element) => element.firstElementChild?.getAttribute('fence') === 'true';
/** Whether an element of the answer's MathML has a border. */
export const isBoxed = (element) => element.hasAttribute('style');
const isBinomial = (children) => children.length === 3 && children[1].localName === 'mfrac' && children[1].hasAttribute('linethickness');

function binomial(fraction, writer) {
  const [above, below] = [...fraction.children].map((part) => row(flat([part]), writer));
  return writer.binomial(above, below);
}

/** A row of a matrix, whose commas must not part columns. */
const cell = (text) => (text.split(' ').includes(',') ? `{: ${text} :}` : text);

/** Where brackets begin in AsciiMath that hold nothing but bracketed rows, such as `( [ a , b ] , [ c , d ] )`. */
function matrixHeads(text) {
  const heads = [];
  const opened = []; // brackets and bars: {base, start, shape}, of which the shape tells rows, commas and other things
  const around = { base: '', start: 0, shape: '' };
  const innermost = () => opened.at(-1) ?? around;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const base = word.split(/[_^]/, 1)[0];
    const script = base === word ? '' : 'x'; // with a script it is no row
    const closes = CLOSING.has(base) ? opened.some((one) => one.base !== '|') : base === '|' && innermost().base === '|';
    if (closes) {
      while (base !== '|' && innermost().base === '|') { // it had no partner
        const { shape } = opened.pop();
        innermost().shape += `x${shape}`;
      }
      const { base: opening, start, shape } = opened.pop();
      if (ROWS.test(shape)) heads.push(start);
      const pair = PAIRS.get(opening + base) ?? 'x';
      innermost().shape += (shape.includes(',') ? pair.toUpperCase() : pair) + script;
    } else if (OPENING.has(base) || base === '|') opened.push({ base, start: index + base.length, shape: script });
    else innermost().shape += word === ',' && text[index - 1] === ' ' ? ',' : 'x';
  }
  return heads.sort((a, b) => a - b);
}
