import "server-only";

/** The names under which the executor's jobs lie in the queue. */
export const ROUTE_TASK = "engine_route";
export const DRIVE_TASK = "engine_drive";
/** A job is a mere poke, and what it pokes is guarded by its own row: it may be tried as often as it takes. */
export const JOB_MAX_ATTEMPTS = 30_000;
/** The channel that tells a driver of news for runs that it drives right now. */
export const WAKE_CHANNEL = "engine_wake";
