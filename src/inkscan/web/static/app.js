// The page: a surface to write on, a live client, and the answer with everything one can do with it.

import { LiveClient, post } from './client.js';
import { Corrections } from './corrections.js';
import { exampleButtons } from './examples.js';
import { fitFormula, showFormula } from './formula.js';
import { fitted } from './ink.js';
import { readInk, toInkml } from './inkfile.js';
import { Readings, percent } from './readings.js';
import { Replay } from './replay.js';
import { InkSurface } from './surface.js';
import { SymbolPanel } from './symbol.js';

const PAUSE_MS = 100; // from pen-up to recognition
const TOOLS = 64; // pixels that the tools cover
const DOUBT = 0.6; // a symbol less sure than this is marked
const WISHES = { n_best: 5, formats: ['latex', 'mathml', 'alternatives', 'symbols', 'alignment'] };

const $ = (id) => document.getElementById(id);
const surface = new InkSurface($('canvas'));
addEventListener('inkscan-theme', () => surface.redraw());
const client = new LiveClient({ wishes: WISHES, key: sessionStorage.getItem('inkscan-key') ?? '' });
const corrections = new Corrections();

let answer = null; // the server's newest answer, or null without ink
let shown = { latex: '', mathml: '', tokens: [] }; // what the page shows: the answer, corrected or chosen
let chosen = null; // the chosen symbol's number
let timer = 0;
let isStale = false;
let latency = null;
let model = '';

// Ink to answers

surface.addEventListener('change', () => {
  replay.stop();
  select(null);
  updateTools();
  clearTimeout(timer);
  timer = setTimeout(() => client.update(surface.strokes), PAUSE_MS);
  setStale(surface.strokes.length > 0);
  if (surface.strokes.length) return;
  take(null);
  say('Nothing is written');
});
surface.addEventListener('pendown', () => { replay.stop(); select(null); $('empty').hidden = true; });
surface.addEventListener('penup', updateTools);
surface.addEventListener('scratch', ({ detail }) => say(`${strokesInWords(detail.length)} scratched out`));

client.addEventListener('answer', ({ detail }) => {
  const ids = surface.strokes.map(({ id }) => id);
  const isNewest = ids.length === detail.strokeIds.length && ids.every((id, i) => id === detail.strokeIds[i]);
  if (!ids.length || (!isNewest && !detail.strokeIds.every((id) => ids.includes(id)))) return;
  latency = detail.latex === undefined ? latency : detail.roundTrip;
  take(detail.latex === undefined ? null : detail);
  setStale(!isNewest);
});
client.addEventListener('failure', ({ detail }) => {
  setStale(false);
  if (detail.code === 'request.unauthorized') askForKey();
  else toast(detail.message);
});
client.addEventListener('state', () => { showState(); if (client.state === 'offline') say('The server cannot be reached; your ink is kept.'); });

async function take(next) {
  answer = next;
  replay.answer = next;
  select(null);
  const tokens = next && corrections.apply(next);
  if (!next) corrections.clear();
  show(next ?? { latex: '', mathml: '', tokens: [] });
  if (tokens) await correct(tokens);
}

/** Show other tokens than the answer's, typeset by the server. */
async function correct(tokens) {
  const about = answer;
  try {
    const typeset = await post('v1/typeset', { tokens }, { key: sessionStorage.getItem('inkscan-key') ?? '' });
    if (about === answer) show({ ...typeset, tokens });
  } catch (error) {
    toast(error.code ? error.message : 'The server cannot be reached, so the formula cannot be changed now.');
  }
}

// What is shown

function show(next) {
  shown = next;
  const isLikeAnswer = answer && next.tokens.length === answer.tokens.length;
  const symbols = isLikeAnswer ? answer.symbols : [];
  $('formula').replaceChildren();
  if (next.mathml) {
    const { math } = showFormula($('formula'), next.mathml, symbols);
    prepareSymbols(math, symbols, next.tokens);
    fitFormula($('formula'));
  }
  $('latex').textContent = next.latex;
  $('confidence').hidden = !answer;
  if (answer) {
    const isOwn = next.latex !== answer.latex;
    $('meter').hidden = isOwn;
    $('meter').value = answer.confidence;
    $('confidence-text').textContent = isOwn ? 'your reading' : `${percent(answer.confidence)} sure`;
    say(next.latex);
  }
  const doubtful = symbols.filter((symbol) => isDoubtful(symbol, next.tokens));
  surface.doubtful = new Set(doubtful.flatMap((symbol) => strokeIdsOf(symbol)));
  surface.redraw();
  readings.show(answer, next.latex);
  updateTools();
  showState();
}

const isDoubtful = (symbol, tokens) => symbol.confidence < DOUBT && tokens[symbol.index] === symbol.token;
const strokeIdsOf = (symbol) => symbol.strokes.map((i) => answer.strokeIds[i]);
const strokesInWords = (count) => `${count} ${count === 1 ? 'stroke' : 'strokes'}`;

function prepareSymbols(math, symbols, tokens) {
  math.querySelectorAll('[data-symbol]').forEach((element, i) => {
    const symbol = symbols[Number(element.dataset.symbol)];
    if (!symbol) { delete element.dataset.symbol; return; }
    const isChosen = element.dataset.symbol === chosen;
    element.classList.toggle('chosen', isChosen);
    element.tabIndex = isChosen || (chosen === null && i === 0) ? 0 : -1;
    element.setAttribute('aria-label', `${tokens[symbol.index]}, symbol ${i + 1}`);
    element.classList.toggle('doubtful', isDoubtful(symbol, tokens) && !element.firstElementChild);
  });
}

function setStale(value) {
  isStale = value;
  $('formula').classList.toggle('stale', value);
  showState();
}

function showState() {
  const state = client.state === 'online' && isStale ? 'reading' : client.state;
  const texts = {
    connecting: 'connecting',
    offline: surface.strokes.length ? 'Offline. Your ink is kept and read when the server is back' : 'Offline. Trying again',
    online: latency === null ? 'ready' : `${Math.round(latency)} ms`,
    reading: 'reading',
  };
  $('state').dataset.state = state;
  $('state-model').textContent = model && state !== 'offline' ? `${model} · ` : '';
  $('state-text').textContent = texts[state];
}

function updateTools() {
  const { strokes } = surface;
  $('undo').disabled = !surface.canUndo;
  $('redo').disabled = !surface.canRedo;
  $('clear').disabled = $('save').disabled = !strokes.length;
  $('empty').hidden = strokes.length > 0;
  $('formula').dataset.hint = strokes.length ? '' : 'Your formula appears here as you write';
  for (const button of document.querySelectorAll('[data-copy]')) {
    button.disabled = button.dataset.copy === 'inkml' ? !strokes.length : !shown.latex;
  }
  $('canvas').setAttribute('aria-label', strokes.length ? `Writing area, ${strokesInWords(strokes.length)}` : 'Writing area, empty');
}

// Symbols, readings and the replay

const symbolPanel = new SymbolPanel(
  { box: $('symbol'), about: $('symbol-about'), choices: $('symbol-choices') },
  (symbol, token) => {
    corrections.set(symbol, answer.strokeIds, token);
    const tokens = [...shown.tokens];
    tokens[symbol.index] = token;
    correct(tokens);
  },
);
const readings = new Readings($('readings'), $('readings-none'), (alternative) => {
  corrections.adopt(answer, alternative);
  select(null);
  show(alternative);
});
const replay = new Replay(
  {
    box: $('replay'), none: $('replay-none'), back: $('replay-back'), play: $('replay-play'), next: $('replay-next'),
    range: $('replay-at'), tokens: $('replay-tokens'),
  },
  (heat, at) => {
    surface.heat = heat;
    surface.redraw();
    if (heat) select(null);
    const number = heat ? answer.symbols.findIndex(({ index }) => index === at) : -1;
    $('formula').querySelectorAll('.chosen').forEach((element) => element.classList.remove('chosen'));
    $('formula').querySelector(`[data-symbol="${number}"]`)?.classList.add('chosen');
  },
);

/** Light up the strokes of a symbol and offer its other readings; null for none. */
function select(element) {
  $('formula').querySelectorAll('.chosen').forEach((other) => other.classList.remove('chosen'));
  const symbol = element && answer ? answer.symbols[Number(element.dataset.symbol)] : null;
  element?.classList.add('chosen');
  chosen = symbol ? element.dataset.symbol : null;
  surface.selected = new Set(symbol ? strokeIdsOf(symbol) : []);
  if (symbol) {
    surface.heat = null;
    element.focus();
    $('formula').querySelectorAll('[tabindex="0"]').forEach((other) => { other.tabIndex = -1; });
    element.tabIndex = 0;
  }
  symbolPanel.show(symbol, symbol ? shown.tokens[symbol.index] : '');
  surface.redraw();
}

$('formula').addEventListener('click', ({ target }) => {
  const element = target.closest('[data-symbol]');
  if (element) replay.stop();
  select(element);
});
$('formula').addEventListener('keydown', (event) => {
  const elements = [...$('formula').querySelectorAll('[data-symbol]')];
  const at = elements.indexOf(event.target);
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step) {
    select(elements[(at + step + elements.length) % elements.length] ?? null);
    event.preventDefault();
  } else if ((event.key === 'Enter' || event.key === ' ') && at >= 0) {
    select(elements[at]);
    event.preventDefault();
  } else if (event.key === 'ArrowDown' && chosen !== null) {
    $('symbol-choices').querySelector('button')?.focus();
    event.preventDefault();
  } else if (event.key === 'Delete' && surface.selected.size) {
    surface.remove(surface.selected);
  }
});

$('symbol').addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  $('formula').querySelector('.chosen')?.focus();
  event.stopPropagation(); // the symbol stays chosen
});

// Tools, files, the clipboard

function useTool(name) {
  surface.tool = name;
  $('canvas').dataset.tool = name;
  for (const id of ['pen', 'eraser']) $(id).setAttribute('aria-pressed', id === name);
}

async function copy(kind) {
  const text = kind === 'inkml' ? toInkml(surface.strokes, shown.latex) : shown[kind];
  if (!text) return;
  try {
    await writeClipboard(text);
    toast(`${{ latex: 'LaTeX', mathml: 'MathML', inkml: 'InkML' }[kind]} copied`);
  } catch {
    toast('The browser does not let this page write to the clipboard.');
  }
}

/** Pages that came without https, such as from a computer in the same house, have no clipboard but the old way to it. */
async function writeClipboard(text) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const area = document.createElement('textarea');
  area.className = 'quiet';
  area.value = text;
  document.body.append(area);
  area.select();
  const isDone = document.execCommand('copy');
  area.remove();
  if (!isDone) throw new Error('not copied');
}

async function open(file) {
  try {
    const { width, height } = surface.size;
    const strokes = readInk(await file.text());
    surface.replace(fitted(strokes, width, height - TOOLS));
    say(`${file.name} opened, ${strokesInWords(strokes.length)}`);
  } catch (error) {
    toast(`${file.name}: ${error.message}`);
  }
}

function save() {
  if (!surface.strokes.length) return;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([toInkml(surface.strokes, shown.latex)], { type: 'application/inkml+xml' }));
  link.download = 'formula.inkml';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

const ACTIONS = {
  pen: () => useTool('pen'),
  eraser: () => useTool('eraser'),
  undo: () => surface.undo(),
  redo: () => surface.redo(),
  clear: () => surface.clear(),
  open: () => $('file').click(),
  save,
  theme: () => globalThis.inkscanToggleTheme(),
  keys: () => $('keys-dialog').showModal(),
};
for (const [id, action] of Object.entries(ACTIONS)) $(id).addEventListener('click', action);
for (const button of document.querySelectorAll('[data-copy]')) {
  button.addEventListener('click', () => copy(button.dataset.copy));
}
$('file').addEventListener('change', () => { if ($('file').files[0]) open($('file').files[0]); $('file').value = ''; });
addEventListener('resize', () => fitFormula($('formula')));
addEventListener('dragover', (event) => event.preventDefault());
addEventListener('drop', (event) => { event.preventDefault(); if (event.dataTransfer.files[0]) open(event.dataTransfer.files[0]); });

const CONTROL_KEYS = { z: 'undo', y: 'redo', o: 'open', s: 'save', backspace: 'clear' };
const PLAIN_KEYS = { p: 'pen', e: 'eraser', '?': 'keys' };
addEventListener('keydown', (event) => {
  if (event.target.closest('input, dialog') || event.altKey) return;
  const key = event.key.toLowerCase();
  const withControl = event.ctrlKey || event.metaKey;
  const name = withControl ? (key === 'z' && event.shiftKey ? 'redo' : CONTROL_KEYS[key]) : PLAIN_KEYS[key];
  if (name) {
    event.preventDefault();
    ACTIONS[name]();
  } else if (withControl && key === 'c' && getSelection().isCollapsed) {
    copy('latex');
  } else if (!withControl && /^[1-9]$/.test(key)) {
    readings.choose(Number(key) - 1);
  } else if (key === 'escape') {
    replay.stop();
    select(null);
  }
});

// Words for the user

let toastTimer = 0;
function toast(text) {
  $('toast').textContent = text;
  $('toast').hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { $('toast').hidden = true; }, 3500);
}

function say(text) { $('live').textContent = text; }

function askForKey() {
  const dialog = $('key-dialog');
  if (dialog.open) return;
  $('key-refused').hidden = !sessionStorage.getItem('inkscan-key');
  dialog.showModal();
  dialog.addEventListener('close', () => {
    const key = $('key-input').value;
    if (!key) return;
    sessionStorage.setItem('inkscan-key', key);
    client.key = key;
  }, { once: true });
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
