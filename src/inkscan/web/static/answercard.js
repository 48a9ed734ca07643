// The card of the line at hand: its formula, its LaTeX, how sure it is, and the panels to look at it and to change it.

import { FormulaView } from './formulaview.js';
import { haveOneShape } from './latex.js';
import { LatexField } from './latexfield.js';
import { inWords, percent, say } from './notices.js';
import { Readings } from './readings.js';
import { Replay } from './replay.js';
import { SymbolPanel } from './symbol.js';

const NOTHING = { latex: '', mathml: '', tokens: [] };
const $ = (id) => document.getElementById(id);

export class AnswerCard {
  #surface;
  #lines;
  #line = null;
  #isStale = false;
  #formula = new FormulaView($('formula'));
  #field = new LatexField($('latex'));
  #symbol;
  #readings;
  #replay;

  constructor(surface, lines) {
    this.#surface = surface;
    this.#lines = lines;
    this.#symbol = new SymbolPanel(
      { box: $('symbol'), about: $('symbol-about'), choices: $('symbol-choices') },
      (symbol, token) => lines.correct(this.#line, symbol, token),
    );
    this.#readings = new Readings($('readings'), $('readings-none'), (alternative) => {
      this.#formula.select(null);
      lines.choose(this.#line, alternative);
    });
    this.#replay = new Replay(
      {
        box: $('replay'), none: $('replay-none'), back: $('replay-back'), play: $('replay-play'), next: $('replay-next'),
        range: $('replay-at'), tokens: $('replay-tokens'),
      },
      (heat, at) => this.#pointAt(heat, at),
    );
    this.#listen();
  }

  /** What is shown: {latex, mathml, tokens}. */
  get shown() { return this.#line?.shown ?? NOTHING; }
  get line() { return this.#line; }
  /** The line whose LaTeX somebody edits just now; null for none. */
  get edited() { return this.#field.isBusy ? this.#line : null; }

  /** Show a line, or that it changed; null for none. */
  show(line) {
    const isOther = line?.answer !== this.#line?.answer || line !== this.#line;
    this.#line = line;
    if (isOther) {
      this.#formula.select(null);
      this.#replay.answer = line?.answer ?? null;
    }
    const { answer } = line ?? {};
    const isLikeAnswer = answer && haveOneShape(this.shown.tokens, answer.tokens);
    if (!line?.problem) this.#formula.show(this.shown, isLikeAnswer ? answer.symbols : []);
    this.#field.show(this.shown.latex, Boolean(line));
    this.#field.problem = line?.problem ?? '';
    this.#readings.show(answer ?? null, this.shown.latex);
    this.#showConfidence();
    this.#fade();
    if (line) say(answer.unread.length ? `${this.shown.latex}, ${inWords(answer.unread.length, 'stroke')} not read` : this.shown.latex);
  }

  /** Strokes of the symbols of the shown line that are less sure than one likes. */
  get doubtful() { return this.#formula.doubtful.flatMap((symbol) => this.#idsOf(symbol)); }

  /** Whether newer ink is being read. */
  set isStale(value) {
    this.#isStale = value;
    this.#fade();
  }

  /** Choose a reading by its number. */
  choose(number) { this.#readings.choose(number); }

  /** Back to plain ink. */
  rest() {
    this.#replay.stop();
    this.#formula.select(null);
  }

  #listen() {
    this.#formula.addEventListener('select', ({ detail: symbol }) => {
      if (symbol) this.#replay.stop();
      this.#surface.selected = new Set(symbol ? this.#idsOf(symbol) : []);
      this.#symbol.show(symbol, symbol ? this.shown.tokens[symbol.index] : '');
      this.#surface.redraw();
    });
    this.#formula.addEventListener('down', () => $('symbol-choices').querySelector('button')?.focus());
    this.#formula.addEventListener('remove', () => this.#surface.remove(this.#surface.selected));
    $('symbol').addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      this.#formula.focusChosen();
      event.stopPropagation(); // the symbol stays chosen
    });
    for (const name of ['edit', 'revert']) {
      this.#field.addEventListener(name, ({ detail = '' }) => { if (this.#line) this.#lines.rewrite(this.#line, detail); });
    }
  }

  #idsOf(symbol) { return symbol.strokes.map((i) => this.#line.strokeIds[i]); }

  #pointAt(heat, at) {
    if (heat) this.#formula.select(null);
    this.#surface.heat = heat;
    this.#surface.redraw();
    this.#formula.point(heat ? at : null);
  }

  #fade() { $('formula').classList.toggle('stale', this.#isStale || Boolean(this.#line?.problem)); }

  #showConfidence() {
    $('confidence').hidden = !this.#line;
    if (!this.#line) return;
    const { answer, isOwn, problem } = this.#line;
    const unread = answer.unread.length ? `, ${inWords(answer.unread.length, 'stroke')} not read` : '';
    $('meter').hidden = isOwn;
    $('meter').value = answer.confidence;
    $('confidence-text').className = problem ? 'problem' : '';
    $('confidence-text').title = problem;
    $('confidence-text').textContent = problem || (isOwn ? 'your reading' : `${percent(answer.confidence)} sure`) + unread;
  }
}
