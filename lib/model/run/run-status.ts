/**
 * The states of a run and the legal moves between them (specification §3, contract §2). Terminal is
 * final.
 */
export const RUN_STATUSES = ["pending", "running", "completed", "failed", "cancelled"] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

const MOVES: Record<RunStatus, readonly RunStatus[]> = {
  pending: ["running", "cancelled", "failed"],
  running: ["completed", "failed", "cancelled"],
  completed: [],
  failed: [],
  cancelled: [],
};

/** The states from which a run may move to `next`: the `where` of the guarded update. */
export function statusesBefore(next: RunStatus): RunStatus[] {
  return RUN_STATUSES.filter((status) => MOVES[status].includes(next));
}

export function isTerminal(status: RunStatus): boolean {
  return MOVES[status].length === 0;
}

export const EDIT_STATUSES = ["queued", "running", "succeeded", "failed", "cancelled"] as const;
export type EditStatus = (typeof EDIT_STATUSES)[number];

const EDIT_STATUS: Record<RunStatus, EditStatus> = {
  pending: "queued",
  running: "running",
  completed: "succeeded",
  failed: "failed",
  cancelled: "cancelled",
};

/** The same row in the words of an edit run (specification §2.3). */
export function toEditStatus(status: RunStatus): EditStatus {
  return EDIT_STATUS[status];
}

export const RUN_KINDS = ["agent", "agent_creation", "agent_edit", "super_agent", "app"] as const;
export type RunKind = (typeof RUN_KINDS)[number];

/**
 * Who asked for a run: a key, somebody signed in, a schedule, a super-agent's run, or the service
 * itself.
 */
export type RunOrigin = "key" | "session" | "schedule" | "agent" | "system";

/** Which conversations a run kind may continue (contract §2). */
export const CONVERSATION_FAMILIES = ["creation", "agent", "super_agent"] as const;
export type ConversationFamily = (typeof CONVERSATION_FAMILIES)[number];

const FAMILY: Record<RunKind, ConversationFamily> = {
  agent: "agent",
  app: "agent",
  agent_creation: "creation",
  agent_edit: "creation",
  super_agent: "super_agent",
};

export function familyOf(kind: RunKind): ConversationFamily {
  return FAMILY[kind];
}

/** Everything but the super-agent's rows: what the agent routes show. */
export const AGENT_ROUTE_KINDS: readonly RunKind[] = [
  "agent",
  "agent_creation",
  "agent_edit",
  "app",
];

/** What the super-agent's routes show. */
export const SUPER_AGENT_KINDS: readonly RunKind[] = ["super_agent"];
