import "server-only";
import { setTimeout as delay } from "node:timers/promises";
import { type AccountEventView, readEvents } from "@/lib/domain/events/read-events";
import type { Principal } from "@/lib/domain/principal";
import type { EventType } from "@/lib/model/events/event-types";
import { STREAM_PING_SECONDS } from "@/lib/model/limits";

/** How often it looks for what is new. */
const LOOK_MS = 1_000;
const BATCH = 100;

/**
 * An account's events after number `after` as NDJSON: what is stored, then what happens, without an
 * end of its own (`openStream` ends it with the reader's key); a `ping` after 10 s of silence.
 * @param toLine an event as its JSON
 * @param signal ends it
 */
export async function* followEvents(
  principal: Principal,
  after: number,
  types: readonly EventType[] | null,
  toLine: (event: AccountEventView) => object,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let last = after;
  let saidAt = performance.now();
  while (!signal.aborted) {
    const events = await readEvents(principal, last, types, BATCH);
    if (events.length > 0) {
      last = Number(events.at(-1)?.sequence ?? last);
      saidAt = performance.now();
      yield events.map((event) => `${JSON.stringify(toLine(event))}\n`).join("");
      continue;
    }
    if (performance.now() - saidAt >= STREAM_PING_SECONDS * 1_000) {
      saidAt = performance.now();
      yield `${JSON.stringify({ type: "ping", created_at: new Date().toISOString() })}\n`;
    }
    await delay(LOOK_MS, undefined, { signal }).catch(() => {});
  }
}
