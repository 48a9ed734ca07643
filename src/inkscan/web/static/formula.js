// The typeset formula: MathML from the server, with each written symbol marked by its number in the token list.

// Only fonts for mathematics stretch a root over a fraction and say where its index stands.
const MATH_FONTS = ['inkscan math', 'Latin Modern Math', 'STIX Two Math', 'Cambria Math', 'Libertinus Math', 'TeX Gyre Termes Math', 'DejaVu Math TeX Gyre'];
const STACK = [...MATH_FONTS.map((name) => `"${name}"`), 'math', 'serif'].join(', ');
const HAS_FONT = hasFont();
const SMALLEST = 0.55; // of a formula's size
const SCRIPTS_SWAPPED = new Set(['mroot']); // the index of a root is written before its inside

/** Show MathML in an element; `symbols` (in token order) become elements with data-symbol. */
export function showFormula(container, mathml, symbols = []) {
  const parsed = new DOMParser().parseFromString(mathml, 'application/xml');
  const math = document.importNode(parsed.documentElement, true);
  setFont(math);
  container.replaceChildren(math);
  const marked = markSymbols(math, symbols);
  return { math, marked };
}

/** MathML for a row of text, its fractions as large as in a formula of its own: readings may differ in one small letter of theirs. */
export const inText = (mathml) => mathml.replace('display="block"', 'display="inline" displaystyle="true"');

/** Makes a formula that is too large for its container smaller, but not too small to read; beyond that the container scrolls. */
export function fitFormula(container) {
  const math = container.querySelector('math');
  if (!math) return;
  math.style.fontSize = '';
  const style = getComputedStyle(container);
  const room = {
    width: container.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight),
    height: container.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom),
  };
  const { width, height } = math.getBoundingClientRect();
  const scale = Math.min(1, room.width / width, room.height / height);
  if (scale < 1) math.style.fontSize = `${Math.max(SMALLEST, scale)}em`;
}

/** Sets the fonts for mathematics; without one, makes room for the indices of roots, which would stand in the root sign. */
export function setFont(math, hasOne = HAS_FONT) {
  math.style.fontFamily = STACK;
  for (const root of hasOne ? [] : math.querySelectorAll('mroot')) root.lastElementChild.style.paddingInlineEnd = '1em';
}

/** Whether the page brings a font for mathematics along or the machine has one: text in it is not as wide as in its stand-in. */
function hasFont() {
  if ([...document.fonts].some(({ family }) => family.includes('inkscan math'))) return true;
  const context = document.createElement('canvas').getContext('2d');
  const width = (family) => { context.font = `40px ${family}`; return context.measureText('fx0').width; };
  const standIn = width('monospace');
  return MATH_FONTS.some((name) => width(`"${name}", monospace`) !== standIn);
}

/** Walks the formula in the order of the tokens and gives every symbol its element; says whether all were found. */
function markSymbols(math, symbols) {
  const left = symbols.map((_, number) => number);
  const take = (element) => { element.dataset.symbol = left.shift(); };
  const visit = (element) => {
    const name = element.localName;
    const children = [...element.children];
    if (name === 'mspace') return;
    if (name === 'mn' && element.textContent.length > 1) return splitNumber(element).forEach(take);
    if (['mi', 'mo', 'mn', 'mtext'].includes(name)) return take(element);
    if (name === 'mfrac' && element.hasAttribute('linethickness')) take(element.parentElement);
    else if (['mfrac', 'msqrt', 'mroot'].includes(name) || isAccent(element)) take(element);
    if (isAccent(element)) return visit(children[0]);
    if (isBinomial(element)) return visit(children[1]);
    (SCRIPTS_SWAPPED.has(name) ? children.reverse() : children).forEach(visit);
  };
  [...math.children].forEach(visit);
  return left.length === 0 && !math.querySelector('[data-symbol="undefined"]');
}

const isAccent = (element) =>
  ['mover', 'munder'].includes(element.localName) &&
  (element.getAttribute('accent') === 'true' || element.getAttribute('accentunder') === 'true');

const isBinomial = (element) => element.children[1]?.localName === 'mfrac' && element.children[1].hasAttribute('linethickness');

/** One element a digit, so that each can be tapped; they look as one number. */
function splitNumber(number) {
  const digits = [...number.textContent].map((digit) => {
    const element = document.createElementNS(number.namespaceURI, 'mn');
    element.textContent = digit;
    return element;
  });
  const row = document.createElementNS(number.namespaceURI, 'mrow');
  row.append(...digits);
  number.replaceWith(row);
  return digits;
}
