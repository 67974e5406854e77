import type {
  ApprovalRequest,
  BudgetRequest,
  ClientCallRequest,
} from "@/lib/domain/execution/permission/requests";

// What a step of a run comes to, for the engine. The engine keeps it as JSON, and a newer process
// reads what an older one has kept: a form that there is stays as it is.

/** A tool call of a turn that has no result yet, for the engine's next steps. */
export interface PlannedCall {
  toolCallId: string;
  name: string;
  /** It only reads, so it may be made together with those beside it that do too. */
  reads?: true;
}

/**
 * What the engine does next: nothing more, or these tool calls and then another turn; or it waits
 * for credits, and takes the turn again.
 */
export type TurnOutcome =
  | { done: true }
  | { done: false; calls: PlannedCall[] }
  /** Without calls: a process of an older version goes on by them. */
  | { done: false; calls: []; short: BudgetRequest };

/** A run that a call waits for. `isHeld`: that one waits for credits, and this one with it. */
interface PendingRun {
  runId: string;
  timeoutSeconds: number;
  isHeld?: boolean;
}

/**
 * What the engine does next after a call: nothing more, or the next call; or it asks a person,
 * waits for another run, for credits, for the caller's own program or for an answer, and makes the
 * call again.
 */
export type CallOutcome =
  | { done: true }
  | { done: false }
  | { done: false; ask: ApprovalRequest }
  | { done: false; pending: PendingRun }
  | { done: false; client: ClientCallRequest }
  | { done: false; short: BudgetRequest }
  | { done: false; question: ClientCallRequest };
