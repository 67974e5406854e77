import "server-only";

/** Thrown where a change was worked out on a version of the agent that is no longer the current one; the transaction that it ends stores nothing. */
export class AgentChanged extends Error {
  override readonly name = "AgentChanged";
}
