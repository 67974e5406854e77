import "server-only";

/** An event as a function gets it. */
export interface EngineEvent {
  id: string;
  name: string;
  data: Record<string, unknown>;
  /** Milliseconds since 1970. */
  ts: number;
}

/**
 * An event that a run waits for: the first of this name whose `field` has this value. No function
 * is started by such an event.
 */
export interface EventWait {
  event: string;
  match: { field: string; value: string };
  /** After so long it ends with null. */
  timeoutSeconds: number;
}

/** A step that asks for something, or looks whether there is still something to wait for. */
export interface Asking<T> {
  id: string;
  work: () => T | Promise<T>;
  /** Whether what the step gave is still waited for. */
  awaits: (given: T) => boolean;
}

/**
 * What a function asks of whoever drives it. Each of a run's steps has an id of its own. A step is
 * made at most once, whatever happens to the process in between, but for one that was at work as it
 * died; what it gave is stored as JSON, and is what the function gets whenever it is called again.
 * One step works at a time, beside any number of sleeps and waits. Between its steps a function
 * does nothing that takes time or has an effect.
 */
export interface Steps {
  /** @throws what `work` threw, once its retries are used up */
  run<T>(id: string, work: () => T | Promise<T>): Promise<T>;
  /** Not less than so long. */
  sleep(id: string, milliseconds: number): Promise<void>;
  /**
   * Stored before any step that is asked for after it begins. An event that comes before it is
   * stored does not end it: look at the state in the database before waiting.
   */
  waitForEvent(id: string, wait: EventWait): Promise<EngineEvent | null>;
  /**
   * A step whose answer is waited for from before it is made, so that none can come too early to be
   * heard. Where the step says that there is nothing to wait for, the function goes on at once. The
   * event may be a late one, or one that ended another wait for the same: what it tells of is
   * looked up.
   * @param waitId of the wait, which is another step
   * @returns what the step gave, and the event: null where none came in time or none was awaited
   * @throws what `work` threw, once its retries are used up
   */
  askAndWait<T>(
    asking: Asking<T>,
    waitId: string,
    wait: EventWait,
  ): Promise<[given: T, event: EngineEvent | null]>;
}

/** Either event or clock: five fields, in UTC. */
export type Trigger =
  | { event: string; where?: { field: string; value: string } }
  | { cron: string };

/** Why a run of a function has failed, for whoever closes what it was about. */
export interface FunctionFailure {
  /** What had started it. */
  event: EngineEvent;
  error: { name: string; message: string };
}

/**
 * A function of the engine: what it is started by, and what it does in steps. Whether an Inngest
 * server drives it or this process, it is the same one.
 */
export interface EngineFunction {
  id: string;
  /** Tries after the first one, of each step and of the function itself: 0 to 20. */
  retries: number;
  triggers: readonly Trigger[];
  /**
   * At most `limit` runs work at once: of all, or of those whose event has the same value in
   * `field`.
   */
  limits?: readonly [EngineLimit] | readonly [EngineLimit, EngineLimit];
  /** Ends a run when such an event comes whose `field` is that of the run's own event. */
  cancelOn?: readonly { event: string; field: string }[];
  onFailure?: (failure: FunctionFailure) => Promise<void>;
  handler: (context: { event: EngineEvent; step: Steps }) => Promise<unknown>;
}

export interface EngineLimit {
  limit: number;
  field?: string;
}

/** Thrown in a function: another attempt would change nothing. */
export class NonRetriableError extends Error {
  // Both hosts know it by its name.
  override readonly name = "NonRetriableError";
}

/** The name of this service among the apps of an engine. */
export const APP_ID = "lathe";

/** The name of the error of a run that its processes died or froze over. */
export const ENGINE_LOST = "EngineLost";
