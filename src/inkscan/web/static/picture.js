// Pictures of a formula. The browser typesets it out of sight; what it drew where is measured and drawn again, as an SVG that any
// program can open, or as a PNG.

import { isBoxed } from './convert.js';
import { setFont } from './formula.js';

const SIZE = 40; // pixels of a letter's height in the picture
const MARGIN = 8;
const LINE = 0.05; // of the size of the text: fraction bars and roots
const PNG_SCALE = 3;

/** The formula as SVG text. */
export function toSvg(mathml) {
  const { width, height, marks } = measured(mathml);
  const body = marks.map((mark) => (mark.path
    ? `<path d="${mark.path}" fill="none" stroke="#000" stroke-width="${round(mark.thickness)}"/>`
    : `<text transform="translate(${round(mark.x)} ${round(mark.y)}) scale(1 ${round(mark.stretch)})" font-size="${round(mark.size)}"`
      + `${mark.isItalic ? ' font-style="italic"' : ''} textLength="${round(mark.width)}" lengthAdjust="spacingAndGlyphs">${escaped(mark.text)}</text>`));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" `
    + `font-family="STIX Two Math, Latin Modern Math, Cambria Math, Times New Roman, serif">${body.join('')}</svg>`;
}

/** The formula as a PNG on white, in a Blob. */
export async function toPng(mathml) {
  const { width, height, marks } = measured(mathml);
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width * PNG_SCALE, height * PNG_SCALE];
  const context = canvas.getContext('2d');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = context.strokeStyle = '#000';
  for (const mark of marks) {
    context.setTransform(PNG_SCALE, 0, 0, PNG_SCALE, 0, 0);
    if (mark.path) {
      context.lineWidth = mark.thickness;
      context.stroke(new Path2D(mark.path));
    } else {
      context.font = fontOf(mark);
      context.translate(mark.x, mark.y);
      context.scale(mark.width / Math.max(context.measureText(mark.text).width, 0.1), mark.stretch);
      context.fillText(mark.text, 0, 0);
    }
  }
  return new Promise((resolve) => { canvas.toBlob(resolve, 'image/png'); });
}

/** {width, height, marks} of what the browser draws: texts with their base line, and lines. */
function measured(mathml) {
  const box = document.createElement('div');
  box.style.cssText = `position: fixed; left: -10000px; top: 0; width: max-content; font-size: ${SIZE}px; padding: ${MARGIN}px`;
  box.innerHTML = mathml; // the HTML parser knows MathML
  const math = box.firstElementChild;
  setFont(math);
  math.removeAttribute('display');
  math.style.display = 'inline math';
  math.style.mathStyle = 'normal';
  document.body.append(box);
  const frame = box.getBoundingClientRect();
  /** @type {any[]} */
  const marks = [];
  for (const element of math.querySelectorAll('*')) marks.push(...marksOf(element, frame));
  box.remove();
  return { width: Math.ceil(frame.width), height: Math.ceil(frame.height), marks };
}

function marksOf(element, frame) {
  const place = (one) => {
    const { left, right, top, bottom, width, height } = one.getBoundingClientRect();
    return { left: left - frame.left, right: right - frame.left, top: top - frame.top, bottom: bottom - frame.top, width, height };
  };
  const name = element.localName;
  const size = parseFloat(getComputedStyle(element).fontSize);
  if (['mi', 'mn', 'mo', 'mtext'].includes(name)) return textMark(element, place(element), size);
  if (name === 'mfrac' && !element.hasAttribute('linethickness')) {
    const [above, below] = [...element.children].map(place);
    const { left, right } = place(element);
    return [line(size, [[left, (above.bottom + below.top) / 2], [right, (above.bottom + below.top) / 2]])];
  }
  if (isBoxed(element)) return [boxMark(place(element), size)];
  if (name === 'msqrt' || name === 'mroot') return [rootMark(element, place, size)];
  return [];
}

/** The sign from the left of what is under the root, then the bar over it. */
function rootMark(element, place, size) {
  const all = place(element);
  const inside = [...element.children].slice(0, element.localName === 'mroot' ? 1 : undefined).map(place);
  const [left, bottom] = [Math.min(...inside.map((one) => one.left)), Math.max(...inside.map((one) => one.bottom))];
  const right = Math.max(...inside.map((one) => one.right));
  const top = Math.min(...inside.map((one) => one.top)) - 2 * LINE * size;
  const width = Math.min(left - all.left, 0.75 * size);
  const [start, height] = [left - width, bottom - top];
  return line(size, [
    [start, top + 0.62 * height], [start + 0.25 * width, top + 0.55 * height], [start + 0.52 * width, bottom], [left, top], [right, top],
  ]);
}

/** The border of a box, within its edges. */
function boxMark({ left, right, top, bottom }, size) {
  const half = LINE * size / 2;
  const [west, east, north, south] = [left + half, right - half, top + half, bottom - half];
  const { path, thickness } = line(size, [[west, north], [east, north], [east, south], [west, south]]);
  return { path: `${path}Z`, thickness };
}

function line(size, points) {
  return { path: `M${points.map(([x, y]) => `${round(x)} ${round(y)}`).join('L')}`, thickness: LINE * size };
}

function textMark(element, place, size) {
  const text = element.textContent.trim();
  if (!text || !place.width) return [];
  const isItalic = element.localName === 'mi' && [...text].length === 1 && element.getAttribute('mathvariant') !== 'normal';
  const mark = { text, isItalic, size, width: place.width, family: getComputedStyle(element).fontFamily };
  const context = document.createElement('canvas').getContext('2d');
  context.font = fontOf(mark);
  const metrics = context.measureText(text);
  const [ascent, descent] = [metrics.fontBoundingBoxAscent, metrics.fontBoundingBoxDescent];
  const [up, down] = [metrics.actualBoundingBoxAscent, metrics.actualBoundingBoxDescent];
  const isStretched = element.localName === 'mo' && place.height > 1.15 * (up + down) && element.getAttribute('stretchy') !== 'false';
  const padding = spacing(element);
  const whole = { ...mark, x: place.left + padding.left, width: place.width - padding.left - padding.right };
  if (isStretched) {
    const stretch = place.height / (up + down);
    return [{ ...whole, y: place.bottom - down * stretch, stretch }];
  }
  const top = place.height > 0.9 * (ascent + descent) ? ascent * (place.height / (ascent + descent)) : up;
  return [{ ...whole, y: place.top + top, stretch: 1 }];
}

/** Operators have room on both sides inside their box. */
function spacing(element) {
  const range = document.createRange();
  range.selectNodeContents(element);
  const [inner, outer] = [range.getBoundingClientRect(), element.getBoundingClientRect()];
  return inner.width ? { left: inner.left - outer.left, right: outer.right - inner.right } : { left: 0, right: 0 };
}

const fontOf = ({ size, family, isItalic }) => `${isItalic ? 'italic ' : ''}${size}px ${family}`;
const round = (value) => Math.round(value * 100) / 100;
const escaped = (text) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
