import "server-only";
import { setTimeout as delay } from "node:timers/promises";
import { isTransientError } from "@/lib/platform/is-transient-error";
import { log } from "@/lib/platform/log";

/** Tries a write again until the database is back; gives up when `isLost()` says that it would come too late, and then resolves to null. Throws what will not pass. */
export async function persist<T>(write: () => Promise<T>, isLost: () => boolean): Promise<T | null> {
  for (let failures = 0; !isLost(); failures++) {
    try {
      return await write();
    } catch (error) {
      if (!isTransientError(error)) throw error;
      if (failures === 0)
        log.warn({ err: error instanceof Error ? error.message : String(error) }, "the engine's database cannot be reached; trying again");
      await delay(Math.min(2_000, 50 * 2 ** failures));
    }
  }
  return null;
}
