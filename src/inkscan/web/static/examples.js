// Formulas to try, drawn by the project itself.

import { boxOf, svgPath } from './ink.js';
import { readInk } from './inkfile.js';
import { onTap } from './tap.js';

const NAMES = {
  polynomial: 'polynomial', quadratic: 'quadratic formula', euler: 'Euler’s identity', integral: 'Gaussian integral',
  'gauss-sum': 'sum of the first n numbers', trigonometry: 'sine and cosine',
};
const SVG = 'http://www.w3.org/2000/svg';

/**
 * A button with a small drawing for each example; `choose` gets its strokes and whether to animate, `write` the events of
 * a press that is no tap.
 */
export async function exampleButtons(box, write, choose) {
  const calm = matchMedia('(prefers-reduced-motion: reduce)');
  const found = await Promise.allSettled(Object.entries(NAMES).map(async ([name, title]) => {
    const response = await fetch(new URL(`examples/${name}.inkml`, import.meta.url));
    if (!response.ok) throw new Error(response.statusText);
    const text = await response.text();
    const button = document.createElement('button');
    button.type = 'button';
    button.dataset.example = name;
    button.setAttribute('aria-label', `Try: ${title}`);
    button.title = title;
    button.append(drawing(readInk(text)));
    onTap(button, write, () => choose(readInk(text), !calm.matches));
    return button;
  }));
  box.append(...found.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
}

/** A small picture of strokes. */
export function drawing(strokes) {
  const { left, top, width, height } = boxOf(...strokes);
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', `${left - 4} ${top - 4} ${width + 8} ${height + 8}`);
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', svgPath(strokes));
  path.setAttribute('vector-effect', 'non-scaling-stroke');
  svg.append(path);
  return svg;
}
