// Network: an exported model's two graphs in onnxruntime-web.

import { InkscanError } from './errors.js';
import { pooledStrokeMask } from './features.js';
import { ENCODER, GRAPHS, OFFLINE_STRIDE, STEP } from './tables.js';

/** @typedef {typeof import('onnxruntime-web/wasm')} Ort */
/** @typedef {import('onnxruntime-web/wasm').InferenceSession} Session */
/** @typedef {import('onnxruntime-web/wasm').Tensor} Tensor */
/** @typedef {Record<string, Tensor>} Tensors */
/** @typedef {{trace: import('./features.js').Trace, raster: import('./raster.js').Raster | null}} InkFeatures */
/** @typedef {{memories: Tensors, state: Tensors}} Encoded what every step looks at, and the state before the first */
/**
 * P hypotheses after one step.
 * @typedef {object} StepResult
 * @property {Float32Array} logProbs (P, K)
 * @property {Tensors} state
 * @property {Float32Array} alphas (P, M)
 */

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
    const votes = this.#step.outputMetadata.find(({ name }) => name === GRAPHS.LOG_PROBS);
    return votes?.isTensor ? votes.shape.at(-1) : undefined;
  }

  /**
   * Run the encoder on one ink.
   * @param {InkFeatures} features
   * @returns {Promise<Encoded>}
   */
  async encode({ trace, raster }) {
    const strokes = trace.strokeLengths.length;
    const found = await this.#encoder.run({
      [GRAPHS.STROKE_MASK]: this.#tensor('bool', new Uint8Array(strokes).fill(1), [1, strokes]),
      ...this.#traced(trace),
      ...(raster ? this.#drawn(raster, strokes) : {}),
    });
    const { dims, size } = found[GRAPHS.MASK];
    const nothing = { [GRAPHS.COVERAGE]: this.#tensor('float32', new Float32Array(size), dims) };
    return {
      memories: picked(found, GRAPHS.MEMORIES),
      state: picked({ ...found, ...nothing }, GRAPHS.STATE),
    };
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
      [GRAPHS.TOKEN]: this.#tensor('int64', BigInt64Array.from(tokens, BigInt), [tokens.length]),
      [GRAPHS.INK]: this.#tensor('int64', new BigInt64Array(1), [1]),
      ...state,
      ...memories,
    });
    return {
      logProbs: floats(found[GRAPHS.LOG_PROBS]),
      state: picked(found, GRAPHS.NEXT_STATE, GRAPHS.STATE),
      alphas: floats(found[GRAPHS.ALPHA]),
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

  /** @param {import('./features.js').Trace} trace @returns {Tensors} */
  #traced({ features, strokeLengths }) {
    const points = features.length / 8;
    const mask = pooledStrokeMask(strokeLengths);
    return {
      [GRAPHS.POINTS]: this.#tensor('float32', features, [1, points, 8]),
      [GRAPHS.POINT_MASK]: this.#tensor('bool', new Uint8Array(points).fill(1), [1, points]),
      [GRAPHS.PMASK_ON]: this.#tensor('float32', mask, [1, strokeLengths.length, mask.length / strokeLengths.length]),
    };
  }

  /** @param {import('./raster.js').Raster} raster @param {number} strokes @returns {Tensors} */
  #drawn({ image, real, shares, rows, columns }, strokes) {
    const size = [1, rows * OFFLINE_STRIDE, columns * OFFLINE_STRIDE];
    return {
      [GRAPHS.IMAGE]: this.#tensor('float32', image, size),
      [GRAPHS.IMAGE_MASK]: this.#tensor('bool', real, size),
      [GRAPHS.PMASK_OFF]: this.#tensor('float32', shares, [1, strokes, rows, columns]),
    };
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

/**
 * Some of the tensors, under their names or under new ones.
 * @param {Tensors} tensors
 * @param {readonly string[]} names
 * @returns {Tensors}
 */
const picked = (tensors, names, renamed = names) => Object.fromEntries(names.map((name, i) => [renamed[i], tensors[name]]));

/**
 * A graph ready to run, if it takes these inputs and answers by this name with so many values in each place.
 * @param {Ort} ort
 * @param {Uint8Array} graph
 * @param {string} name
 * @param {{inputs: readonly string[], output: string, width: number}} agreed
 */
export async function openAgreed(ort, graph, name, { inputs, output, width }) {
  const session = await openSession(ort, graph, name);
  const answer = session.outputMetadata.find((value) => value.name === output);
  const taken = [...session.inputNames].sort().join();
  if (answer?.isTensor && answer.shape.at(-1) === width && taken === [...inputs].sort().join()) return session;
  await session.release();
  throw new InkscanError('DamagedModel', `${name} is not of the vocabulary beside it; export it again`);
}

/** A graph ready to run. @param {Ort} ort @param {Uint8Array} graph @param {string} name @returns {Promise<Session>} */
export async function openSession(ort, graph, name) {
  try {
    return await ort.InferenceSession.create(graph, { executionProviders: ['wasm'], logSeverityLevel: 3 });
  } catch (error) {
    throw new InkscanError('DamagedModel', `onnxruntime cannot load ${name}: ${error}; export the model again`);
  }
}
