import "server-only";
import { calls } from "@/lib/engine/embedded/calls";
import { isRecord, toOperations } from "@/lib/engine/embedded/operation";

/**
 * What the SDK's client gets for `fetch` when no Inngest server is there: its requests end in this process. Checkpoints go to the driver of their run, all
 * else is refused: events too, for they are stored with what they tell of (lib/engine/dispatch.ts). Nothing reaches the network.
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
