// The lines of the sheet: each has its ink, its answer, and what is shown for it: the answer, corrected, chosen or rewritten.

import { prepared } from './answers.js';
import { boxOf } from './ink.js';
import { haveOneShape } from './latex.js';
import { filled, opened } from './unfinished.js';

const LEAST_REACH = 64; // pixels: a fraction bar or a minus has no height of its own

/**
 * One line. `problem` says why the user's own LaTeX cannot be typeset, if so. `tokens` are those of what is to be shown next, while
 * it is being typeset; of several such changes the last one counts.
 */
class Line {
  problem = '';
  #changes = 0;

  constructor(answer, strokes) {
    this.answer = answer;
    this.shown = answer;
    this.tokens = answer.tokens;
    this.box = boxOf(...strokes);
  }

  get strokeIds() { return this.answer.strokeIds; }
  get isOwn() { return this.shown.latex !== this.answer.latex; }

  /** Begin a change; the function says whether no other has begun since. */
  change() {
    this.#changes += 1;
    const own = this.#changes;
    return () => own === this.#changes;
  }
}

/** Events: "change", whenever what is shown of a line is other than before (detail: the line, or null for all), and "trouble" (detail: a text). */
export class Lines extends EventTarget {
  #all = [];
  #corrections;
  #typeset;

  /** `typeset` gives {latex, tokens, mathml} for {latex} or {tokens}. */
  constructor(corrections, typeset) {
    super();
    this.#corrections = corrections;
    this.#typeset = typeset;
  }

  get all() { return this.#all; }

  /** The line itself or, if it was read anew, the one that has its ink now. */
  heirOf(line) {
    if (!line || this.#all.includes(line)) return line;
    return this.#all.find(({ strokeIds }) => strokeIds.some((id) => line.strokeIds.includes(id))) ?? null;
  }

  /** The lines of this ink that hold: an ink that lost strokes has to be read again. */
  keepThoseOf(strokes) {
    const present = new Set(strokes.map(({ id }) => id));
    const kept = this.#all.filter(({ strokeIds }) => strokeIds.every((id) => present.has(id)));
    if (kept.length === this.#all.length) return;
    this.#all = kept;
    this.#tell(null);
  }

  /** The strokes to read: those that no line has, and the lines so near to them that they may be theirs. */
  unsettled(strokes) {
    const known = new Set(this.#all.flatMap(({ strokeIds }) => strokeIds));
    const fresh = strokes.filter(({ id }) => !known.has(id));
    if (!fresh.length) return [];
    const near = this.#all.filter((line) => fresh.some((stroke) => isNear(line.box, boxOf(stroke))));
    const wanted = new Set([...fresh.map(({ id }) => id), ...near.flatMap(({ strokeIds }) => strokeIds)]);
    return strokes.filter(({ id }) => wanted.has(id));
  }

  /** Take the reader's lines for the strokes that it was asked about; `strokes` are those of the sheet now. */
  take(asked, replies, strokes) {
    const present = new Set(strokes.map(({ id }) => id));
    const touched = new Set(asked.map(({ id }) => id));
    const found = replies
      .map((reply) => this.#line(reply, reply.strokes.map((i) => asked[i])))
      .filter(({ strokeIds }) => strokeIds.every((id) => present.has(id)));
    // Where an undo has taken back what was asked about, a line whose ink is all there goes on.
    const read = new Set(found.flatMap(({ strokeIds }) => strokeIds));
    const isGone = asked.some(({ id }) => !present.has(id));
    const others = this.#all.filter(({ strokeIds }) => !strokeIds.some((id) => (isGone ? read : touched).has(id)));
    this.#all = [...others, ...found].sort((a, b) => a.box.top - b.box.top);
    this.#tell(null);
    for (const line of found) this.#dress(line);
  }

  /** Another reading of one symbol of a line. */
  correct(line, symbol, token) {
    const { answer, strokeIds } = line;
    const tokens = [...line.tokens];
    if (!haveOneShape(tokens, answer.tokens)) return null; // what stands there is no longer this symbol
    tokens[symbol.index] = token;
    if (this.#corrections.written(strokeIds)) this.#corrections.adopt(answer, { tokens, latex: tokens.join(' ') });
    else this.#corrections.set(symbol, strokeIds, token);
    return this.#showTokens(line, tokens);
  }

  /** Another reading of a whole line. */
  choose(line, alternative) {
    this.#corrections.adopt(line.answer, alternative);
    line.change();
    this.#show(line, alternative);
  }

  /** The user's own LaTeX; without a text the answer holds again. */
  rewrite(line, latex) {
    const isOwn = latex && latex !== line.answer.latex;
    this.#corrections.write(line.strokeIds, isOwn ? latex : '');
    line.change();
    this.#show(line, isOwn ? { ...line.shown, latex } : line.answer); // until it is typeset
    return this.#dress(line);
  }

  /** A line with the same ink and the same answer stays what it is. */
  #line(reply, strokes) {
    const answer = prepared(reply, strokes);
    const key = answer.strokeIds.join();
    const old = this.#all.find((line) => line.strokeIds.join() === key);
    return old && old.answer.latex === answer.latex ? Object.assign(old, { answer, shown: old.isOwn ? old.shown : answer }) : new Line(answer, strokes);
  }

  /** Show what the user made of this line before. */
  async #dress(line) {
    const own = this.#corrections.written(line.strokeIds);
    const tokens = this.#corrections.apply(line.answer);
    const reading = line.answer.alternatives.find(({ latex }) => latex === own);
    if (reading) {
      line.change();
      this.#show(line, reading);
    } else if (own) await this.#showOwn(line, own);
    else if (tokens) await this.#showTokens(line, tokens);
  }

  async #showTokens(line, tokens) {
    const { answer } = line;
    const isLast = line.change();
    line.tokens = tokens;
    try {
      const typeset = await this.#typeset({ tokens: filled(answer, tokens) });
      if (!isLast()) return;
      if (this.#corrections.written(line.strokeIds)) this.#corrections.write(line.strokeIds, typeset.latex);
      this.#show(line, answer.whole ? opened(typeset, answer.whole.parts) : typeset);
    } catch (error) {
      this.#trouble(error.code ? error.message : 'The server cannot be reached. Your choice is kept until it is back.');
    }
  }

  /** To the letter. What cannot be typeset is kept and can be copied all the same. */
  async #showOwn(line, latex) {
    const isLast = line.change();
    let [shown, problem] = [{ latex, mathml: '', tokens: [] }, ''];
    try {
      shown = { ...await this.#typeset({ latex }), latex };
    } catch (error) {
      problem = error.code ? error.message : 'The server cannot be reached. Your text is kept and typeset when it is back.';
    }
    if (isLast()) this.#show(line, shown, problem);
  }

  #show(line, shown, problem = '') {
    line.shown = shown;
    line.tokens = shown.tokens;
    line.problem = problem;
    this.#tell(line);
  }

  #tell(line) { this.dispatchEvent(new CustomEvent('change', { detail: line })); }
  #trouble(text) { this.dispatchEvent(new CustomEvent('trouble', { detail: text })); }
}

/** Whether a stroke is closer to a line than either is high: then it may belong to it. */
function isNear(line, box) {
  const reach = Math.max(line.height, box.height, LEAST_REACH);
  return box.top < line.bottom + reach && box.bottom > line.top - reach;
}
