import "server-only";
import type pg from "pg";
import type { Handler } from "@/lib/engine/embedded/call-function";
import type { FunctionSpec } from "@/lib/engine/embedded/function-spec";

/** A run that this process works on, as the rest of the engine sees it. */
export interface Driver {
  /** Which claim of the run it is. */
  readonly attempt: number;
  /** Looks again at what it may do. */
  wake(): void;
  /** Stops without storing anything more: the run is another's. */
  abandon(): void;
}

/** What the parts of one running executor share. */
export interface Engine {
  pool: pg.Pool;
  handler: Handler;
  specs: Map<string, FunctionSpec>;
  /** The number of this process among `engine_processes`; another one after it was given up for dead. */
  owner: () => number;
  /** The lane whose places runs of this function take. */
  laneOf: (functionId: string) => string;
  /** The runs that this process drives now. */
  drivers: Map<string, Driver>;
  /** Milliseconds to wait after the nth failure in a row (1 = the first). */
  backoffMs: (failures: number) => number;
  /** True once the executor winds up: drivers halt at the next step's border. */
  isStopping: () => boolean;
  /** Takes sleeping runs up at that time. */
  wakeAt: (time: number) => void;
}
