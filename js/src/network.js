// Network: an exported model's two graphs in onnxruntime-web.

import { InkscanError } from './errors.js';
import { pooledStrokeMask } from './features.js';
import { ENCODER, STEP } from './tables.js';

/** @typedef {typeof import('onnxruntime-web/wasm')} Ort */
/** @typedef {import('onnxruntime-web/wasm').InferenceSession} Session */
/** @typedef {import('onnxruntime-web/wasm').Tensor} Tensor */
/** @typedef {Record<string, Tensor>} Tensors */
/** @typedef {{memories: Tensors, state: Tensors}} Encoded what every step looks at, and the state before the first */
/**
 * P hypotheses after one step.
 * @typedef {object} StepResult
 * @property {Float32Array} logProbs (P, K)
 * @property {Tensors} state
 * @property {Float32Array} alphas (P, M)
 */

const MEMORY = /^(values|mask|keys)/;
const COVERAGE = 'coverage0'; // of the one view, that of strokes
const VIEW_MASK = 'mask0';

/** encoder.onnx and step.onnx on one thread of WebAssembly. */
export class Network {
  #ort;
  #encoder;
  #step;

  /** @param {Ort} ort @param {Session} encoder @param {Session} step */
  constructor(ort, encoder, step) {
    this.#ort = ort;
    this.#encoder = encoder;
    this.#step = step;
  }

  /**
   * @param {Ort} ort
   * @param {Uint8Array} encoder
   * @param {Uint8Array} step
   */
  static async open(ort, encoder, step) {
    ort.env.wasm.numThreads = 1; // more need a page that is isolated from other origins
    return new Network(ort, await openSession(ort, encoder, ENCODER), await openSession(ort, step, STEP));
  }

  /** How many tokens a step votes on. */
  get vocabularySize() {
    const votes = this.#step.outputMetadata.find(({ name }) => name === 'log_probs');
    return votes?.isTensor ? votes.shape.at(-1) : undefined;
  }

  /**
   * Run the encoder on one ink.
   * @param {import('./features.js').Trace} trace
   * @returns {Promise<Encoded>}
   */
  async encode({ features, strokeLengths }) {
    const [strokes, points] = [strokeLengths.length, features.length / 8];
    const mask = pooledStrokeMask(strokeLengths);
    const found = await this.#encoder.run({
      stroke_mask: this.#tensor('bool', new Uint8Array(strokes).fill(1), [1, strokes]),
      points: this.#tensor('float32', features, [1, points, 8]),
      point_mask: this.#tensor('bool', new Uint8Array(points).fill(1), [1, points]),
      pmask_on: this.#tensor('float32', mask, [1, strokes, mask.length / strokes]),
    });
    const entries = Object.entries(found);
    const memories = Object.fromEntries(entries.filter(([name]) => MEMORY.test(name)));
    const state = Object.fromEntries(entries.filter(([name]) => !MEMORY.test(name)));
    const { dims, size } = memories[VIEW_MASK];
    state[COVERAGE] = this.#tensor('float32', new Float32Array(size), dims);
    return { memories, state };
  }

  /**
   * One decoding step of P hypotheses.
   * @param {number[]} tokens
   * @param {Tensors} state
   * @param {Tensors} memories
   * @returns {Promise<StepResult>}
   */
  async step(tokens, state, memories) {
    const found = await this.#step.run({
      token: this.#tensor('int64', BigInt64Array.from(tokens, BigInt), [tokens.length]),
      ink: this.#tensor('int64', new BigInt64Array(1), [1]),
      ...state,
      ...memories,
    });
    const next = Object.entries(found).filter(([name]) => name.startsWith('next_'));
    return {
      logProbs: floats(found.log_probs),
      state: Object.fromEntries(next.map(([name, tensor]) => [name.slice('next_'.length), tensor])),
      alphas: floats(found.alpha0),
    };
  }

  /**
   * The state of some hypotheses, in this order.
   * @param {Tensors} state
   * @param {number[]} rows
   * @returns {Tensors}
   */
  take(state, rows) {
    return Object.fromEntries(Object.entries(state).map(([name, tensor]) => {
      const [, ...rest] = tensor.dims;
      const width = rest.reduce((product, side) => product * side, 1);
      const data = floats(tensor);
      const taken = new Float32Array(rows.length * width);
      rows.forEach((row, i) => taken.set(data.subarray(row * width, (row + 1) * width), i * width));
      return [name, this.#tensor('float32', taken, [rows.length, ...rest])];
    }));
  }

  /** Give the memory of the graphs back. */
  async close() {
    await this.#encoder.release();
    await this.#step.release();
  }

  /**
   * @param {'float32' | 'bool' | 'int64'} type
   * @param {Float32Array | Uint8Array | BigInt64Array} data
   * @param {readonly number[]} dims
   * @returns {Tensor}
   */
  #tensor(type, data, dims) {
    return new this.#ort.Tensor(/** @type {any} */ (type), /** @type {any} */ (data), dims);
  }
}

/** @param {Tensor} tensor */
const floats = (tensor) => /** @type {Float32Array} */ (tensor.data);

/** @param {Ort} ort @param {Uint8Array} graph @param {string} name @returns {Promise<Session>} */
async function openSession(ort, graph, name) {
  try {
    return await ort.InferenceSession.create(graph, { executionProviders: ['wasm'], logSeverityLevel: 3 });
  } catch (error) {
    throw new InkscanError('DamagedModel', `onnxruntime cannot load ${name}: ${error}; export the model again`);
  }
}
