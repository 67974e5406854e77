import "server-only";

/** One message of a child: a line of JSON, and so many bytes as its `bytes` says. */
export interface Frame {
  header: unknown;
  payload: Buffer;
}

const HEADER_MAX_BYTES = 16 * 1024;
const LINE_END = 0x0a;

/**
 * Takes apart what a child writes: frames, each a line of JSON with the number of `bytes` that
 * follow it. Keeps what belongs to the frame that is not whole yet.
 */
export class FrameReader {
  #chunks: Buffer[] = [];
  #held = 0;
  #header: { value: unknown; bytes: number } | null = null;

  /** @throws SyntaxError for what is no frame: the child is not, or no longer, what we started */
  push(chunk: Buffer): Frame[] {
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    const frames: Frame[] = [];
    for (let frame = this.#next(); frame !== null; frame = this.#next()) frames.push(frame);
    return frames;
  }

  #next(): Frame | null {
    this.#header ??= this.#readHeader();
    if (this.#header === null || this.#held < this.#header.bytes) return null;
    const { value, bytes } = this.#header;
    this.#header = null;
    return { header: value, payload: this.#take(bytes) };
  }

  #readHeader(): { value: unknown; bytes: number } | null {
    const [first] = this.#chunks;
    if (first === undefined) return null;
    const head = first.includes(LINE_END) ? first : this.#joined();
    const end = head.indexOf(LINE_END);
    if ((end < 0 ? head.length : end) > HEADER_MAX_BYTES)
      throw new SyntaxError("the header of a frame is too long");
    if (end < 0) return null;
    const value: unknown = JSON.parse(this.#take(end + 1).toString("utf8"));
    const bytes: unknown =
      typeof value === "object" && value !== null && "bytes" in value ? value.bytes : 0;
    if (typeof bytes !== "number" || !Number.isSafeInteger(bytes) || bytes < 0)
      throw new SyntaxError("a frame does not say its size");
    return { value, bytes };
  }

  #joined(): Buffer {
    const all = Buffer.concat(this.#chunks);
    this.#chunks = [all];
    return all;
  }

  #take(bytes: number): Buffer {
    const all = this.#chunks.length === 1 ? (this.#chunks[0] ?? Buffer.alloc(0)) : this.#joined();
    const rest = all.subarray(bytes);
    this.#chunks = rest.length === 0 ? [] : [rest];
    this.#held -= bytes;
    return all.subarray(0, bytes);
  }
}
