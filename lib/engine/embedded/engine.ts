import "server-only";
import type pg from "pg";
import type { Handler } from "@/lib/engine/embedded/call-function";
import type { FunctionSpec } from "@/lib/engine/embedded/function-spec";

/** A run that this process works on, as the rest of the engine sees it. */
export interface Driver {
  /** Looks again at what it may do. */
  wake(): void;
  /** Stops without storing anything more: the run is another's. */
  abandon(): void;
}

/** Limits of single values of a function's first concurrency key, in place of the one that the function declares; those that have none are left out. */
export type LimitsOf = (functionId: string, values: readonly unknown[]) => Promise<ReadonlyMap<unknown, number>>;

/** What the parts of one running executor share. */
export interface Engine {
  pool: pg.Pool;
  handler: Handler;
  specs: Map<string, FunctionSpec>;
  /** The number of this process among `engine_processes`; another one after it was given up for dead. */
  owner: () => number;
  /** The lane whose places runs of this function take. */
  laneOf: (functionId: string) => string;
  /** What stands in place of a limit of the function's first key, by that key's value. */
  limitsOf: LimitsOf;
  /** The runs that this process drives now. */
  drivers: Map<string, Driver>;
  /** Milliseconds to wait after the nth failure in a row (1 = the first). */
  backoffMs: (failures: number) => number;
  /** True once the executor winds up: drivers halt at the next step's border. */
  isStopping: () => boolean;
  /** Looks for due jobs at that time, should nobody else. */
  wakeAt: (time: Date) => void;
}
