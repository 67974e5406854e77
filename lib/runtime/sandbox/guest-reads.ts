import "server-only";
import { packFrame } from "@/lib/runtime/sandbox/frame-reader";

/** Of all that one call saves, and of each file that it reads. */
export const GUEST_FILES_MAX_BYTES = 64 * 1024 * 1024;
/** Of all that one call reads. */
export const GUEST_READ_MAX_BYTES = 4 * GUEST_FILES_MAX_BYTES;
/** What code is told that has read so much. */
export const READ_TOO_MUCH =
  `one call reads at most ${GUEST_READ_MAX_BYTES} bytes. Keep in a variable what is needed ` +
  "again, or go on in another call.";
/** Each is a look into the database or the files, in which no deadline runs. */
const READS_MAX = 10_000;

/** Why a file cannot be read or made; the message goes to the guest. */
export class GuestFailure extends Error {
  override readonly name = "GuestFailure";
}

/**
 * How guest code has a file: as text (of a document, a table), or its bytes as they are; null for
 * one that is not there. What it throws of `GuestFailure` the guest catches.
 * @param maxBytes a larger one is refused before it is read
 */
export type GuestRead = (
  path: string,
  form: "text" | "bytes",
  maxBytes: number,
) => Promise<Uint8Array | null>;

/** A file for guest code. */
export interface GuestFound {
  bytes: Uint8Array;
  /** By the same code, in the same call. */
  isSaved: boolean;
}

/**
 * What one call of guest code has read, in whichever language: so often, and so many bytes. What is
 * over is refused before anything is read.
 */
export class GuestReads {
  readonly #read: GuestRead | undefined;
  readonly #saved: (path: string) => Uint8Array | null;
  #left = GUEST_READ_MAX_BYTES;
  #leftOfReads = READS_MAX;

  /** @param saved what the same code has saved, which it finds first */
  constructor(
    read: GuestRead | undefined,
    saved: (path: string) => Uint8Array | null = () => null,
  ) {
    this.#read = read;
    this.#saved = saved;
  }

  /** @throws GuestFailure */
  async find(path: string, form: "text" | "bytes"): Promise<GuestFound | null> {
    this.#leftOfReads -= 1;
    if (this.#leftOfReads < 0) throw new GuestFailure(`One call reads at most ${READS_MAX} times.`);
    const saved = this.#saved(path);
    // What the code has made itself is at hand.
    if (saved !== null) return { bytes: saved, isSaved: true };
    if (this.#left <= 0) throw new GuestFailure(`${path} is not read: ${READ_TOO_MUCH}`);
    const maxBytes = Math.min(GUEST_FILES_MAX_BYTES, this.#left);
    const bytes = (await this.#read?.(path, form, maxBytes)) ?? null;
    if (bytes === null) return null;
    // A document's text may be longer than its bytes.
    if (bytes.length > this.#left) throw new GuestFailure(`${path} is not read: ${READ_TOO_MUCH}`);
    this.#left -= bytes.length;
    return { bytes, isSaved: false };
  }
}

/** What goes back to a guest that asked, with what goes wrong in words that it may read. */
export async function answered(
  work: () => Promise<readonly Uint8Array[]>,
): Promise<readonly Uint8Array[]> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof GuestFailure) return packFrame({ error: error.message });
    throw error;
  }
}
