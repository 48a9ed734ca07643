// The typeset formula: MathML from the server, with each written symbol marked by its number in the token list.

const SCRIPTS_SWAPPED = new Set(['mroot']); // the index of a root is written before its inside

/** Show MathML in an element; `symbols` (in token order) become elements with data-symbol. */
export function showFormula(container, mathml, symbols = []) {
  const parsed = new DOMParser().parseFromString(mathml, 'application/xml');
  const math = document.importNode(parsed.documentElement, true);
  container.replaceChildren(math);
  const marked = markSymbols(math, symbols);
  return { math, marked };
}

/** Walks the formula in the order of the tokens and gives every symbol its element; says whether all were found. */
export function markSymbols(math, symbols) {
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
