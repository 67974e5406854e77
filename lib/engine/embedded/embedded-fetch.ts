import "server-only";
import { createHash } from "node:crypto";
import { getAsyncCtx } from "inngest/experimental";
import { callContext, calls } from "@/lib/engine/embedded/calls";
import { isRecord, toOperations } from "@/lib/engine/embedded/operation";
import { enqueueEvent } from "@/lib/engine/embedded/router";
import { newId } from "@/lib/platform/ids";
import type { Queryable } from "@/lib/platform/postgres";

/**
 * What the SDK's client gets for `fetch` when no Inngest server is there: its requests end in this process.
 * Sent events are stored on `pool()`, checkpoints go to the driver of their run, all else is refused. Nothing reaches the network.
 */
export function embeddedFetch(pool: () => Queryable): typeof fetch {
  return async (input, init) => {
    const path = new URL(input instanceof Request ? input.url : input).pathname;
    const body: unknown = typeof init?.body === "string" ? JSON.parse(init.body) : undefined;
    if (path.startsWith("/e/") && Array.isArray(body)) return Response.json({ status: 200, ids: await storeEvents(pool(), body) });
    if (/^\/v1\/checkpoint\/[^/]+\/async$/.test(path) && isRecord(body)) return checkpoint(body);
    return Response.json({ error: `The embedded executor does not offer ${path}` }, { status: 501 });
  };
}

async function checkpoint(body: Record<string, unknown>): Promise<Response> {
  const call = calls().get(String(body.qi_id));
  const held = call ? await call.checkpoint(toOperations(body.steps)) : false;
  // 409 halts the function: another driver has it, or it was cancelled.
  return Response.json({}, { status: held ? 200 : 409 });
}

async function storeEvents(pool: Queryable, events: unknown[]): Promise<string[]> {
  const step = (await getAsyncCtx())?.execution?.executingStep?.hashedId ?? "";
  const ids: string[] = [];
  for (const event of events) {
    if (!isRecord(event) || typeof event.name !== "string") throw new Error("An event without a name was sent");
    const data = isRecord(event.data) ? event.data : {};
    const id = typeof event.id === "string" && event.id !== "" ? event.id : repeatableId(step, event.name, data);
    await enqueueEvent(pool, { id, name: event.name, data });
    ids.push(id);
  }
  return ids;
}

/** A step that is repeated after a crash sends the same event under the same id, and so only once. */
function repeatableId(step: string, name: string, data: object): string {
  const call = callContext().getStore();
  if (!call) return newId();
  const print = createHash("sha256")
    .update(JSON.stringify([step, name, data]))
    .digest("hex")
    .slice(0, 32);
  const count = call.sent.get(print) ?? 0;
  call.sent.set(print, count + 1);
  return `sent:${call.claim.runId}:${print}:${count}`;
}
