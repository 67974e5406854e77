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
