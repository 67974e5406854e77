import "server-only";
import { AsyncLocalStorage } from "node:async_hooks";
import { getAsyncCtx } from "inngest/experimental";
import type { Claim } from "@/lib/engine/embedded/claim";
import type { Operation } from "@/lib/engine/embedded/operation";
import { once } from "@/lib/platform/once";

/** What lives as long as one process drives one run: state of the run that need not be read again, and what to let go of at the end. */
export interface DriveScope {
  readonly values: Map<string, unknown>;
  readonly onEnd: (() => Promise<void> | void)[];
  /** Says that the work now waits for something outside, such as a model: until then it counts as one of the few that begin at once. */
  readonly begun: () => void;
  /** Aborted when the run is another's: what works for it should stop. */
  readonly signal: AbortSignal;
}

/** A call into the SDK's handler that runs right now. */
export interface Call {
  claim: Claim;
  scope: DriveScope;
  /** Steps whose result was stored by the transaction that made it true, by id. */
  folded: Set<string>;
  /** Called once that transaction has ended the run. */
  onEnded: () => void;
  /** Stores finished steps; false when this driver has lost the run and the function must halt. */
  checkpoint: (steps: Operation[]) => Promise<boolean>;
}

/** The calls of this process by their queue id, which the SDK hands back with each checkpoint. */
export function calls(): Map<string, Call> {
  return once("engine.calls", () => new Map<string, Call>());
}

/** Leads from code inside a function back to its call. */
export function callContext(): AsyncLocalStorage<Call> {
  return once("engine.callContext", () => new AsyncLocalStorage<Call>());
}

/** What lives as long as this process drives the run that is being worked on; null outside of the embedded executor. */
export function driveScope(): DriveScope | null {
  return callContext().getStore()?.scope ?? null;
}

/** What a transaction takes to store its step's result, or its run's end, with what makes it true (`engine_fold`). */
export interface Fold {
  /** JSON for `engine_fold`. */
  argument: object;
  /** To be called when the transaction has committed: the executor does not store it once more. */
  done: () => void;
}

/** The fold of the step that is being worked on, whose result will be `data`; null outside of the embedded executor. */
export async function foldStep(data: unknown): Promise<Fold | null> {
  const call = callContext().getStore();
  const step = (await getAsyncCtx())?.execution?.executingStep;
  if (!call || !step?.hashedId) return null;
  const { hashedId: id, name } = step;
  return {
    argument: { ...fenceOf(call.claim), step: { id, name: name ?? id, data: JSON.stringify(data ?? null) } },
    done: () => call.folded.add(id),
  };
}

/** The fold of the run's end, after which its function returns; null outside of the embedded executor. */
export function foldEnd(): Fold | null {
  const call = callContext().getStore();
  return call ? { argument: fenceOf(call.claim), done: call.onEnded } : null;
}

function fenceOf({ runId: run, attempt, owner }: Claim) {
  return { run, attempt, owner };
}
