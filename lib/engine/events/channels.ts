import "server-only";

/** Payload: the number of the sending process, then run ids, all separated by blanks. */
export const EVENTS_CHANNEL = "run_events";
/** Payload: one run id. */
export const CANCEL_CHANNEL = "run_cancel";
/** Payload: the id of an account of which a key or a right was changed. Sent by triggers. */
export const PRINCIPAL_CHANNEL = "principal_changed";
