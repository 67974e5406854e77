import "server-only";
import { inngest } from "@/lib/engine/client";
import { enqueueEvent } from "@/lib/engine/embedded/router";
import { engineMode } from "@/lib/engine/engine-mode";
import type { LatheEvent } from "@/lib/engine/lathe-event";
import type { Queryable } from "@/lib/platform/postgres";

/** Embedded: the event is stored in the caller's transaction and starts its functions when that commits. With an Inngest server: nothing. */
export async function dispatchInTransaction(tx: Queryable, event: LatheEvent): Promise<void> {
  if (engineMode() === "embedded") await enqueueEvent(tx, event);
}

/**
 * With an Inngest server: sends the event; sending one id twice is harmless (for 24 h). Embedded: nothing, the commit did it.
 * @throws EngineUnavailable when the server does not take it
 */
export async function dispatchAfterCommit(event: LatheEvent): Promise<void> {
  if (engineMode() === "embedded") return;
  try {
    await inngest.send(event);
  } catch (error) {
    throw new EngineUnavailable(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** The engine could not be told of an event, now or within the SDK's own tries; whether it got it is not known. */
export class EngineUnavailable extends Error {
  override readonly name = "EngineUnavailable";
}
