import "server-only";
import { findLeakedFiles } from "@/lib/domain/blobs/blob-audit";
import type { EngineFunction } from "@/lib/engine/functions";
import { log } from "@/lib/platform/log";

/** A step ends after this time and the next goes on from there, so that a crash repeats little. */
const SLICE_MS = 30_000;

/** Each night: removes stored bytes that no row has named for a day. */
export const collectFiles: EngineFunction = {
  id: "collect-files",
  retries: 0,
  limits: [{ limit: 1 }],
  triggers: [{ cron: "41 3 * * *" }],
  handler: async ({ step }) => {
    let after: string | null = "";
    for (let slice = 0; after !== null; slice++) {
      const from: string = after;
      // As the engine hands it on, as JSON.
      after = (await step.run(`slice-${slice}`, () => collectSlice(from))) as string | null;
    }
  },
};

async function collectSlice(after: string): Promise<string | null> {
  const { leaked, next } = await findLeakedFiles(after, { remove: true, limitMs: SLICE_MS });
  const bytes = leaked.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  if (leaked.length > 0)
    log.warn({ files: leaked.length, bytes }, "stored bytes that no row named were removed");
  return next;
}
