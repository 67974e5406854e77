import type { ConversationFamily, KindFacts } from "@/lib/model/run/run-kind";
import { RUN_KIND_FACTS } from "@/lib/model/run/run-kinds";

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

type Facts = (typeof RUN_KIND_FACTS)[number];
const KINDS: readonly KindFacts[] = RUN_KIND_FACTS;

/**
 * The kinds of runs. What a kind is and does is its program, a line of
 * `lib/domain/run-programs.ts`.
 */
export type RunKind = Facts["kind"];
export const RUN_KINDS = RUN_KIND_FACTS.map(({ kind }) => kind);

/** The kinds that create or change an agent. */
export type BuildKind = Extract<Facts, { family: "creation" }>["kind"];
/** The kinds that are given an input to work on. */
export type WorkKind = Exclude<RunKind, BuildKind>;

/**
 * Who asked for a run: a key, somebody signed in, a schedule, a super-agent's run, or the service
 * itself.
 */
export type RunOrigin = "key" | "session" | "schedule" | "agent" | "system";

const FACTS = new Map(KINDS.map((facts) => [facts.kind, facts]));

/**
 * A kind that this process does not know, of a service that is newer, is shown as an agent's run.
 */
export function factsOf(kind: RunKind): KindFacts {
  return FACTS.get(kind) ?? { kind, family: "agent", routes: "agent" };
}

/** The kinds of which this is so, in their order. */
export function kindsThat(is: (facts: KindFacts) => boolean): RunKind[] {
  return RUN_KINDS.filter((kind) => is(factsOf(kind)));
}

export function familyOf(kind: RunKind): ConversationFamily {
  return factsOf(kind).family;
}

export function isBuild(kind: RunKind): kind is BuildKind {
  return familyOf(kind) === "creation";
}

/** Whether such a run is an agent at work, or what works as one does where it has none. */
export function isAgentsWork(kind: RunKind): boolean {
  return familyOf(kind) === "agent";
}

/** Whether the super-agent's routes, and its page, are where such a run is shown. */
export function isOfSuperAgent(kind: RunKind): boolean {
  return factsOf(kind).routes === "super_agent";
}

/**
 * Whether each such run may start others, which share its limit and do not outlive it where it
 * fails.
 */
export function leadsRuns(kind: RunKind): boolean {
  return factsOf(kind).startsRuns === "own";
}

/** Everything but the super-agent's rows: what the agent routes show. */
export const AGENT_ROUTE_KINDS: readonly RunKind[] = kindsThat(({ routes }) => routes === "agent");

/** What the super-agent's routes show. */
export const SUPER_AGENT_KINDS: readonly RunKind[] = kindsThat(
  ({ routes }) => routes === "super_agent",
);
