// The answer's MathML to AsciiMath and Typst. MathML is a tree already, so nothing is parsed twice.

import { ASCIIMATH } from './characters.js';

// Words that Typst knows as functions of mathematics; others need op("...").
const TYPST_WORDS = new Set(('sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh coth log ln lg exp det dim ker deg hom arg '
  + 'gcd lim limsup liminf max min sup inf Pr').split(' '));
const ACCENTS = { // by the character: AsciiMath's word and Typst's
  '^': ['hat', 'hat'], '¯': ['bar', 'macron'], '‾': ['bar', 'overline'], _: ['ul', 'underline'], '→': ['vec', 'arrow'],
  '~': ['tilde', 'tilde'], '˙': ['dot', 'dot'], '¨': ['ddot', 'dot.double'], 'ˇ': ['check', 'caron'], '˘': ['breve', 'breve'],
  '´': ['acute', 'acute'], '`': ['grave', 'grave'], '˚': ['mathring', 'circle'], '←': ['overleftarrow', 'arrow.l'],
  '↔': ['overleftrightarrow', 'arrow.l.r'], '⏞': ['overbrace', 'overbrace'], '⏟': ['underbrace', 'underbrace'],
};

const ASCIIMATH_WRITER = {
  leaf: (text) => (text === '−' ? '-' : ASCIIMATH[text] ?? text.replaceAll(' ', '')),
  fence: (text) => text,
  group: (text) => `(${text})`,
  fraction: (above, below) => `(${above})/(${below})`,
  binomial: (above, below) => `((${above}),(${below}))`,
  root: (inside, index) => (index === null ? `sqrt(${inside})` : `root(${index})(${inside})`),
  accent: (sign, inside) => `${ACCENTS[sign]?.[0] ?? 'hat'}(${inside})`,
};

const TYPST_WRITER = {
  leaf: (text, kind) => {
    const plain = text === '−' ? '-' : text.replaceAll(' ', '');
    if (kind === 'mi' && plain.length > 1) return TYPST_WORDS.has(plain) ? plain : `op("${plain}")`;
    return /^[\\/#$"_^&*,;()[\]{}|`'~@]$/.test(plain) ? `\\${plain}` : plain;
  },
  fence: (text) => (text === '|' ? '|' : text),
  group: (text) => `(${text})`,
  fraction: (above, below) => `frac(${above || '""'}, ${below || '""'})`,
  binomial: (above, below) => `binom(${above}, ${below})`,
  root: (inside, index) => (index === null ? `sqrt(${inside})` : `root(${index}, ${inside})`),
  accent: (sign, inside) => {
    const word = ACCENTS[sign]?.[1] ?? 'hat';
    const isFunction = /^(underline|overline|overbrace|underbrace)$/.test(word);
    return isFunction ? `${word}(${inside})` : `accent(${inside}, ${word})`;
  },
};

export const toAsciiMath = (mathml) => written(mathml, ASCIIMATH_WRITER);
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
  const inside = (i) => row(children[i].localName === 'mrow' && !isFenced(children[i]) ? [...children[i].children] : [children[i]], writer);
  const script = (sign, i) => `${sign}${writer.group(inside(i))}`;
  switch (element.localName) {
    case 'mspace': return '';
    case 'mrow': return isBinomial(children) ? binomial(children[1], writer) : row(children, writer);
    case 'mfrac': return writer.fraction(inside(0), inside(1));
    case 'msqrt': return writer.root(row(flat(children), writer), null);
    case 'mroot': return writer.root(inside(0), inside(1));
    case 'msub': return piece(children[0], writer) + script('_', 1);
    case 'msup': return piece(children[0], writer) + script('^', 1);
    case 'msubsup': case 'munderover': return piece(children[0], writer) + script('_', 1) + script('^', 2);
    case 'munder': case 'mover': {
      const isAccent = ['accent', 'accentunder'].some((name) => element.getAttribute(name) === 'true');
      if (isAccent) return writer.accent(children[1].textContent, inside(0));
      return piece(children[0], writer) + script(element.localName === 'munder' ? '_' : '^', 1);
    }
    default: {
      const text = element.textContent;
      return element.getAttribute('fence') === 'true' ? writer.fence(text) : writer.leaf(text, element.localName);
    }
  }
}

const flat = (children) => (children.length === 1 && children[0].localName === 'mrow' ? [...children[0].children] : children);
const isFenced = (element) => element.firstElementChild?.getAttribute('fence') === 'true';
const isBinomial = (children) => children.length === 3 && children[1].localName === 'mfrac' && children[1].hasAttribute('linethickness');

function binomial(fraction, writer) {
  const [above, below] = [...fraction.children].map((part) => row(flat([part]), writer));
  return writer.binomial(above, below);
}
