/** What a call did, or would have done: `write` is whatever is not known to read only. */
export const ACTION_KINDS = ["read", "write"] as const;
export type ActionKind = (typeof ACTION_KINDS)[number];

/**
 * How a call ended. `refused`: a person, or the agent's own settings, did not let it be made.
 * `unknown`: its answer never came, so nobody can say whether it took effect.
 */
export const ACTION_STATUSES = ["succeeded", "failed", "refused", "unknown"] as const;
export type ActionStatus = (typeof ACTION_STATUSES)[number];

/** Of one run, the newest. */
export const ACTIONS_MAX = 200;
export const ACTION_TARGET_MAX_CHARACTERS = 300;

/**
 * What is kept of a call beside its result: only the service's own code knows it as the call ends.
 */
export interface ActionFacts {
  kind: ActionKind;
  /** What it went to, for a person: host and path, file, server and tool. */
  target: string;
  /** Where the result alone does not say it. */
  status?: "refused" | "unknown";
}

/** One call of a run, as its log tells of it. */
export interface RunAction {
  /** The tool call's. */
  id: string;
  tool: string;
  kind: ActionKind;
  target: string;
  status: ActionStatus;
  approvalId: string | null;
  artifactIds: string[];
  /** When it began; of a call that never did, when it was asked for. */
  at: Date;
}

/** The calls of an ended run in their order, the newest `ACTIONS_MAX` of them. */
export interface RunActions {
  actions: RunAction[];
  isTruncated: boolean;
}
