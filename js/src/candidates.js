// Other readings of a symbol: what the alternatives have in its place, then what looks like it.

import { ACCENTS, LOOK_ALIKES, STACKS, STRUCTURE } from './tables.js';

/** @typedef {{token: string, probability: number | null}} Candidate a look-alike has no probability */
/** @typedef {{tokens: readonly string[], probability: number}} Reading */

const MOST = 6;

/** The other readings of each symbol of an answer, the likeliest first. */
export class Candidates {
  #tokens;
  #vocabulary;
  /** @type {Map<number, Map<string, number>>} */
  #shares = new Map();

  /** @param {readonly Reading[]} alternatives the answer first @param {ReadonlySet<string>} vocabulary */
  constructor(alternatives, vocabulary) {
    const [answer, ...others] = alternatives;
    this.#tokens = answer.tokens;
    this.#vocabulary = vocabulary;
    for (const { tokens, probability } of others) {
      for (const [ours, theirs] of replacements(answer.tokens, tokens)) {
        if (isSwappable(answer.tokens[ours]) && isSwappable(tokens[theirs])) this.#add(ours, tokens[theirs], probability);
      }
    }
  }

  /** For the token at this place. @param {number} index @returns {Candidate[]} */
  of(index) {
    const token = this.#tokens[index];
    if (isCompound(token)) return [];
    const shares = this.#shares.get(index) ?? new Map();
    /** @type {Candidate[]} */
    const found = [...shares].sort((a, b) => b[1] - a[1]).map(([other, probability]) => ({ token: other, probability }));
    const alike = (LOOK_ALIKES.get(token) ?? []).filter((name) => !shares.has(name) && this.#vocabulary.has(name));
    found.push(...alike.map((name) => ({ token: name, probability: null })));
    return found.slice(0, MOST);
  }

  /** @param {number} index @param {string} token @param {number} probability */
  #add(index, token, probability) {
    const shares = this.#shares.get(index) ?? new Map();
    this.#shares.set(index, shares.set(token, (shares.get(token) ?? 0) + probability));
  }
}

/** Swapping it would change more than one symbol. @param {string} token */
const isCompound = (token) => STACKS.has(token) || ACCENTS.has(token) || token === '\\sqrt';

/** @param {string} token */
const isSwappable = (token) => !isCompound(token) && !STRUCTURE.has(token);

/**
 * The places of ours and theirs that a shortest edit replaces. Of several shortest edits it is the one that rapidfuzz finds:
 * what is common at both ends stays, and from behind deletions come first, then insertions.
 * @param {readonly string[]} ours
 * @param {readonly string[]} theirs
 * @returns {[number, number][]}
 */
function replacements(ours, theirs) {
  let prefix = 0;
  while (prefix < Math.min(ours.length, theirs.length) && ours[prefix] === theirs[prefix]) prefix += 1;
  let [col, row] = [ours.length, theirs.length];
  for (; col > prefix && row > prefix && ours[col - 1] === theirs[row - 1]; col -= 1) row -= 1;
  const distance = editDistances(ours.slice(prefix, col), theirs.slice(prefix, row));
  [col, row] = [col - prefix, row - prefix];
  /** @type {[number, number][]} */
  const found = [];
  while (row && col) {
    if (distance[col][row] === distance[col - 1][row] + 1) {
      col -= 1;
    } else {
      row -= 1;
      if (row && distance[col][row] === distance[col - 1][row] - 1) continue;
      col -= 1;
      if (ours[prefix + col] !== theirs[prefix + row]) found.unshift([prefix + col, prefix + row]);
    }
  }
  return found;
}

/** @param {readonly string[]} a @param {readonly string[]} b @returns {number[][]} */
function editDistances(a, b) {
  const distance = Array.from({ length: a.length + 1 }, (_, i) => [i]);
  for (let j = 1; j <= b.length; j += 1) distance[0][j] = j;
  for (let i = 1; i <= a.length; i += 1) {
    for (let j = 1; j <= b.length; j += 1) {
      const swapped = distance[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      distance[i][j] = Math.min(swapped, distance[i - 1][j] + 1, distance[i][j - 1] + 1);
    }
  }
  return distance;
}
