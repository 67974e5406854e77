import "server-only";
import { Cron } from "croner";
import type { FunctionSpec } from "@/lib/engine/embedded/function-spec";
import { enqueueEvent } from "@/lib/engine/embedded/router";
import type { Queryable } from "@/lib/platform/postgres";

/** Starts the functions whose time came after `since` and not after `now`: each at most once for a time, however many processes do this. */
export async function fireCrons(pool: Queryable, specs: Iterable<FunctionSpec>, since: Date, now: Date): Promise<void> {
  for (const spec of specs) {
    for (const text of spec.crons) {
      const time = lastBetween(new Cron(text, { mode: "5-part", paused: true }), since, now);
      if (time)
        await enqueueEvent(
          pool,
          { id: `cron:${spec.id}:${text}:${time.toISOString()}`, name: "inngest/scheduled.timer", data: { cron: text } },
          spec.id,
        );
    }
  }
}

/** A process that stood still for a while makes up for one firing, not for all. */
function lastBetween(cron: Cron, since: Date, now: Date): Date | null {
  let last: Date | null = null;
  for (let next = cron.nextRun(since), count = 0; next && next <= now && count < 1_000; next = cron.nextRun(next), count++) last = next;
  return last;
}
