import "server-only";
import { AsyncLocalStorage } from "node:async_hooks";
import { processSingleton } from "@/lib/platform/process-singleton";
import type { EngineResult } from "@/lib/platform/sql-functions";

/**
 * Why a drive was cut, as the reason of its scope's signal: this process stops in good order, or
 * the run is another's. The run is not to blame for either, and goes on elsewhere: what the cut
 * work had used is the operator's loss, never the run's cost.
 */
export class DriveCut extends Error {
  override readonly name = "DriveCut";
  constructor(readonly why: "stopped" | "taken_over") {
    super(why === "stopped" ? "the process stops" : "the run is another driver's");
  }
}

/**
 * Why the drive behind a signal was cut; null where it was not: the run was cancelled, its time was
 * up, or nothing happened at all.
 */
export function driveCut(signal: AbortSignal): DriveCut["why"] | null {
  return signal.reason instanceof DriveCut ? signal.reason.why : null;
}

/**
 * What lives as long as one process drives one run: state of the run that need not be read again,
 * and what to let go of at the end.
 */
export interface DriveScope {
  readonly values: Map<string, unknown>;
  readonly onEnd: (() => Promise<void> | void)[];
  /**
   * Says that the work now waits for something outside, such as a model: until then it counts as
   * one of the few that begin at once.
   */
  readonly begun: () => void;
  /**
   * Waits for something outside, such as a model's or a tool's answer, without a place: what waits
   * for a socket needs no processor. Resolves, or rejects, when it has come and there is a place
   * again to go on.
   */
  readonly outside: <T>(wait: () => Promise<T>) => Promise<T>;
  /**
   * Aborted when the drive is cut, with a `DriveCut` as its reason: what works for it should stop.
   */
  readonly signal: AbortSignal;
}

/** What a write names, so that it changes nothing once the run is another driver's. */
interface Fence {
  run: string;
  attempt: number;
  owner: number;
}

/** A step, or what stands between steps, that this process works on right now. */
export interface DrivenWork {
  scope: DriveScope;
  fence: Fence;
  /** The step at work. */
  step: { id: string; name: string } | null;
  /** Called once a transaction has stored this result of the step. */
  onFolded: (stepId: string) => void;
  /** Called once a transaction has ended the run. */
  onEnded: () => void;
}

/** Leads from code inside a function back to whoever drives it. */
function workContext(): AsyncLocalStorage<DrivenWork> {
  return processSingleton("engine.workContext", () => new AsyncLocalStorage<DrivenWork>());
}

/** Runs `work` as part of a drive of this process. */
export function runDriven<T>(driven: DrivenWork, work: () => T): T {
  return workContext().run(driven, work);
}

/**
 * What lives as long as this process drives the run that is being worked on; null where an Inngest
 * server drives.
 */
export function driveScope(): DriveScope | null {
  return workContext().getStore()?.scope ?? null;
}

/** Waits outside where this process drives a run; anywhere else it simply waits. */
export function waitOutside<T>(wait: () => Promise<T>): Promise<T> {
  return driveScope()?.outside(wait) ?? wait();
}

/**
 * What a transaction takes to store its step's result, or its run's end, with what makes it true
 * (`engine_store_result`).
 */
export interface Fold {
  /** For `engine_store_result`. */
  argument: EngineResult;
  /** To be called when the transaction has committed: the driver does not store it once more. */
  done: () => void;
}

/**
 * The fold of the step that is being worked on, whose result will be `data`; null where an Inngest
 * server drives.
 */
export function foldStep(data: unknown): Fold | null {
  const driven = workContext().getStore();
  if (!driven?.step) return null;
  const { id, name } = driven.step;
  return {
    argument: {
      ...driven.fence,
      step_id: id,
      step_name: name,
      step_data: JSON.stringify(data ?? null),
    },
    done: () => driven.onFolded(id),
  };
}

/**
 * The fold of the run's end, after which its function returns; null where an Inngest server drives.
 */
export function foldEnd(): Fold | null {
  const driven = workContext().getStore();
  if (!driven) return null;
  const argument = { ...driven.fence, step_id: null, step_name: null, step_data: null };
  return { argument, done: driven.onEnded };
}
