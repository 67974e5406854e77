import { Buffer } from "node:buffer";

/**
 * How a process and its child hand each other a piece of JSON with bytes beside it: a line of JSON,
 * which counts the bytes of each payload, then the payloads. Bytes are neither quoted nor parsed,
 * so the service's loop is not held by them.
 */

/**
 * @param {object} header
 * @param {readonly Uint8Array[]} payloads
 * @returns {Uint8Array[]}
 */
export function packFrame(header, payloads) {
  const lengths = payloads.map(({ length }) => length);
  return [Buffer.from(`${JSON.stringify({ header, lengths })}\n`), ...payloads];
}

/**
 * @param {Uint8Array} bytes
 * @returns {{ header: unknown, payloads: Uint8Array[] }} payloads are views
 * @throws {Error} for what is no frame, or half of one
 */
export function unpackFrame(bytes) {
  const end = bytes.indexOf(10);
  if (end < 0) throw new Error("No frame.");
  /** @type {unknown} */
  const line = JSON.parse(Buffer.from(bytes.subarray(0, end)).toString("utf8"));
  if (typeof line !== "object" || line === null || !("header" in line) || !("lengths" in line))
    throw new Error("No frame.");
  const payloads = [];
  let at = end + 1;
  for (const length of /** @type {unknown[]} */ (line.lengths)) {
    if (typeof length !== "number" || !(length >= 0) || at + length > bytes.length)
      throw new Error("Half a frame.");
    payloads.push(bytes.subarray(at, at + length));
    at += length;
  }
  return { header: line.header, payloads };
}

const HEAD_MAX_BYTES = 1024 * 1024;

/** Frames out of a stream of chunks, each chunk copied once. */
export class FrameReader {
  /** @type {Uint8Array[]} */
  #chunks = [];
  #bytes = 0;
  /** Null until the head of a frame is there. @type {number | null} */
  #size = null;

  /**
   * The frame that this chunk completes, if it does. What comes behind one belongs to the next.
   * @param {Uint8Array} chunk
   * @returns {{ header: unknown, payloads: Uint8Array[] } | null}
   * @throws {Error} for what is no frame
   */
  push(chunk) {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#size === null && chunk.includes(10)) this.#size = sizeOf(this.#whole());
    if (this.#size === null && this.#bytes > HEAD_MAX_BYTES) throw new Error("No frame.");
    if (this.#size === null || this.#bytes < this.#size) return null;
    const whole = this.#whole();
    const frame = unpackFrame(whole.subarray(0, this.#size));
    const rest = whole.subarray(this.#size);
    this.#chunks = rest.length > 0 ? [rest] : [];
    this.#bytes = rest.length;
    this.#size = null;
    return frame;
  }

  /** What has come so far and is not given out. */
  get bytes() {
    return this.#bytes;
  }

  #whole() {
    const whole = Buffer.concat(this.#chunks);
    this.#chunks = [whole];
    return whole;
  }
}

/**
 * @param {Uint8Array} bytes with its first line
 * @returns {number}
 */
function sizeOf(bytes) {
  const end = bytes.indexOf(10);
  const { lengths } = /** @type {{ lengths: unknown }} */ (
    JSON.parse(Buffer.from(bytes.subarray(0, end)).toString("utf8"))
  );
  if (!Array.isArray(lengths)) throw new Error("No frame.");
  return lengths.reduce((sum, length) => sum + Number(length), end + 1);
}
