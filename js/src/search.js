// How an answer is searched for, and what it shall hold: the options of a call, named as in the HTTP API.

import { InkscanError } from './errors.js';
import { FULL_BEAM_STROKES, RANGES, SEARCH_DEFAULTS, TOKENS_PER_STROKE } from './tables.js';

/**
 * @typedef {object} SearchSettings
 * @property {number} beam
 * @property {number} n_best alternatives in the answer, the answer included
 * @property {number} length_power finished scores are divided by length ** length_power
 * @property {number} margin a hypothesis this far (in nats) behind the best one is dropped
 * @property {number} spread nats: once an answer is finished, one so much less likely is no alternative
 * @property {number} both_cases nats against an answer for each letter, small and capital alike, written in both cases
 * @property {number} integral_limits nats against an answer for each integral whose bounds it puts above and below the sign
 * @property {number} bare_times nats against an answer for each \times that has nothing to multiply
 * @property {number} standing nats against an answer whose dots or roots stand elsewhere than it says; 0: not looked at
 * @property {number} repeats in votes, how much it counts for an answer that it says a letter again; 0: not at all
 * @property {number} shapes in votes, how much a nat of what single symbols look like counts; 0: not at all
 * @property {number} fluency in votes, how much a nat of what formulas usually say counts; 0: not at all
 * @property {number} doubt a less sure answer is read by the second model, too, if there is one; 0: never
 * @property {number} max_tokens
 * @property {readonly string[] | null} allow the only symbols that an answer may use
 * @property {readonly string[]} forbid
 */
/**
 * @typedef {object} Options what a call may change
 * @property {number} [beam]
 * @property {number} [n_best]
 * @property {number} [length_power]
 * @property {number} [margin]
 * @property {number} [spread]
 * @property {number} [both_cases]
 * @property {number} [integral_limits]
 * @property {number} [bare_times]
 * @property {number} [standing]
 * @property {number} [repeats]
 * @property {number} [shapes]
 * @property {number} [fluency]
 * @property {number} [doubt]
 * @property {number} [max_tokens]
 * @property {readonly string[] | string | null} [allow] one string has the symbols with spaces between
 * @property {readonly string[] | string | null} [forbid]
 * @property {readonly string[] | string} [formats] parts of the answer: mathml, alternatives, symbols, alignment
 * @property {AbortSignal} [signal] gives the recognition up; it is refused with the code request.cancelled
 */
/** @typedef {{search: SearchSettings, formats: readonly string[], signal: AbortSignal | undefined}} CheckedOptions */
/** @typedef {{tokens: number, hypotheses: number}} Bounds of one ink: tokens of an answer, and hypotheses at once */

const DEFAULT_FORMATS = ['mathml', 'alternatives', 'symbols'];
const FORMATS = ['latex', ...DEFAULT_FORMATS, 'alignment'];
const KEYS = [...Object.keys(SEARCH_DEFAULTS), 'formats', 'signal'];

/**
 * How far the search goes: a step looks at every stroke for every hypothesis, and a long ink takes many steps.
 * @param {number} strokes
 * @param {SearchSettings} settings
 * @returns {Bounds}
 */
export function boundsOf(strokes, { beam, max_tokens: most }) {
  const narrowed = Math.floor((beam * FULL_BEAM_STROKES) / Math.max(strokes, FULL_BEAM_STROKES));
  return { tokens: Math.min(most + 1, TOKENS_PER_STROKE * (strokes + 1)), hypotheses: Math.min(beam, Math.max(narrowed, 2)) };
}

/**
 * The options of a call over a model's own settings; unknown ones are refused.
 * @param {Options} options
 * @param {Partial<SearchSettings>} base
 * @returns {CheckedOptions}
 */
export function readOptions(options, base) {
  const { signal, ...others } = checkedOptions(options);
  const { formats = DEFAULT_FORMATS, allow = null, forbid = null, ...numbers } = others;
  const given = Object.fromEntries(Object.entries(numbers).filter(([, value]) => value !== undefined));
  const search = {
    ...SEARCH_DEFAULTS, ...base, ...given, allow: allow === null ? null : names(allow, 'allow'), forbid: names(forbid ?? [], 'forbid'),
  };
  check(search);
  const parts = names(formats, 'formats');
  const strange = parts.find((format) => !FORMATS.includes(format));
  if (strange !== undefined) invalid(`unknown format '${strange}'; there are ${FORMATS.join(', ')}`);
  return { search, formats: parts, signal };
}

/**
 * The known options of a call, with its signal if that can be asked; what is no object of options is refused.
 * @param {Options} options
 * @returns {Options}
 */
export function checkedOptions(options) {
  if (typeof options !== 'object' || options === null) invalid(`options are an object of ${KEYS.join(', ')}`);
  const unknown = Object.keys(options).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) invalid(`unknown option '${unknown}'; there are ${KEYS.join(', ')}`);
  const { signal, ...others } = options;
  if (signal === undefined || signal === null) return others;
  if (typeof signal.addEventListener !== 'function') invalid('signal is an AbortSignal');
  return { signal, ...others };
}

/** @param {SearchSettings} settings */
function check(settings) {
  for (const [name, { whole, least, most }] of Object.entries(RANGES)) {
    const value = /** @type {any} */ (settings)[name];
    if ((whole ? Number.isInteger(value) : typeof value === 'number') && value >= least && value <= (most ?? Infinity)) continue;
    const reach = most === null ? `of at least ${least}` : `from ${least} to ${most}`;
    invalid(`${name} is ${whole ? 'a whole number' : 'a number'} ${reach}, not ${value}`);
  }
}

/** @param {unknown} value @param {string} option @returns {string[]} */
function names(value, option) {
  const list = typeof value === 'string' ? value.split(/\s+/).filter(Boolean) : value;
  if (!Array.isArray(list) || !list.every((name) => typeof name === 'string')) invalid(`${option} is a list of strings`);
  return /** @type {string[]} */ (list);
}

/** @param {string} message @returns {never} */
function invalid(message) {
  throw new InkscanError('BadRequest', message);
}
