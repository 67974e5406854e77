import "server-only";
import { createHash } from "node:crypto";
import type pg from "pg";
import { BEAT_MS, beat, registerProcess, unregisterProcess } from "@/lib/engine/embedded/processes";
import { type EngineCondition, engineState } from "@/lib/engine/engine-state";
import { inngest } from "@/lib/engine/server/inngest-client";
import { env } from "@/lib/env";
import { log } from "@/lib/platform/log";

const ANSWER_MS = 3_000;

/** Asks the Inngest server for our functions, by one call that changes nothing. Never throws. */
export async function lookAtServer(): Promise<Exclude<EngineCondition, "down">> {
  try {
    const response = await fetch(new URL(`/v1/apps/${inngest.id}/functions`, inngest.apiBaseUrl), {
      headers: { authorization: `Bearer ${hashedSigningKey(env().INNGEST_SIGNING_KEY)}` },
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const text = await response.text();
    if (response.status === 401 || response.status === 403) return "refused";
    if (response.status === 404) return "unregistered";
    if (!response.ok) return "away";
    const functions: unknown = JSON.parse(text);
    return Array.isArray(functions) && functions.length > 0 ? "ok" : "unregistered";
  } catch {
    return "away";
  }
}

/** As Inngest wants it from an app: the prefix, and the SHA-256 of the key's bytes. */
function hashedSigningKey(key: string): string {
  const [prefix = ""] = /^signkey-\w+-/.exec(key) ?? [];
  return (
    prefix +
    createHash("sha256")
      .update(Buffer.from(key.slice(prefix.length), "hex"))
      .digest("hex")
  );
}

/**
 * With an Inngest server: shows the other processes of the database that this one lives, as the
 * embedded executor does by itself. Else the logs that its steps write would count as nobody's.
 * Returns what ends it.
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
        .catch((error: Error) =>
          log.warn(
            { err: error.message },
            "the process could not show that it lives; it goes on trying",
          ),
        )
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
