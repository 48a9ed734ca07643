// Exported models: model.json, its check, and the two graphs that it describes.

import { InkscanError } from './errors.js';
import { CLASSIFIER_FORMAT, CLASSIFIER_GRAPH, CLASSIFIER_JSON, ENCODER, LANGUAGE_GRAPH, MODEL_FORMAT, MODEL_JSON, STEP } from './tables.js';

/** @typedef {import('./download.js').Downloads} Downloads */
/** @typedef {{trace: string, spacing: number, whole_height: boolean} & import('./raster.js').RasterSettings} FeatureSettings */
/**
 * What the recogniser needs of model.json.
 * @typedef {object} ModelInfo
 * @property {string} name
 * @property {string} system
 * @property {string[]} vocabulary the end token first
 * @property {boolean} offline whether it looks at the ink's image, too
 * @property {FeatureSettings} features
 * @property {import('./calibration.js').Calibration | null} calibration
 * @property {number} length_power
 * @property {boolean} [reading_order] whether each ink is read in reading order, too
 * @property {Record<string, string>} sha256 of each file
 * @property {string} licence
 */
/** @typedef {{info: ModelInfo, encoder: Uint8Array, step: Uint8Array}} ExportedModel */
/** @typedef {{info: import('./classifier.js').ClassifierInfo, graph: Uint8Array, language: Uint8Array | null}} ExportedClassifier */

/**
 * Read the model in a folder and verify its files.
 * @param {URL} folder
 * @param {Downloads} downloads
 * @returns {Promise<ExportedModel>}
 */
export async function readModel(folder, downloads) {
  const info = parseInfo(await description(MODEL_JSON, folder, downloads));
  const [encoder, step] = await Promise.all([ENCODER, STEP].map((name) => graph(name, folder, info.sha256, downloads)));
  return { info, encoder, step };
}

/**
 * Read the classifier in a folder and verify its graph, and the language model beside it, if there is one.
 * @param {URL} folder
 * @param {Downloads} downloads
 * @returns {Promise<ExportedClassifier>}
 */
export async function readClassifier(folder, downloads) {
  const info = parsed(await description(CLASSIFIER_JSON, folder, downloads), CLASSIFIER_JSON);
  const { format, name, licence, vocabulary, sha256 } = info ?? {};
  const isWhole = format === CLASSIFIER_FORMAT && isTexts(vocabulary) && isTexts([name, licence]) && sha256 && typeof sha256 === 'object';
  if (!isWhole) damaged(`it is not of the format ${CLASSIFIER_FORMAT}`, CLASSIFIER_JSON);
  const names = [CLASSIFIER_GRAPH, ...(LANGUAGE_GRAPH in sha256 ? [LANGUAGE_GRAPH] : [])];
  const [classes, language = null] = await Promise.all(names.map((one) => graph(one, folder, sha256, downloads)));
  return { info, graph: classes, language };
}

/** @param {string} name @param {URL} folder @param {Downloads} downloads */
async function description(name, folder, downloads) {
  const bytes = await downloads.read({ name, url: new URL(name, folder) });
  if (!bytes) throw new InkscanError('UnknownModel', `there is no ${name} in ${folder}`);
  return new TextDecoder().decode(bytes);
}

/** @param {string} name @param {URL} folder @param {Record<string, string>} sha256 @param {Downloads} downloads */
async function graph(name, folder, sha256, downloads) {
  const bytes = await downloads.read({ name, url: new URL(name, folder), sha256: sha256[name] ?? '' });
  if (!bytes) throw new InkscanError('DamagedModel', `${name} is missing in ${folder}; copy or export the model again`);
  return bytes;
}

/** @param {string} text @returns {ModelInfo} */
function parseInfo(text) {
  const info = parsed(text);
  if (info?.format !== MODEL_FORMAT) damaged(`it is not of the format ${MODEL_FORMAT}`);
  const { vocabulary, calibration, sha256, features, length_power: power, views, reading_order: order = false } = info;
  if (!isTexts(vocabulary) || new Set(vocabulary).size !== vocabulary.length) damaged('its vocabulary is no list of tokens');
  if (typeof info.name !== 'string' || typeof sha256 !== 'object' || !sha256) damaged('its name or its hashes are missing');
  if (!(power >= 0 && power <= 2)) damaged('its length_power is not between 0 and 2');
  if (typeof order !== 'boolean') damaged('its reading_order is neither true nor false');
  if (calibration !== null && !isCalibration(calibration)) damaged('its calibration is not one of this version');
  if (String(views) !== 'on-strokes' || !info.online || !isReadable(features, info.offline)) {
    throw new InkscanError(
      'UnsupportedSystem', `the model ${info.name} looks at ${views}; in JavaScript only strokes with even spacing are read, with or without their image`,
    );
  }
  return info;
}

/** @param {string} text @param {string} file @returns {any} */
function parsed(text, file = MODEL_JSON) {
  try {
    return JSON.parse(text);
  } catch (error) {
    return damaged(String(error), file);
  }
}

/** @param {any} features @param {unknown} offline */
function isReadable(features, offline) {
  if (features?.trace !== 'even' || !(features.spacing > 0)) return false;
  const { image_height: height, pen, max_image_side: most, whole_height: isWhole } = features;
  return offline === false || (offline === true && height >= 8 && pen >= 1 && most > 2 * height && isWhole === false);
}

/** @param {any} calibration */
function isCalibration(calibration) {
  const lengths = { expression: 6, without_lead: 5, symbol: 2 };
  return Object.entries(lengths).every(([name, length]) => {
    const weights = calibration[name];
    return Array.isArray(weights) && weights.length === length && weights.every(Number.isFinite);
  });
}

/** @param {unknown} value @returns {value is string[]} */
const isTexts = (value) => Array.isArray(value) && value.length > 1 && value.every((one) => typeof one === 'string' && one);

/** @param {string} why @param {string} file @returns {never} */
function damaged(why, file = MODEL_JSON) {
  throw new InkscanError('DamagedModel', `${file} is damaged or of another version: ${why}`);
}
