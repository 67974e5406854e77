import "server-only";
import { requestApproval as request } from "@/lib/domain/execution/permission/approval";
import { requestBudget as requestMore } from "@/lib/domain/execution/permission/budget-wait";
import { requestClientCalls as requestCalls } from "@/lib/domain/execution/permission/client-calls";
import { requestAnswer as ask } from "@/lib/domain/execution/permission/questions";
import { raiseLimit as raise } from "@/lib/domain/execution/permission/raise-limit";
import type {
  ApprovalRequest,
  BudgetRequest,
  ClientCallRequest,
} from "@/lib/domain/execution/permission/requests";
import { loadRun as load } from "@/lib/domain/execution/run/load-run";
import type { KnownRun } from "@/lib/domain/execution/run/loaded-run";
import { callTool as call, callReads as read } from "@/lib/domain/execution/tools/call-tool";
import { runTurn as take } from "@/lib/domain/execution/turn/run-turn";
import type { Principal } from "@/lib/domain/principal";
import { RUN_PROGRAMS } from "@/lib/domain/run-programs";
import { AGENT_ROUTE_KINDS, type RunKind } from "@/lib/model/run/run-status";

// The steps of a run, whatever its kind, as the engine calls them. What each promises stands where
// it is written.

/** Takes a turn. */
export const runTurn = (runId: string, turn: number) => take(RUN_PROGRAMS, runId, turn);

/** Makes one call of a turn. */
export const callTool = (
  runId: string,
  turn: number,
  toolCallId: string,
  isResumed = false,
  isShown = isResumed,
) => call(RUN_PROGRAMS, runId, turn, toolCallId, isResumed, isShown);

/** Makes calls of a turn that only read side by side. */
export const callReads = (runId: string, turn: number, toolCallIds: readonly string[]) =>
  read(RUN_PROGRAMS, runId, turn, toolCallIds);

/** Asks a person about a call. */
export const requestApproval = (
  runId: string,
  turn: number,
  toolCallId: string,
  approval: ApprovalRequest,
) => request(RUN_PROGRAMS, runId, turn, toolCallId, approval);

/** Asks whoever started the run for the results of its own tools. */
export const requestClientCalls = (runId: string, turn: number, calls: ClientCallRequest) =>
  requestCalls(RUN_PROGRAMS, runId, turn, calls);

/** Has a run wait for credits. @param toolCallId the call that waits; null: the turn does */
export const requestBudget = (
  runId: string,
  turn: number,
  toolCallId: string | null,
  request: BudgetRequest,
) => requestMore(RUN_PROGRAMS, runId, turn, toolCallId, request);

/** Raises what a run may cost. */
export const raiseRunLimit = (
  principal: Principal,
  runId: string,
  maxMicros: bigint,
  kinds: readonly RunKind[] = AGENT_ROUTE_KINDS,
) => raise(RUN_PROGRAMS, principal, runId, maxMicros, kinds);

/** Asks a person what the run's model wants to know. */
export const requestAnswer = (
  runId: string,
  turn: number,
  toolCallId: string,
  request: ClientCallRequest,
) => ask(RUN_PROGRAMS, runId, turn, toolCallId, request);

/** Reads a run with all that its next step needs. */
export const loadRun = (
  runId: string,
  known: KnownRun | null = null,
  options: { isFirst?: boolean } = {},
) => load(RUN_PROGRAMS, runId, known, options);
