// Segmentation: which strokes write each symbol, read off the attention.

import { STRUCTURE, TINY } from './tables.js';

/**
 * The attention of each token as shares of the strokes; rows sum to one.
 * @param {readonly Float32Array[]} alphas
 * @returns {Float32Array[]}
 */
export function strokeShares(alphas) {
  return alphas.map((row) => {
    const total = row.reduce((sum, share) => sum + share, 0);
    return row.map((share) => (total > TINY ? share / total : 1 / row.length));
  });
}

/**
 * Whether strokes write each token: not for braces, scripts and the brackets of a root's index.
 * @param {readonly string[]} tokens
 */
export function isWritten(tokens) {
  const written = tokens.map((token) => !STRUCTURE.has(token));
  /** @type {boolean[]} */
  const openIndex = []; // for each open row: whether it is the index of a root
  tokens.forEach((token, i) => {
    if (token === '[' && tokens[i - 1] === '\\sqrt') {
      written[i] = false;
      openIndex.push(true);
    } else if (token === '{') {
      openIndex.push(false);
    } else if (token === ']' && openIndex.at(-1)) {
      written[i] = false;
      openIndex.pop();
    } else if (token === '}') {
      openIndex.pop();
    }
  });
  return written;
}

/**
 * Strokes of each token: every stroke belongs to exactly one written token.
 *
 * A stroke goes to the symbol that looked at it most. A symbol left without any takes one from a symbol that has several:
 * the one it looked at most, compared with its owner.
 * @param {readonly Float32Array[]} shares
 * @param {readonly boolean[]} written
 * @returns {number[][]}
 */
export function segment(shares, written) {
  /** @type {number[][]} */
  const groups = written.map(() => []);
  const symbols = written.flatMap((is, i) => (is ? [i] : []));
  if (!symbols.length) return groups;
  const gain = symbols.map((symbol) => Float64Array.from(shares[symbol], (share) => Math.log(Math.fround(share + TINY))));
  const strokes = Array.from(gain[0].keys());
  const owner = strokes.map((stroke) => largestAt(gain.map((row) => row[stroke])));
  feedTheEmpty(owner, gain);
  owner.forEach((number, stroke) => groups[symbols[number]].push(stroke));
  return groups;
}

/** @param {number[]} owner of each stroke @param {Float64Array[]} gain (symbols, strokes) */
function feedTheEmpty(owner, gain) {
  const counts = gain.map((_, symbol) => owner.filter((one) => one === symbol).length);
  while (counts.includes(0) && counts.some((count) => count > 1)) {
    const best = { loss: -Infinity, taker: -1, stroke: -1 };
    gain.forEach((row, taker) => {
      if (counts[taker]) return;
      owner.forEach((holder, stroke) => {
        const loss = row[stroke] - gain[holder][stroke];
        if (counts[holder] > 1 && loss > best.loss) Object.assign(best, { loss, taker, stroke });
      });
    });
    counts[owner[best.stroke]] -= 1;
    owner[best.stroke] = best.taker;
    counts[best.taker] += 1;
  }
}

/** @param {number[]} values */
const largestAt = (values) => values.reduce((best, value, i) => (value > values[best] ? i : best), 0);
