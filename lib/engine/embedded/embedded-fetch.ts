import "server-only";
import { calls, isRecord, toOperations } from "@/lib/engine/embedded/protocol";

/**
 * What the SDK's client gets for `fetch` when no Inngest server is there: its requests end in this process. Checkpoints go to the driver of their run, all
 * else is refused: events too, for they are stored with what they tell of (lib/engine/lathe-event.ts). Nothing reaches the network.
 */
export const embeddedFetch: typeof fetch = async (input, init) => {
  const path = new URL(input instanceof Request ? input.url : input).pathname;
  const body: unknown = typeof init?.body === "string" ? JSON.parse(init.body) : undefined;
  if (/^\/v1\/checkpoint\/[^/]+\/async$/.test(path) && isRecord(body)) return checkpoint(body);
  const asked = path.startsWith("/e/") ? "the client's send, nor step.sendEvent" : path;
  return Response.json({ error: `The embedded executor does not support ${asked}` }, { status: 501 });
};

async function checkpoint(body: Record<string, unknown>): Promise<Response> {
  const call = calls().get(String(body.qi_id));
  const held = call ? await call.checkpoint(toOperations(body.steps)) : false;
  // 409 halts the function: another driver has it, or it was cancelled.
  return Response.json({}, { status: held ? 200 : 409 });
}

/**
 * How an Inngest client must be made for the embedded executor, beside `fetch: embeddedFetch`: no signatures, each step reported as it
 * ends, and no limit on how long the SDK runs on from step to step in one call.
 */
export const EMBEDDED_CLIENT_OPTIONS = { isDev: true, aiMetadata: false, checkpointing: { bufferedSteps: 1, maxRuntime: 0 } } as const;
