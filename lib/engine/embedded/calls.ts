import "server-only";
import { AsyncLocalStorage } from "node:async_hooks";
import type { Operation } from "@/lib/engine/embedded/operation";
import { once } from "@/lib/platform/once";

/** A call into the SDK's handler that runs right now. */
export interface Call {
  runId: string;
  /** Stores finished steps; false when this driver has lost the run and the function must halt. */
  checkpoint: (steps: Operation[]) => Promise<boolean>;
  /** How often each event was sent in this call, to tell equal ones apart. */
  sent: Map<string, number>;
}

/** The calls of this process by their queue id, which the SDK hands back with each checkpoint. */
export function calls(): Map<string, Call> {
  return once("engine.calls", () => new Map<string, Call>());
}

/** Leads from code inside a function back to its call, so that an event sent there gets an id that a repeated step gives again. */
export function callContext(): AsyncLocalStorage<Call> {
  return once("engine.callContext", () => new AsyncLocalStorage<Call>());
}
