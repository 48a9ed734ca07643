// The page: a surface to write on, a reader, and the answer with everything one can do with it.

import { prepared } from './answers.js';
import { LiveClient, post } from './client.js';
import { Copying } from './copying.js';
import { Corrections } from './corrections.js';
import { exampleButtons } from './examples.js';
import { download, takeFiles } from './files.js';
import { FormulaView } from './formulaview.js';
import { fitted } from './ink.js';
import { readInk, toInkml } from './inkfile.js';
import { listenToKeys } from './keys.js';
import { LatexField } from './latexfield.js';
import { askForKey, inWords, percent, say, toast } from './notices.js';
import { Readings } from './readings.js';
import { Replay } from './replay.js';
import { SheetList } from './sheetlist.js';
import { Sheets } from './sheets.js';
import { openStore } from './store.js';
import { InkSurface } from './surface.js';
import { SymbolPanel } from './symbol.js';
import { filled, opened } from './unfinished.js';

const PAUSE_MS = 100; // from pen-up to recognition
const TOOLS = 64; // pixels that the tools cover
const WISHES = { n_best: 5, formats: ['latex', 'mathml', 'alternatives', 'symbols', 'alignment'] };
const NOTHING = { latex: '', mathml: '', tokens: [] };

const $ = (id) => document.getElementById(id);
const surface = new InkSurface($('canvas'));
addEventListener('inkscan-theme', () => surface.redraw());
const client = new LiveClient({ wishes: WISHES, key: sessionStorage.getItem('inkscan-key') ?? '' });
const corrections = new Corrections();
const formula = new FormulaView($('formula'));
const field = new LatexField($('latex'));

let answer = null; // the newest answer, or null without ink
let shown = NOTHING; // what the page shows: the answer, corrected or chosen
let timer = 0;
let isStale = false;
let latency = null;
let model = '';

// Ink to answers

surface.addEventListener('change', () => {
  replay.stop();
  formula.select(null);
  updateTools();
  clearTimeout(timer);
  timer = setTimeout(() => client.update(surface.strokes), PAUSE_MS);
  setStale(surface.strokes.length > 0);
  keep();
  if (surface.strokes.length) return;
  take(null);
  say('Nothing is written');
});
surface.addEventListener('pendown', () => { replay.stop(); formula.select(null); $('empty').hidden = true; });
surface.addEventListener('penup', updateTools);
surface.addEventListener('scratch', ({ detail }) => say(`${inWords(detail.length, 'stroke')} scratched out`));

client.addEventListener('answer', ({ detail }) => {
  const ids = surface.strokes.map(({ id }) => id);
  const isNewest = ids.length === detail.strokeIds.length && ids.every((id, i) => id === detail.strokeIds[i]);
  if (!ids.length || (!isNewest && !detail.strokeIds.every((id) => ids.includes(id)))) return;
  latency = detail.latex === undefined ? latency : detail.roundTrip;
  const strokes = detail.strokeIds.map((id) => surface.strokes[ids.indexOf(id)]);
  take(detail.latex === undefined ? null : prepared(detail, strokes));
  setStale(!isNewest);
});
client.addEventListener('failure', ({ detail }) => {
  setStale(false);
  if (detail.code !== 'request.unauthorized') toast(detail.message);
  else askForKey(sessionStorage.getItem('inkscan-key'), (key) => {
    sessionStorage.setItem('inkscan-key', key);
    client.key = key;
  });
});
client.addEventListener('state', () => { showState(); if (client.state === 'offline') say('The server cannot be reached; your ink is kept.'); });

async function take(next) {
  answer = next;
  replay.answer = next;
  formula.select(null);
  const own = next && corrections.written(next.strokeIds);
  const tokens = next && corrections.apply(next);
  show(next ?? NOTHING);
  if (own) await edit(own);
  else if (tokens) await correct(tokens);
}

/** Show other tokens than the answer's. */
async function correct(tokens) {
  const about = answer;
  try {
    const typeset = await typesetBy({ tokens: filled(about, tokens) });
    if (about === answer) show(about.whole ? opened(typeset, about.whole.parts) : typeset);
  } catch (error) {
    toast(error.code ? error.message : 'The server cannot be reached. Your choice is kept until it is back.');
  }
}

/** Show the user's own LaTeX, to the letter. What cannot be typeset is kept and can be copied all the same. */
async function edit(latex) {
  const about = answer;
  try {
    const typeset = await typesetBy({ latex });
    if (about === answer) show({ ...typeset, latex });
  } catch (error) {
    if (about !== answer) return;
    shown = { ...NOTHING, latex };
    field.show(latex, true);
    field.problem = error.code ? error.message : 'The server cannot be reached. Your text is kept and typeset when it is back.';
    showConfidence();
    $('formula').classList.add('stale');
    keep();
  }
}

const typesetBy = (what) => post('v1/typeset', what, { key: sessionStorage.getItem('inkscan-key') ?? '' });

field.addEventListener('edit', ({ detail: latex }) => {
  if (!answer) return;
  const isOwn = latex && latex !== answer.latex;
  corrections.write(answer.strokeIds, isOwn ? latex : '');
  formula.select(null);
  if (isOwn) edit(latex);
  else show(answer);
});
field.addEventListener('revert', () => {
  if (!answer) return;
  corrections.write(answer.strokeIds);
  take(answer);
});

// What is shown

function show(next) {
  shown = next;
  const isLikeAnswer = answer && next.tokens.length === answer.tokens.length;
  formula.show(next, isLikeAnswer ? answer.symbols : []);
  field.show(next.latex, Boolean(answer));
  field.problem = '';
  showConfidence();
  if (answer) say(answer.unread.length ? `${next.latex}, ${inWords(answer.unread.length, 'stroke')} not read` : next.latex);
  surface.doubtful = new Set(formula.doubtful.flatMap((symbol) => strokeIdsOf(symbol)));
  surface.unread = new Set(answer?.unread);
  surface.redraw();
  readings.show(answer, next.latex);
  keep();
  updateTools();
  showState();
}

function showConfidence() {
  $('confidence').hidden = !answer;
  if (!answer) return;
  const isOwn = shown.latex !== answer.latex;
  $('meter').hidden = isOwn;
  $('meter').value = answer.confidence;
  $('confidence-text').className = field.problem ? 'problem' : '';
  const sure = field.problem || isOwn ? field.problem || 'your reading' : `${percent(answer.confidence)} sure`;
  $('confidence-text').textContent = answer.unread.length ? `${sure}, ${inWords(answer.unread.length, 'stroke')} not read` : sure;
}

const strokeIdsOf = (symbol) => symbol.strokes.map((i) => answer.strokeIds[i]);

function setStale(value) {
  isStale = value;
  $('formula').classList.toggle('stale', value || Boolean(field.problem));
  showState();
}

function showState() {
  const state = client.state === 'online' && isStale ? 'reading' : client.state;
  const texts = {
    connecting: 'connecting',
    offline: 'offline',
    online: latency === null ? 'ready' : `${Math.round(latency)} ms`,
    reading: 'reading',
  };
  $('state').dataset.state = state;
  $('state-model').textContent = model && state !== 'offline' ? `${model} · ` : '';
  $('state-text').textContent = texts[state];
  $('notice').hidden = state !== 'offline';
  $('notice').textContent = surface.strokes.length
    ? 'Offline. Your ink is kept and read when the server is back.' : 'Offline. Trying again.';
}

function updateTools() {
  const { strokes } = surface;
  $('undo').disabled = !surface.canUndo;
  $('redo').disabled = !surface.canRedo;
  $('clear').disabled = $('save').disabled = !strokes.length;
  $('empty').hidden = strokes.length > 0;
  $('formula').dataset.hint = strokes.length ? '' : 'Your formula appears here as you write';
  $('copy').disabled = $('copy-as').disabled = !strokes.length;
  $('canvas').setAttribute('aria-label', strokes.length ? `Writing area, ${inWords(strokes.length, 'stroke')}` : 'Writing area, empty');
}

// Symbols, readings and the replay

const symbolPanel = new SymbolPanel(
  { box: $('symbol'), about: $('symbol-about'), choices: $('symbol-choices') },
  (symbol, token) => {
    corrections.write(answer.strokeIds);
    corrections.set(symbol, answer.strokeIds, token);
    const tokens = [...shown.tokens];
    tokens[symbol.index] = token;
    correct(tokens);
  },
);
const readings = new Readings($('readings'), $('readings-none'), (alternative) => {
  corrections.write(answer.strokeIds);
  corrections.adopt(answer, alternative);
  formula.select(null);
  show(alternative);
});
const replay = new Replay(
  {
    box: $('replay'), none: $('replay-none'), back: $('replay-back'), play: $('replay-play'), next: $('replay-next'),
    range: $('replay-at'), tokens: $('replay-tokens'),
  },
  (heat, at) => {
    if (heat) formula.select(null);
    surface.heat = heat;
    surface.redraw();
    formula.point(heat ? at : null);
  },
);

formula.addEventListener('select', ({ detail: symbol }) => {
  if (symbol) replay.stop();
  surface.selected = new Set(symbol ? strokeIdsOf(symbol) : []);
  symbolPanel.show(symbol, symbol ? shown.tokens[symbol.index] : '');
  surface.redraw();
});
formula.addEventListener('down', () => $('symbol-choices').querySelector('button')?.focus());
formula.addEventListener('remove', () => surface.remove(surface.selected));
$('symbol').addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  formula.focusChosen();
  event.stopPropagation(); // the symbol stays chosen
});

// Tools, files, the clipboard

function useTool(name) {
  surface.tool = name;
  $('canvas').dataset.tool = name;
  for (const id of ['pen', 'eraser']) $(id).setAttribute('aria-pressed', id === name);
}

async function open(file) {
  try {
    const { width, height } = surface.size;
    const strokes = readInk(await file.text());
    surface.replace(fitted(strokes, width, height - TOOLS));
    say(`${file.name} opened, ${inWords(strokes.length, 'stroke')}`);
  } catch (error) {
    toast(`${file.name}: ${error.message}`);
  }
}

function save() {
  if (surface.strokes.length) download('formula.inkml', 'application/inkml+xml', toInkml(surface.strokes, shown.latex));
}

const ACTIONS = {
  pen: () => useTool('pen'),
  eraser: () => useTool('eraser'),
  undo: () => surface.undo(),
  redo: () => surface.redo(),
  clear: () => surface.clear(),
  open: () => $('file').click(),
  save,
  sheets: () => sheetList.open(),
  theme: () => globalThis.inkscanToggleTheme(),
  help: () => $('help-dialog').showModal(),
};
for (const [id, action] of Object.entries(ACTIONS)) $(id).addEventListener('click', action);
const copying = new Copying($('copy'), $('copy-as'), () => ({ ...shown, strokes: surface.strokes }));
takeFiles($('file'), open);
listenToKeys({
  ...ACTIONS,
  copy: () => copying.copy('latex'),
  choose: (number) => readings.choose(number),
  escape: () => { replay.stop(); formula.select(null); },
});

// Sheets

const sheets = new Sheets(openStore());
const sheetList = new SheetList(
  { dialog: $('sheets-dialog'), list: $('sheet-list'), none: $('sheets-none'), begin: $('sheets-begin'), forget: $('sheets-forget') },
  sheets,
  useSheet,
);

function useSheet(sheet) {
  corrections.entries = sheet.corrections;
  surface.begin(sheet.strokes);
}

function keep() {
  const changes = { strokes: surface.strokes, latex: shown.latex, corrections: corrections.entries };
  sheets.keep(changes).catch(() => toast('This browser does not let the page keep your ink: save it as a file.'));
}

async function introduce() {
  try {
    const about = await (await fetch('v1/model')).json();
    model = about.model;
    const licence = about.licence ? `, weights ${about.licence}` : '';
    $('about').textContent = `inkscan ${about.version}, model ${about.model}${licence}. Your ink goes to this server only. `;
    const link = document.createElement('a');
    link.href = 'docs';
    link.textContent = 'HTTP API';
    $('about').append(link);
    showState();
  } catch {
    // The state in the header says already that the server is away.
  }
}

exampleButtons($('examples'), (press) => surface.takeOver(press), (strokes, animated) => {
  $('canvas').focus(); // the buttons go
  const { width, height } = surface.size;
  const ink = fitted(strokes, width, height - TOOLS);
  return animated ? writeOut(ink) : surface.replace(ink);
});

/** Strokes appear one after the other, as if written. */
async function writeOut(strokes) {
  surface.clear();
  const pause = Math.min(90, 1400 / strokes.length);
  for (const stroke of strokes) {
    surface.add(stroke);
    await new Promise((resolve) => { setTimeout(resolve, pause); });
  }
}

updateTools();
introduce();
const resumed = await sheets.resume();
if (resumed.strokes.length && !surface.strokes.length) useSheet(resumed);
