import "server-only";
import { setTimeout as delay } from "node:timers/promises";
import { log } from "@/lib/platform/log";

// Data that cannot be stored, or a statement that cannot work, will not do so the next time either.
const HOPELESS = /^(22|23|42|54)/;

/** Tries a write again until the database is back; gives up when `isLost()` says that it would come too late, and then resolves to null. */
export async function persist<T>(write: () => Promise<T>, isLost: () => boolean): Promise<T | null> {
  for (let failures = 0; ; failures++) {
    if (isLost()) return null;
    try {
      return await write();
    } catch (error) {
      if (isHopeless(error)) throw error;
      if (failures === 0) log.warn({ err: error instanceof Error ? error.message : String(error) }, "the engine's database cannot be reached; trying again");
      await delay(Math.min(2_000, 50 * 2 ** failures));
    }
  }
}

function isHopeless(error: unknown): boolean {
  return error instanceof Error && "code" in error && typeof error.code === "string" && HOPELESS.test(error.code);
}
