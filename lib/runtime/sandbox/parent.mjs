/**
 * How a child process speaks with the service, its parent: in frames, each a line of JSON that
 * counts the `bytes` behind it. Bytes are neither quoted nor parsed, so the service's loop is not
 * held by them. The descriptors themselves, not the streams: whoever asks waits for the answer in
 * its place. A child ends when its parent has gone.
 */
import { Buffer } from "node:buffer";
import { readSync, writeSync } from "node:fs";

const { exit } = process;
const [INPUT, OUTPUT] = [0, 1];
const LINE_END = 10;
const CHUNK_BYTES = 65_536;
const NOTHING = new Uint8Array();

let held = Buffer.alloc(0);

const WAIT_MILLISECONDS = 2;
const clock = new Int32Array(new SharedArrayBuffer(4));
const { wait } = Atomics;

/**
 * Does it as soon as it can be done: a library that has looked at the streams of the process has
 * made their descriptors such that nobody waits for them.
 * @param {() => number} work
 */
function insist(work) {
  for (;;)
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Error) || !("code" in error) || error.code !== "EAGAIN") throw error;
      wait(clock, 0, 0, WAIT_MILLISECONDS);
    }
}

/**
 * @param {Uint8Array} into
 * @param {number} at
 */
function readSome(into, at) {
  const read = insist(() => readSync(INPUT, into, at, into.length - at, null));
  if (read === 0) exit(0);
  return read;
}

/** @param {number} bytes */
function readBytes(bytes) {
  const whole = Buffer.alloc(bytes);
  let at = held.copy(whole, 0, 0, bytes);
  held = held.subarray(at);
  while (at < bytes) at += readSome(whole, at);
  return whole;
}

function readLine() {
  const chunks = [held];
  for (let last = held; !last.includes(LINE_END); ) {
    const chunk = Buffer.alloc(CHUNK_BYTES);
    last = chunk.subarray(0, readSome(chunk, 0));
    chunks.push(last);
  }
  const all = Buffer.concat(chunks);
  const line = all.subarray(0, all.indexOf(LINE_END));
  held = all.subarray(line.length + 1);
  return line.toString("utf8");
}

/**
 * The next frame; waits for it. Our own parent wrote it, so it is what it should be.
 * @returns {{ header: any, payload: Buffer }}
 */
export function readFrame() {
  const header = JSON.parse(readLine());
  return { header, payload: readBytes(header.bytes) };
}

/**
 * @param {object} header
 * @param {Uint8Array} [payload]
 */
export function writeFrame(header, payload = NOTHING) {
  const head = Buffer.from(`${JSON.stringify({ ...header, bytes: payload.length })}\n`);
  for (const piece of [head, payload])
    for (let at = 0; at < piece.length; )
      at += insist(() => writeSync(OUTPUT, piece, at, piece.length - at, null));
}

/**
 * Asks the parent for something and waits.
 * @param {object} header
 * @param {Uint8Array} [payload]
 * @returns {{ header: any, payload: Buffer } | null} null: there is no such thing
 * @throws {Error} in the parent's words
 */
export function ask(header, payload) {
  writeFrame(header, payload);
  const answer = readFrame();
  if (answer.header.error !== undefined) throw new Error(String(answer.header.error));
  return answer.header.found === false ? null : answer;
}
