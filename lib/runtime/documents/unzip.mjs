import { unzipSync } from "fflate";

/** More than this is never inflated, whatever a file says of itself. */
const UNPACKED_MAX_BYTES = 128 * 1024 * 1024;
const ENTRIES_MAX = 10_000;

/** What a person is told: the file cannot be read, and why. */
export class Unreadable extends Error {}

/**
 * The wanted entries of a zip. Their room is taken before they are inflated, by what the zip's own
 * list says, and an entry that holds more than that is cut off there: no bomb has more than its
 * bound.
 * @param {Uint8Array} bytes
 * @param {(name: string) => boolean} isWanted
 * @throws {Unreadable}
 */
export function unzip(bytes, isWanted) {
  let entries = 0;
  let unpacked = 0;
  try {
    return unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        entries += 1;
        if (entries > ENTRIES_MAX)
          throw new Unreadable(
            `It holds more than ${ENTRIES_MAX} parts, which no document of this kind has.`,
          );
        if (!isWanted(name)) return false;
        unpacked += originalSize;
        if (unpacked > UNPACKED_MAX_BYTES)
          throw new Unreadable(
            `Unpacked it would have more than ${UNPACKED_MAX_BYTES / 1024 / 1024} MiB, which is ` +
              "the most that is read.",
          );
        return true;
      },
    });
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable("Its archive is broken.");
  }
}
