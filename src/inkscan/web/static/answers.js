// A reply of the reader made ready to be shown: what it leaves open is said, and its percentages agree with each other.

import { withoutInventions } from './unfinished.js';

/**
 * A reply about these strokes, as the page shows it.
 *
 * It gets `strokeIds`, `unread` (the ids of the strokes that no symbol explains), no parts of fractions that nobody wrote, and
 * shares of readings and symbols that never come to more than the whole.
 */
export function prepared(reply, strokes) {
  const strokeIds = strokes.map(({ id }) => id);
  const unread = (reply.unread ?? []).map((i) => strokeIds[i]);
  return agreed({ ...withoutInventions(reply, strokes), strokeIds, unread });
}

function agreed(answer) {
  const [first, ...others] = answer.alternatives ?? [];
  const shares = sharesBeside(answer.confidence, others.map(({ probability }) => probability));
  const rest = others.map((other, i) => ({ ...other, probability: shares[i] }));
  return {
    ...answer,
    alternatives: first ? [{ ...first, probability: answer.confidence }, ...rest] : [],
    symbols: (answer.symbols ?? []).map(agreedSymbol),
  };
}

function agreedSymbol(symbol) {
  const shares = sharesBeside(symbol.confidence, (symbol.candidates ?? []).map(({ probability }) => probability));
  return { ...symbol, candidates: (symbol.candidates ?? []).map((candidate, i) => ({ ...candidate, probability: shares[i] })) };
}

/**
 * The others' shares beside one that is `sure`: the search's own numbers where there is room, else less, never more than the
 * first. Without a number (null) a reading keeps none: it only looks alike.
 */
export function sharesBeside(sure, others) {
  const sum = others.reduce((total, share) => total + (share ?? 0), 0);
  const scale = sum > 0 ? Math.min(1, (1 - sure) / sum) : 1;
  return others.map((share) => (share === null ? null : Math.min(sure, share * scale)));
}
