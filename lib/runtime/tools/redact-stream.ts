import "server-only";
import type { Redactor } from "@/lib/platform/crypto/redact";

/** So much at once: a step of the redactor is some milliseconds. */
const STEP_BYTES = 16_384;

/**
 * Bytes of somebody outside, without the account's secrets: a server may send back what it was
 * sent. A text is read by its charset and stored as UTF-8; of what is no text the bytes stay as
 * they are, but for a secret that stands in them.
 * @param charset of a text; null: bytes
 */
export async function* redactStream(
  bytes: AsyncIterable<Uint8Array>,
  redactor: Redactor,
  charset: string | null,
): AsyncGenerator<Uint8Array> {
  const scan = redactor.scan();
  const decoder = new TextDecoder(charset ?? "utf-8");
  const read = (piece: Uint8Array) =>
    charset === null
      ? Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString("latin1")
      : decoder.decode(piece, { stream: true });
  const write = (text: string) => Buffer.from(text, charset === null ? "latin1" : "utf8");
  for await (const chunk of bytes)
    for (let at = 0; at < chunk.length; at += STEP_BYTES) {
      const clean = scan.push(read(chunk.subarray(at, at + STEP_BYTES)));
      if (clean !== "") yield write(clean);
    }
  const rest = (charset === null ? "" : scan.push(decoder.decode())) + scan.end();
  if (rest !== "") yield write(rest);
}
