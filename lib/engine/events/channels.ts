import "server-only";

/** Payload: the number of the sending process, then run ids, all separated by blanks. */
export const EVENTS_CHANNEL = "run_events";
/** Payload: one run id. */
export const CANCEL_CHANNEL = "run_cancel";
/** Sent by whoever stores a line within a transaction of his own: no process has it in memory. */
export const NOBODY = "-";
