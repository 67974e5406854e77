import "server-only";
import { createHash } from "node:crypto";
import type pg from "pg";
import { deleteOldRuns, KEEP_HOURS } from "@/lib/engine/embedded/run-store";
import { type EngineCondition, engineState } from "@/lib/engine/engine-state";
import { BEAT_MS, beat, registerProcess, unregisterProcess } from "@/lib/engine/processes";
import { inngest } from "@/lib/engine/server/inngest-client";
import { relay } from "@/lib/engine/server/relay";
import { env } from "@/lib/env";
import { log } from "@/lib/platform/log";
import { definePart } from "@/lib/service";

const ANSWER_MS = 3_000;

/** Asks the Inngest server for our functions, by one call that changes nothing. Never throws. */
export async function lookAtServer(): Promise<Exclude<EngineCondition, "down">> {
  try {
    const response = await fetch(
      new URL(`/v1/apps/${inngest().id}/functions`, inngest().apiBaseUrl),
      {
        headers: { authorization: `Bearer ${hashedSigningKey(env().INNGEST_SIGNING_KEY)}` },
        signal: AbortSignal.timeout(ANSWER_MS),
      },
    );
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

const ANSWER_KEPT_MS = 1_000;

interface Asked {
  answer: ReturnType<typeof lookAtServer>;
  /** Milliseconds of the process's own clock; null while the server is asked. */
  answeredAt: number | null;
}

export const lastAsked = definePart("engine.asked", (): { asked: Asked | null } => ({
  asked: null,
}));

/**
 * How the Inngest server is right now. However many ask, it is asked once, and its answer holds for
 * a second. Never throws.
 */
export function askServer(): ReturnType<typeof lookAtServer> {
  const last = lastAsked();
  const { asked } = last;
  const isHeld =
    asked && (asked.answeredAt === null || performance.now() - asked.answeredAt < ANSWER_KEPT_MS);
  if (isHeld) return asked.answer;
  const next: Asked = { answer: lookAtServer(), answeredAt: null };
  last.asked = next;
  void next.answer.then(() => {
    next.answeredAt = performance.now();
  });
  return next.answer;
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

const CLEAR_EVERY_BEATS = 900;

/**
 * With an Inngest server: shows the other processes of the database that this one lives, as the
 * embedded executor does by itself. Else the logs that its steps write would count as nobody's.
 * With each beat what waits to be sent to the server is sent, and now and then what was sent long
 * ago is deleted. Returns what ends it.
 */
export async function showLife(pool: pg.Pool): Promise<() => Promise<void>> {
  const state = engineState();
  let process = await registerProcess(pool);
  state.processId = process;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let beating: Promise<void> = Promise.resolve();
  let clearing: Promise<void> = Promise.resolve();
  let beats = 0;
  const beatOnce = async () => {
    const seen = await beat(pool, process);
    if (seen.alive) {
      state.others = seen.processes.length - 1;
      // Beside the beat, which must not wait for a server that hangs.
      if (seen.unrouted.length > 0)
        void relay()
          .sendWaiting()
          .catch((error: Error) =>
            log.warn(
              { err: error.message },
              "events that wait could not be sent; it is tried again",
            ),
          );
      if (beats % CLEAR_EVERY_BEATS === 1) clearing = clearUp(pool, () => isStopped);
      beats += 1;
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
    await clearing;
    await unregisterProcess(pool, process).catch(() => {});
  };
}

/** Of an embedded executor that worked on this database before, too. */
function clearUp(pool: pg.Pool, isOver: () => boolean): Promise<void> {
  return deleteOldRuns(pool, KEEP_HOURS, isOver).catch((error: Error) =>
    log.warn({ err: error.message }, "deleting old events failed; it is tried again"),
  );
}
