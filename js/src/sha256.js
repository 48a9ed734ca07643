// SHA-256, by the platform where it has one: pages that were not loaded over HTTPS have none.

const ROUNDS = 64;
const BLOCK = 64; // bytes
const [INITIAL, CONSTANTS] = tables();

/** The hash in hexadecimal digits. @param {Uint8Array<ArrayBuffer>} bytes */
export async function sha256(bytes) {
  return globalThis.crypto?.subtle ? hex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))) : ownSha256(bytes);
}

/** The same without the platform's help (FIPS 180-4). @param {Uint8Array} bytes */
export function ownSha256(bytes) {
  const state = Uint32Array.from(INITIAL);
  const schedule = new Uint32Array(ROUNDS);
  const whole = bytes.length - (bytes.length % BLOCK);
  const tail = padded(bytes.subarray(whole), bytes.length);
  for (const part of [bytes.subarray(0, whole), tail]) {
    const view = new DataView(part.buffer, part.byteOffset, part.byteLength);
    for (let at = 0; at < part.length; at += BLOCK) compress(state, schedule, view, at);
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => digest.setUint32(4 * i, word));
  return hex(new Uint8Array(digest.buffer));
}

/** The last block or two: a one bit, zeros, and the length of the whole in bits. @param {Uint8Array} rest @param {number} length */
function padded(rest, length) {
  const tail = new Uint8Array(rest.length + 9 > BLOCK ? 2 * BLOCK : BLOCK);
  tail.set(rest);
  tail[rest.length] = 0x80;
  new DataView(tail.buffer).setBigUint64(tail.length - 8, BigInt(length) * 8n);
  return tail;
}

/** @param {Uint32Array} state @param {Uint32Array} w @param {DataView} view @param {number} at */
function compress(state, w, view, at) {
  for (let i = 0; i < 16; i += 1) w[i] = view.getUint32(at + 4 * i);
  for (let i = 16; i < ROUNDS; i += 1) {
    const [a, b] = [w[i - 15], w[i - 2]];
    w[i] = w[i - 16] + w[i - 7] + (rotated(a, 7) ^ rotated(a, 18) ^ (a >>> 3)) + (rotated(b, 17) ^ rotated(b, 19) ^ (b >>> 10));
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < ROUNDS; i += 1) {
    const one = h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & f) ^ (~e & g)) + CONSTANTS[i] + w[i];
    const two = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g; g = f; f = e; e = (d + one) | 0; d = c; c = b; b = a; a = (one + two) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => { state[i] += word; });
}

/** @param {number} word @param {number} bits */
const rotated = (word, bits) => (word >>> bits) | (word << (32 - bits));

/** @param {Uint8Array} bytes */
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** The fractions of the square and cube roots of the first primes, 32 bits each. @returns {[Uint32Array, Uint32Array]} */
function tables() {
  /** @type {number[]} */
  const primes = [];
  for (let n = 2; primes.length < ROUNDS; n += 1) if (primes.every((prime) => n % prime)) primes.push(n);
  return [Uint32Array.from(primes.slice(0, 8), (prime) => fraction(prime, 2)), Uint32Array.from(primes, (prime) => fraction(prime, 3))];
}

/** The first 32 bits behind the point of a root, by whole numbers alone. @param {number} value @param {2 | 3} degree */
function fraction(value, degree) {
  const scaled = BigInt(value) << BigInt(32 * degree);
  let root = 0n;
  for (let bit = 1n << 40n; bit; bit >>= 1n) if ((root + bit) ** BigInt(degree) <= scaled) root += bit;
  return Number(root & 0xffffffffn);
}
