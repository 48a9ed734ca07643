// Builds the page that needs no server, a folder for any static host: node js/build.mjs [FOLDER]

import { createHash } from 'node:crypto';
import { cp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import {
  CLASSIFIER, CLASSIFIER_GRAPH, CLASSIFIER_JSON, DEFAULT_MODEL, ENCODER, LANGUAGE_GRAPH, MODEL_JSON, SECOND_MODEL, STEP,
} from './src/tables.js';

const PACKAGE = dirname(fileURLToPath(import.meta.url));
const REPOSITORY = dirname(PACKAGE);
const PAGE = join(REPOSITORY, 'src/inkscan/web/static');
const WEIGHTS = join(REPOSITORY, 'src/inkscan/runtime/weights');
const MODULES = join(PACKAGE, 'node_modules');
const ORT = 'onnxruntime-web';
const ORT_MODULE = 'ort.wasm.bundle.min.mjs';
const ORT_WASM = 'ort-wasm-simd-threaded.wasm';
const FONT = '@fontsource/stix-two-math';
const FONT_FILE = 'stix-two-math-latin-400-normal.woff2'; // the whole font, in spite of its name
const SERVER_ONLY = /^docs\./; // the reference of the HTTP API
const MANIFEST_LINK = '  <link rel="manifest" href="manifest.webmanifest">\n';
const HASH_DIGITS = 16;

const out = process.argv[2] ?? join(REPOSITORY, 'out/app');
await build();

async function build() {
  await rm(out, { recursive: true, force: true });
  await copyPage();
  await cp(join(PACKAGE, 'src'), join(out, 'static/inkscan'), { recursive: true });
  await copyFont();
  const [model, second] = [await copyModel(DEFAULT_MODEL), await copyModel(SECOND_MODEL)];
  const classifier = await copyModel(CLASSIFIER, [CLASSIFIER_JSON, CLASSIFIER_GRAPH, LANGUAGE_GRAPH]);
  const built = { model, second, classifier, ...await copyRuntime() };
  await writeFile(join(out, 'static/app.json'), JSON.stringify(await described(built), null, 1));
  await cp(join(PACKAGE, 'app/local.js'), join(out, 'static/local.js'));
  for (const name of ['service-worker.js', 'manifest.webmanifest']) await cp(join(PACKAGE, 'app', name), join(out, name));
  await writeFile(join(out, 'licences.txt'), await licences());
  await writePrecache();
  const bytes = (await Promise.all((await filesIn(out)).map(sizeOf))).reduce((sum, size) => sum + size);
  console.log(`${out}: ${(bytes / 1e6).toFixed(1)} MB; try it with python3 -m http.server -d ${out}`);
}

/** The page as the server has it, told to read on the device, with a manifest that makes it installable. */
async function copyPage() {
  const isWanted = (/** @type {string} */ path) => !SERVER_ONLY.test(relative(PAGE, path)) && relative(PAGE, path) !== 'index.html';
  await cp(PAGE, join(out, 'static'), { recursive: true, filter: isWanted });
  const page = await readFile(join(PAGE, 'index.html'), 'utf8');
  const own = replaced(replaced(page, '<html ', '<html data-reader="device" '), '</head>', `${MANIFEST_LINK}</head>`);
  await writeFile(join(out, 'index.html'), own);
}

/** @param {string} text @param {string} mark @param {string} by */
function replaced(text, mark, by) {
  if (!text.includes(mark)) throw new Error(`${PAGE}/index.html has no ${mark}`);
  return text.replace(mark, by);
}

/** To a folder named by the model's content: a new model has a new address. @param {string} model its name @param {string[]} files its description first */
async function copyModel(model, files = [MODEL_JSON, ENCODER, STEP]) {
  const hash = (await sha256(join(WEIGHTS, model, files[0]))).slice(0, HASH_DIGITS);
  const folder = `model/${hash}/`;
  for (const name of [...files, 'card.md']) await cp(join(WEIGHTS, model, name), join(out, 'static', folder, name));
  return folder;
}

async function copyRuntime() {
  for (const name of [ORT_MODULE, ORT_WASM]) await cp(join(MODULES, ORT, 'dist', name), join(out, 'static/ort', name));
  const url = `ort/${ORT_WASM}`;
  return { ort: `ort/${ORT_MODULE}`, wasm: { url, sha256: await sha256(join(out, 'static', url)) } };
}

/** The font for mathematics that the page asks for by the name "inkscan math". */
async function copyFont() {
  await cp(join(MODULES, FONT, 'files', FONT_FILE), join(out, 'static/fonts', FONT_FILE));
  const rule = `@font-face { font-family: "inkscan math"; src: url("fonts/${FONT_FILE}") format("woff2"); font-display: swap }\n`;
  await writeFile(join(out, 'static/fonts.css'), rule);
}

/** @typedef {{model: string, second: string, classifier: string, ort: string, wasm: {url: string, sha256: string}}} Parts by their addresses in static/ */
/** @typedef {Parts & {kept: string[], bytes: number}} Built with the bytes of all that must be there before it reads */

/**
 * What static/local.js must know: where the parts are, their bytes, and the keys by which they are kept.
 * @param {Parts} built
 * @returns {Promise<Built>}
 */
async function described(built) {
  const { model, second, classifier, wasm } = built;
  const needed = [MODEL_JSON, ENCODER, STEP].map((name) => model + name).concat(wasm.url);
  const sizes = await Promise.all(needed.map((name) => sizeOf(join(out, 'static', name))));
  const graphs = await Promise.all([model, second].flatMap((folder) => [ENCODER, STEP].map((name) => keyOf(folder + name))));
  graphs.push(...await Promise.all([CLASSIFIER_GRAPH, LANGUAGE_GRAPH].map((name) => keyOf(classifier + name))));
  return { ...built, kept: [...graphs, `${wasm.url}?sha256=${wasm.sha256}`], bytes: sizes.reduce((sum, size) => sum + size) };
}

/** By which the package keeps a file in static/. @param {string} name */
async function keyOf(name) {
  return `${name}?sha256=${await sha256(join(out, 'static', name))}`;
}

/** The files that the service worker keeps: all but those that the package keeps by their hash. */
async function writePrecache() {
  const isKeptElsewhere = (/** @type {string} */ path) => /\.(onnx|wasm)$/.test(path) || path.endsWith('service-worker.js');
  const paths = (await filesIn(out)).filter((path) => !isKeptElsewhere(path)).sort();
  const version = createHash('sha256');
  for (const path of paths) version.update(`${relative(out, path)} ${await sha256(path)}\n`);
  const files = ['./', ...paths.map((path) => relative(out, path).split('\\').join('/'))];
  const precache = { version: version.digest('hex').slice(0, HASH_DIGITS), files };
  await writeFile(join(out, 'precache.js'), `self.PRECACHE = ${JSON.stringify(precache, null, 1)};\n`);
}

async function licences() {
  const described = [[DEFAULT_MODEL, MODEL_JSON], [SECOND_MODEL, MODEL_JSON], [CLASSIFIER, CLASSIFIER_JSON]];
  const models = await Promise.all(described.map(async ([model, file]) => {
    const { name, licence } = JSON.parse(await readFile(join(WEIGHTS, model, file), 'utf8'));
    return `weights of ${name}: ${licence}`;
  }));
  const packages = await Promise.all([ORT, FONT].map(async (name) => {
    const { version, license } = JSON.parse(await readFile(join(MODULES, name, 'package.json'), 'utf8'));
    return `${name} ${version}: ${license}`;
  }));
  const font = await readFile(join(MODULES, FONT, 'LICENSE'), 'utf8');
  const own = await readFile(join(REPOSITORY, 'LICENSE'), 'utf8');
  return [`inkscan: Apache-2.0`, ...models, ...packages, '', font, '', own].join('\n');
}

/** @param {string} folder @returns {Promise<string[]>} */
async function filesIn(folder) {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

/** @param {string} path */
async function sha256(path) {
  return createHash('sha256').update(await readFile(path)).digest('hex');
}

/** @param {string} path */
async function sizeOf(path) {
  return (await stat(path)).size;
}
