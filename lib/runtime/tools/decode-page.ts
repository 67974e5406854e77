import "server-only";
import type { WorkspacePage } from "@/lib/runtime/tools/tool-ports";

const LONGEST_CHARACTER_BYTES = 4;

/**
 * A page of text out of the bytes read at `offset` of a file of `sizeBytes`. The start of a character that the page cuts is left
 * for the next page, so that joined pages give the file's text. Bytes that are no UTF-8 read as U+FFFD.
 */
export function decodePage(bytes: Uint8Array, offset: number, sizeBytes: number): WorkspacePage {
  const isLast = offset + bytes.length >= sizeBytes;
  const kept = isLast ? bytes : bytes.subarray(0, bytes.length - cutBytes(bytes));
  const text = new TextDecoder("utf-8", { ignoreBOM: offset > 0 }).decode(kept);
  return { text, truncated: offset > 0 || !isLast, next_offset: isLast ? null : offset + kept.length, size_bytes: sizeBytes };
}

/** How many bytes at the end belong to a character that is not there as a whole; 0 rather than a page without progress. */
function cutBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(LONGEST_CHARACTER_BYTES, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length > back && back < bytes.length ? back : 0;
  }
  return 0;
}
