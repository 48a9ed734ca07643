// Lines: an ink of several lines of mathematics parted into its lines, by the places of its strokes alone.
//
// Strokes fall into bands between which a horizontal line can be drawn. Two neighbouring bands are one line of mathematics if
// they nearly touch, if one of them is no more than dots and bars, if a fraction's bar holds them together, or if one is small
// writing over or under the other, as the limits of a sum are.
//
// Each bar is compared with each stroke once when their lines are joined and at most twice when they are not.

import { parted, strokeBoxes, writingSize } from './boxes.js';
import { LINES } from './tables.js';

/** @typedef {import('./boxes.js').StrokeBox} StrokeBox */
/** @typedef {StrokeBox & {hasAbove: boolean, hasBelow: boolean}} Placed with whether a bar has others of its line at its sides */
/** @typedef {Placed[]} Band */

/**
 * The strokes of each line, top to bottom; every stroke is in one line, and a single formula is one line.
 * @param {readonly import('./ink.js').Stroke[]} ink
 * @returns {number[][]}
 */
export function linesOf(ink) {
  const boxes = strokeBoxes(ink);
  const lines = joined(bandsOf(boxes), writingSize(boxes));
  return lines.map((line) => line.map(({ stroke }) => stroke).sort((a, b) => a - b));
}

/** Boxes in groups between which a horizontal line passes, top to bottom. @param {StrokeBox[]} boxes */
function bandsOf(boxes) {
  const placed = boxes.map((box) => ({ ...box, hasAbove: false, hasBelow: false }));
  return parted(boxes.map(({ top, bottom }) => [top, bottom])).map((band) => band.map((at) => placed[at]));
}

/**
 * Bands joined to lines, the closest neighbours first; twice, since what has grown may hold more together.
 * @param {Band[]} bands
 * @param {number} unit
 */
function joined(bands, unit) {
  bands.forEach((band) => lookAlong(band, band, unit));
  let lineOf = bands.map((band) => [...band]);
  const gaps = bands.slice(1).map((lower, at) => ({ gap: gapOf(bands[at], lower), at }));
  gaps.sort((a, b) => a.gap - b.gap || a.at - b.at);
  for (const { gap, at } of [...gaps, ...gaps]) {
    const [upper, lower] = [lineOf[at], lineOf[at + 1]];
    if (upper !== lower && isOneLine(upper, lower, unit ? gap / unit : 0, unit)) {
      lookAlong(upper, lower, unit);
      lookAlong(lower, upper, unit);
      upper.push(...lower);
      upper.sort((a, b) => a.size - b.size); // two sorted runs: linear, and so is the median
      lineOf = lineOf.map((line) => (line === lower ? upper : line));
    }
  }
  return lineOf.filter((line, at) => line !== lineOf[at - 1]);
}

/** @param {Band} upper @param {Band} lower */
const gapOf = (upper, lower) => Math.min(...lower.map(({ top }) => top)) - Math.max(...upper.map(({ bottom }) => bottom));

/** @param {Band} upper @param {Band} lower @param {number} gap in units @param {number} unit */
function isOneLine(upper, lower, gap, unit) {
  return gap < LINES.NEAR
    || (gap < LINES.REACH && (isSlight(upper, unit) || isSlight(lower, unit)))
    || isFraction(upper, lower, unit)
    || (gap < LINES.LIMIT_REACH && (isLimit(upper, lower, unit) || isLimit(lower, upper, unit)));
}

/** Whether a band has nothing but dots and bars. @param {Band} band @param {number} unit */
const isSlight = (band, unit) => band.every(({ height }) => height < LINES.SLIGHT * unit);

/**
 * Whether the upper band is numerators over bars of the lower, or the lower denominators under bars of the upper. A bar of the
 * upper band with nothing above it is a minus sign or an arrow; one with something on both sides has both already.
 * @param {Band} upper
 * @param {Band} lower
 * @param {number} unit
 */
function isFraction(upper, lower, unit) {
  const over = barsOf(upper, unit).filter(({ hasAbove, hasBelow }) => hasAbove && !hasBelow);
  const under = barsOf(lower, unit).filter(({ hasAbove }) => !hasAbove);
  return hold(over, lower, unit) || hold(under, upper, unit);
}

/** @param {Band} band @param {number} unit */
function barsOf(band, unit) {
  return band.filter(({ width, height }) => height < LINES.FLAT * width && width > LINES.SHORTEST_BAR * unit);
}

/** See which bars have any of the others above or below them. @param {Band} line @param {Band} others @param {number} unit */
function lookAlong(line, others, unit) {
  for (const bar of barsOf(line, unit)) {
    if (bar.hasAbove && bar.hasBelow) continue;
    for (const box of others) {
      if (box === bar || !faces(bar, box, unit)) continue;
      bar.hasAbove ||= box.bottom <= bar.bottom;
      bar.hasBelow ||= box.top >= bar.top;
    }
  }
}

/**
 * Whether most of the others stand over or under bars, which are near and as wide as they are.
 * @param {Band} bars
 * @param {Band} others
 * @param {number} unit
 */
function hold(bars, others, unit) {
  let held = 0;
  for (const bar of bars) {
    const facing = others.filter((box) => faces(bar, box, unit));
    const nearest = Math.min(...facing.map((box) => Math.max(box.top - bar.bottom, bar.top - box.bottom)));
    const width = Math.max(...facing.map(({ right }) => right)) - Math.min(...facing.map(({ left }) => left));
    if (facing.length && nearest <= LINES.BAR_REACH * unit && bar.width > LINES.BAR_WIDTH * width) held += facing.length;
  }
  return held >= LINES.MOST * others.length;
}

/** Whether a box lies within the width of a bar. @param {StrokeBox} bar @param {StrokeBox} box @param {number} unit */
function faces(bar, box, unit) {
  return bar.left - LINES.OVERHANG * unit < box.left && box.right < bar.right + LINES.OVERHANG * unit;
}

/** Whether a band is small writing within the width of the other. @param {Band} small @param {Band} large @param {number} unit */
function isLimit(small, large, unit) {
  const [left, right] = [Math.min(...large.map((box) => box.left)), Math.max(...large.map((box) => box.right))];
  const [first, last] = [Math.min(...small.map((box) => box.left)), Math.max(...small.map((box) => box.right))];
  return last - first < LINES.NARROW * (right - left)
    && left - LINES.OVERHANG * unit < first
    && last < right + LINES.OVERHANG * unit
    && writingSize(small) < LINES.SMALL * writingSize(large);
}
