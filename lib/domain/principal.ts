import "server-only";

/** Who asks. Every verb takes one, and every query by id has its account in the `where`. */
export interface Principal {
  accountId: string;
  /** Set for an app key: the one agent it may run. */
  agentId: string | null;
  via: "key" | "session" | "system";
  userId: string | null;
  isAdmin: boolean;
  blocked: boolean;
  superAgentAccess: boolean;
  /** Writes an hour; null where the hourly cap does not apply (a signed-in owner, the system). */
  writePerHour: number | null;
}
