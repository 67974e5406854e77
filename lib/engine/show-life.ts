import "server-only";
import type pg from "pg";
import { BEAT_MS, beat, registerProcess, unregisterProcess } from "@/lib/engine/embedded/processes";
import { engineState } from "@/lib/engine/engine-state";
import { log } from "@/lib/platform/log";

/**
 * With an Inngest server: shows the other processes of the database that this one lives, as the embedded executor does by itself. Else the logs that its steps write would
 * count as nobody's. Returns what ends it.
 */
export async function showLife(pool: pg.Pool): Promise<() => Promise<void>> {
  const state = engineState();
  let process = await registerProcess(pool);
  state.processId = process;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let beating: Promise<void> = Promise.resolve();
  const beatOnce = async () => {
    const seen = await beat(pool, process);
    if (seen.alive) {
      state.others = seen.processes.length - 1;
      return;
    }
    log.warn("this process was taken for dead; what its steps write no longer counts");
    process = await registerProcess(pool);
    state.processId = process;
  };
  const schedule = () => {
    timer = setTimeout(() => {
      beating = beatOnce()
        .catch((error: Error) => log.warn({ err: error.message }, "the process could not show that it lives; it goes on trying"))
        .finally(() => !isStopped && schedule());
    }, BEAT_MS);
    timer.unref();
  };
  schedule();
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await beating;
    await unregisterProcess(pool, process).catch(() => {});
  };
}
