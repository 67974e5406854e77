import "server-only";
import { bindCondition, parseCondition } from "@/lib/engine/embedded/condition";
import type { Engine } from "@/lib/engine/embedded/engine";
import { enqueueEvent } from "@/lib/engine/embedded/enqueue-event";
import { inTransaction } from "@/lib/engine/embedded/in-transaction";
import { invocationId } from "@/lib/engine/embedded/invocation";
import { isRecord, type Operation } from "@/lib/engine/embedded/operation";
import { parseDelay } from "@/lib/engine/embedded/parse-delay";
import type { Claim } from "@/lib/engine/embedded/run-store";
import { storeSteps, storeWait } from "@/lib/engine/embedded/step-store";

/**
 * Stores what a step waits for: a time, an event, or the end of a function that it invokes (which starts with this).
 * Gives the time at which the wait ends by itself; null when the driver has lost the run. Throws what the executor cannot do.
 */
export async function registerWait(engine: Engine, claim: Claim, step: Operation): Promise<{ time: Date | null } | null> {
  const text = step.op === "Sleep" ? step.target : step.opts.timeout;
  const time = typeof text === "string" ? new Date(Date.now() + parseDelay(text)) : null;
  const held = await register(engine, claim, step, time);
  return held ? { time } : null;
}

function register(engine: Engine, claim: Claim, step: Operation, dueAt: Date | null): Promise<boolean> {
  const { id, op, name } = step;
  const stored = { id, op, name, done: false, data: null, error: null, attempt: 0, dueAt };
  if (op === "WaitForEvent") {
    const conditions = typeof step.opts.if === "string" ? bindCondition(parseCondition(step.opts.if), claim.event) : [];
    return storeWait(engine.pool, claim, { stepId: id, name, event: step.target, conditions, dueAt });
  }
  if (op === "Sleep") return storeSteps(engine.pool, claim, [stored]);
  const functionId = String(step.opts.function_id);
  if (!engine.specs.has(functionId)) throw new Error(`there is no function "${functionId}" to invoke`);
  const payload = isRecord(step.opts.payload) && isRecord(step.opts.payload.data) ? step.opts.payload.data : {};
  return inTransaction(engine.pool, async (tx) => {
    const held = await storeSteps(tx, claim, [stored]);
    if (held) await enqueueEvent(tx, { id: invocationId(claim.runId, id), name: "inngest/function.invoked", data: payload }, functionId);
    return held;
  });
}
