// The page: a surface to write on, a reader, the lines that it reads, and what one can do with them.

import { Alphabet } from './alphabet.js';
import { AnswerCard } from './answercard.js';
import { Copying } from './copying.js';
import { Corrections } from './corrections.js';
import { exampleButtons } from './examples.js';
import { download, takeFiles } from './files.js';
import { fitted } from './ink.js';
import { INK_FILES, readInk, textOf, toInkml } from './inkfile.js';
import { listenToKeys } from './keys.js';
import { Lines } from './lines.js';
import { askForKey, inWords, say, toast } from './notices.js';
import { PAUSE_MS, Reader } from './reader.js';
import { Samples } from './samples.js';
import { SheetList } from './sheetlist.js';
import { Sheets } from './sheets.js';
import { openStore } from './store.js';
import { InkSurface } from './surface.js';
import { LineTags } from './tags.js';

const TOOLS = 64; // pixels that the tools cover
const OPTIONS = { n_best: 5, formats: ['latex', 'mathml', 'alternatives', 'symbols', 'alignment'] };
const KEY = 'inkscan-key';
const PREPARE_MS = 1500; // after the server has answered: the page has settled
const HOME = document.documentElement.dataset.reader ?? 'server'; // what should read

const $ = (id) => document.getElementById(id);
const surface = new InkSurface($('canvas'));
addEventListener('inkscan-theme', () => surface.redraw());
const reader = new Reader({
  options: OPTIONS, key: sessionStorage.getItem(KEY) ?? '', isSheet: true, place: HOME,
});
const corrections = new Corrections();
const lines = new Lines(corrections, (what) => reader.typeset(what));
const card = new AnswerCard(surface, lines);
const tags = new LineTags($('tags'), surface, document.querySelector('.tools'), (line) => showLine(line));
const store = openStore();
const sheets = new Sheets(store);
const alphabet = new Alphabet(
  { dialog: $('alphabet-dialog'), open: $('alphabet'), preset: $('alphabet-preset'), table: $('alphabet-table') },
  () => { reader.options = options(); readAll(); },
);
new Samples(
  { keep: $('sample-keep'), give: $('samples-give'), forget: $('samples-forget'), about: $('samples-about') },
  store,
  () => (card.line ? { latex: card.shown.latex, strokes: strokesOf(card.line) } : null),
);

let displayed = sheets.current; // the sheet on the surface
let timer = 0;
let isStale = false;
let isRefused = false; // the newest ink could not be read
let latency = null;
let model = '';

const options = () => (alphabet.allowed ? { ...OPTIONS, allow: alphabet.allowed } : OPTIONS);

// Ink to answers

surface.addEventListener('change', () => {
  card.rest();
  lines.keepThoseOf(surface.strokes);
  setStale(lines.unsettled(surface.strokes).length > 0);
  updateTools();
  keep();
  clearTimeout(timer);
  timer = setTimeout(ask, PAUSE_MS);
  if (!surface.strokes.length) say('Nothing is written');
});
surface.addEventListener('pendown', () => { card.rest(); $('empty').hidden = true; });
surface.addEventListener('penup', updateTools);
surface.addEventListener('scratch', ({ detail }) => say(`${inWords(detail.length, 'stroke')} scratched out`));

/** Have read what no line explains yet; a reader that knows no sheets always gets all ink. */
function ask() {
  const unsettled = lines.unsettled(surface.strokes);
  setStale(unsettled.length > 0);
  if (unsettled.length) reader.read(reader.hasSheets ? unsettled : surface.strokes);
}

function readAll() {
  if (!surface.strokes.length) return;
  setStale(true);
  reader.read(surface.strokes);
}

reader.addEventListener('answer', ({ detail }) => {
  latency = detail.roundTrip;
  lines.take(detail.strokes, detail.lines, surface.strokes);
  showLine(card.edited ?? lineOf(surface.strokes.at(-1)) ?? lines.all.at(-1) ?? null);
  setStale(lines.unsettled(surface.strokes).length > 0);
  const present = new Set(surface.strokes.map(({ id }) => id));
  if (isStale && detail.strokes.some(({ id }) => !present.has(id))) ask(); // the answer was to ink that is no more
});
reader.addEventListener('failure', ({ detail }) => {
  setStale(isStale, true);
  if (detail.code !== 'request.unauthorized') toast(detail.message);
  else askForKey(sessionStorage.getItem(KEY), (key) => {
    sessionStorage.setItem(KEY, key);
    reader.key = key;
  });
});
reader.addEventListener('state', async () => {
  showState();
  if (reader.state === 'offline') say('The server cannot be reached; your ink is kept.');
  if (reader.state !== 'online') return;
  if (reader.place !== HOME) say('The server is away; this device reads meanwhile.');
  await introduce();
  readAll(); // another reader, or one that is back: what waited for it is done, too
  setTimeout(() => reader.prepare(), PREPARE_MS);
});
reader.addEventListener('progress', ({ detail }) => showProgress(detail));

// What is shown

lines.addEventListener('change', ({ detail: line }) => {
  if (line && line !== card.line) tags.show(lines.all, card.line);
  else showLine(lines.heirOf(card.line) ?? lines.all.at(-1) ?? null);
  keep();
});
lines.addEventListener('trouble', ({ detail }) => toast(detail));

const strokesOf = ({ strokeIds }) => surface.strokes.filter(({ id }) => strokeIds.includes(id));
const lineOf = (stroke) => lines.all.find(({ strokeIds }) => strokeIds.includes(stroke?.id));

function showLine(line) {
  card.show(line);
  tags.show(lines.all, line);
  surface.doubtful = new Set(card.doubtful);
  surface.unread = new Set(lines.all.flatMap(({ answer }) => answer.unread));
  surface.redraw();
  updateTools();
  showState();
}

function setStale(value, refused = false) {
  isStale = value;
  isRefused = value && refused;
  card.isStale = value;
  showState();
}

function showState() {
  const state = reader.state === 'online' && isStale && !isRefused ? 'reading' : reader.state;
  const ready = latency === null ? 'ready' : `${Math.round(latency)} ms`;
  const idle = reader.place === HOME ? ready : 'on device';
  const online = isRefused ? 'not read' : idle;
  const texts = { connecting: 'connecting', loading: 'loading', offline: 'offline', online, reading: 'reading' };
  $('state').dataset.state = state;
  $('state').dataset.place = reader.place;
  $('state-model').textContent = model && reader.state === 'online' ? `${model}${HOME === 'device' ? ' on this device' : ''} · ` : '';
  $('state-text').textContent = texts[state];
  $('notice').hidden = !['offline', 'loading'].includes(state);
  if (state !== 'offline') return;
  $('notice').textContent = surface.strokes.length ? 'Offline. Your ink is kept and read when the server is back.' : 'Offline. Trying again.';
}

function showProgress({ loaded, total }) {
  const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
  $('notice').textContent = total
    ? `Loading the model, once: ${megabytes(loaded)} of ${megabytes(total)} MB` : `Loading the model, once: ${megabytes(loaded)} MB`;
}

function updateTools() {
  const { strokes } = surface;
  $('undo').disabled = !surface.canUndo;
  $('redo').disabled = !surface.canRedo;
  $('clear').disabled = $('save').disabled = !strokes.length;
  $('empty').hidden = strokes.length > 0;
  $('formula').dataset.hint = strokes.length ? '' : 'Your formula appears here as you write';
  $('sample-keep').disabled = !card.line || Boolean(card.line.problem);
  $('copy').disabled = $('copy-as').disabled = !strokes.length;
  $('canvas').setAttribute('aria-label', strokes.length ? `Writing area, ${inWords(strokes.length, 'stroke')}` : 'Writing area, empty');
}

// Tools, files, the clipboard

function useTool(name) {
  surface.tool = name;
  $('canvas').dataset.tool = name;
  for (const id of ['pen', 'eraser']) $(id).setAttribute('aria-pressed', id === name);
}

async function open(file) {
  try {
    const { width, height } = surface.size;
    const strokes = readInk(textOf(await file.arrayBuffer()));
    surface.replace(fitted(strokes, width, height - TOOLS));
    say(`${file.name} opened, ${inWords(strokes.length, 'stroke')}`);
  } catch (error) {
    toast(`${file.name}: ${error.message}`);
  }
}

function save() {
  if (surface.strokes.length) download('formula.inkml', 'application/inkml+xml', toInkml(surface.strokes, wholeLatex()));
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
const copying = new Copying($('copy'), $('copy-as'), () => ({ ...card.shown, lines: lines.all.map(({ shown }) => shown), whole: wholeLatex(), strokes: surface.strokes }));
$('file').accept = INK_FILES;
takeFiles($('file'), open);
listenToKeys({
  ...ACTIONS,
  copy: () => copying.copy('latex'),
  choose: (number) => card.choose(number),
  escape: () => card.rest(),
});

// Sheets

const sheetList = new SheetList(
  { dialog: $('sheets-dialog'), list: $('sheet-list'), none: $('sheets-none'), begin: $('sheets-begin'), forget: $('sheets-forget') },
  sheets,
  useSheet,
);

function useSheet(sheet) {
  displayed = sheet;
  corrections.entries = sheet.corrections;
  surface.begin(sheet.strokes);
}

const wholeLatex = () => lines.all.map(({ shown }) => shown.latex).join(' \\\\ ');

function keep() {
  if (displayed !== sheets.current) return; // another one is on its way to the surface
  const changes = { strokes: surface.strokes, latex: wholeLatex(), corrections: corrections.entries };
  sheets.keep(changes).catch(() => toast('This browser does not let the page keep your ink: save it as a file.'));
}

async function introduce() {
  try {
    const about = await reader.about();
    model = about.model;
    alphabet.symbols = about.symbols ?? [];
    reader.options = options();
    const licence = about.licence ? `, weights ${about.licence}` : '';
    const away = reader.place === HOME ? '' : 'The server is away: until it is back, this device reads. ';
    const where = reader.place === 'device' ? `${away}Your ink stays on this device.` : 'Your ink goes to this server only. ';
    $('about').textContent = `inkscan${about.version ? ` ${about.version}` : ''}, model ${about.model}${licence}. ${where}`;
    if (reader.place === 'server') $('about').append(linkTo('docs', 'HTTP API'));
    showState();
  } catch {
    // The state in the header says already that the server is away.
  }
}

function linkTo(href, text) {
  const link = document.createElement('a');
  link.href = href;
  link.textContent = text;
  return link;
}

exampleButtons($('examples'), (press) => surface.takeOver(press), (strokes, animated) => {
  $('canvas').focus(); // the buttons go
  const { width, height } = surface.size;
  const ink = fitted(strokes, width, height - TOOLS);
  return animated ? writeOut(ink) : surface.replace(ink);
});

/** Strokes appear one after the other, as if written, until somebody does something else with the sheet. */
async function writeOut(strokes) {
  surface.clear();
  const pause = Math.min(90, 1400 / strokes.length);
  for (const stroke of strokes) {
    surface.add(stroke);
    const written = surface.strokes;
    await new Promise((resolve) => { setTimeout(resolve, pause); });
    if (surface.strokes !== written) return;
  }
}

updateTools();
const resumed = await sheets.resume();
if (resumed.strokes.length && !surface.strokes.length) useSheet(resumed);
