import "server-only";

/** The route under which the idempotency keys of a super-agent's child runs stand: `<run id>:<tool call id>`. The doors' routes are named otherwise. */
export const CHILD_ROUTE = "superAgentChild";
