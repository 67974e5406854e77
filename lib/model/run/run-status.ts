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

/** Which conversations a run kind may continue (contract §2). */
export const CONVERSATION_FAMILIES = ["creation", "agent", "super_agent"] as const;
export type ConversationFamily = (typeof CONVERSATION_FAMILIES)[number];

interface KindFacts {
  family: ConversationFamily;
  /** Whose routes show its runs. */
  routes: "agent" | "super_agent";
  /** It starts runs of its own, which share its limit and do not outlive it where it fails. */
  leadsRuns?: true;
}

/**
 * The kinds of runs, a line each. What a kind does is its program, a line of
 * `lib/domain/run-steps.ts`.
 */
const KINDS = {
  agent: { family: "agent", routes: "agent" },
  agent_creation: { family: "creation", routes: "agent" },
  agent_edit: { family: "creation", routes: "agent" },
  super_agent: { family: "super_agent", routes: "super_agent", leadsRuns: true },
  app: { family: "agent", routes: "agent" },
} as const satisfies Record<string, KindFacts>;

export type RunKind = keyof typeof KINDS;
const FACTS: Record<RunKind, KindFacts> = KINDS;
export const RUN_KINDS = Object.keys(KINDS) as RunKind[]; // an object of our own

/**
 * Who asked for a run: a key, somebody signed in, a schedule, a super-agent's run, or the service
 * itself.
 */
export type RunOrigin = "key" | "session" | "schedule" | "agent" | "system";

export function familyOf(kind: RunKind): ConversationFamily {
  return FACTS[kind].family;
}

export function leadsRuns(kind: RunKind): boolean {
  return FACTS[kind].leadsRuns === true;
}

/** Everything but the super-agent's rows: what the agent routes show. */
export const AGENT_ROUTE_KINDS: readonly RunKind[] = kindsOf("agent");

/** What the super-agent's routes show. */
export const SUPER_AGENT_KINDS: readonly RunKind[] = kindsOf("super_agent");

function kindsOf(routes: KindFacts["routes"]): RunKind[] {
  return RUN_KINDS.filter((kind) => FACTS[kind].routes === routes);
}
