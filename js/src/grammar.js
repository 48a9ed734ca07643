// Which tokens may follow a prefix, so that every finished hypothesis is a canonical token sequence. What is permitted
// comes from Python as a table (PERMITTED); here are only the states.

import {
  ACCENTS, CLOSING_COST, DEAREST, FOREIGN, FRAME, KIND, KIND_OF_TOKEN, MAX_DEPTH, OPENS, PERMITTED, PLACE, PLACE_AFTER,
  PLACE_COST, STACKS, UNWRITABLE,
} from './tables.js';

/**
 * A prefix, as far as it matters for what may follow.
 * @typedef {object} State
 * @property {number} place where it ends
 * @property {readonly number[]} stack open groups; at PLACE.GROUP the last one is still to be opened
 * @property {number} closing tokens needed to close them
 */

/** @type {State} */
export const START_STATE = { place: PLACE.ROW_START, stack: [], closing: 0 };

/** What a token does to the state. @param {string} token */
export function kindOf(token) {
  const kind = KIND_OF_TOKEN.get(token);
  if (kind !== undefined) return kind;
  if (STACKS.has(token)) return KIND.STACK;
  if (ACCENTS.has(token)) return KIND.ACCENT;
  const isForeign = UNWRITABLE.has(token) || FOREIGN.some((prefix) => token.startsWith(prefix));
  return isForeign ? KIND.NEVER : KIND.SYMBOL;
}

/** The kind of token that closes the row in which the state stands. @param {State} state */
export function closerOf({ place, stack }) {
  const frames = place === PLACE.GROUP ? stack.slice(0, -1) : stack;
  if (!frames.length) return KIND.END;
  return frames[frames.length - 1] === FRAME.INDEX ? KIND.BRACKET_CLOSE : KIND.CLOSE;
}

/** Length of the shortest ending, the end token included. @param {State} state */
export const tokensToFinish = ({ place, closing }) => PLACE_COST[place] + closing + 1;

/**
 * The kinds that may follow, a bit each; `budget` is how many tokens may still come, the end token included.
 * @param {State} state
 * @param {number} budget
 */
export function permittedKinds(state, budget) {
  const slack = Math.max(-1, Math.min(budget - tokensToFinish(state), DEAREST));
  const mayNest = state.stack.length < MAX_DEPTH ? 1 : 0;
  return /** @type {number} */ (PERMITTED.get(`${state.place} ${closerOf(state)} ${mayNest} ${slack}`));
}

/**
 * The state after one more token that is permitted and is not the end.
 * @param {State} state
 * @param {number} kind
 * @returns {State}
 */
export function advance(state, kind) {
  const { place, stack, closing } = state;
  if (place === PLACE.GROUP) return { place: PLACE.ROW_START, stack, closing };
  if (place === PLACE.ROOT) return pushed(PLACE.ROW_START, state, kind === KIND.OPEN ? FRAME.LAST : FRAME.INDEX);
  if (kind === closerOf(state) && place !== PLACE.ROW_START) return closed(state);
  if (kind === KIND.LIMITS) return { place: PLACE.LIMITS, stack, closing };
  if (kind === KIND.ROOT) return { place: PLACE.ROOT, stack, closing };
  const frame = OPENS.get(String(kind));
  return frame === undefined ? { place: PLACE.BASE, stack, closing } : pushed(PLACE.GROUP, state, frame);
}

/** @param {number} place @param {State} state @param {number} frame @returns {State} */
function pushed(place, { stack, closing }, frame) {
  return { place, stack: [...stack, frame], closing: closing + CLOSING_COST[frame] };
}

/** @param {State} state @returns {State} */
function closed({ stack, closing }) {
  const frame = stack[stack.length - 1];
  const outer = { place: PLACE_AFTER[frame], stack: stack.slice(0, -1), closing: closing - CLOSING_COST[frame] };
  return outer.place === PLACE.GROUP ? pushed(PLACE.GROUP, outer, FRAME.LAST) : outer;
}
