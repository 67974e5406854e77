import {
  callReads,
  callTool,
  requestAnswer,
  requestApproval,
  requestBudget,
  requestClientCalls,
  runTurn,
} from "@/lib/domain/run-steps";
import "server-only";
import { expireApproval } from "@/lib/domain/approvals/expire-approval";
import { endBudgetWait, secondsOfBudgetWait } from "@/lib/domain/execution/permission/budget-wait";
import { expireClientCalls } from "@/lib/domain/execution/permission/client-calls";
import type { AskOutcome, BudgetRequest } from "@/lib/domain/execution/permission/requests";
import type { PlannedCall } from "@/lib/domain/execution/turn/outcomes";
import { hasStopped } from "@/lib/domain/runs/run-view";
import { closeEndedRun, settleRun } from "@/lib/domain/runs/settle-run";
import { eventData } from "@/lib/engine/client";
import { openRunLog } from "@/lib/engine/events/run-log-writer";
import {
  ENGINE_LOST,
  type EngineFunction,
  type EventWait,
  type Steps,
} from "@/lib/engine/functions";
import { env } from "@/lib/env";
import { runsAtWorkPerAccount } from "@/lib/jobs/places";
import { metrics } from "@/lib/platform/metrics/metrics";

const LOST_TEXT =
  "The process that worked on this run died or froze twice in the same step, so it is not taken " +
  "up again. What the run had used until then is charged.";

/**
 * One tool call as steps: it is made; or a person is asked, or another run or the caller's program
 * waited for, and the call made anew by what became of that. While a run waits it holds nothing but
 * its rows.
 * @returns whether the run has ended with it
 */
async function callToolSteps(
  step: Steps,
  runId: string,
  turn: number,
  toolCallId: string,
): Promise<boolean> {
  let isResumed = false;
  let isShown = false;
  for (let round = 0; ; round++) {
    const place = `${turn}${round === 0 ? "" : `.${round}`}-${toolCallId}`;
    const outcome = await step.run(`tool-${place}`, () =>
      callTool(runId, turn, toolCallId, isResumed, isShown),
    );
    isShown ||= !("ask" in outcome);
    if ("short" in outcome) {
      if (await waitForCredits(step, runId, place, turn, toolCallId, outcome.short)) return true;
      isResumed = false;
    } else if ("pending" in outcome) {
      const { runId: child, timeoutSeconds, isHeld } = outcome.pending;
      const [stopped, event] = await step.askAndWait(
        {
          id: `stands-${place}`,
          work: () => hasStopped(child, isHeld),
          awaits: (stopped) => !stopped,
        },
        `stopped-${place}`,
        { event: "run/stopped", match: { field: "run_id", value: child }, timeoutSeconds },
      );
      // A child that had stopped may work again by now, and an event may tell of a stop of before:
      // only time ends the wait for one that works.
      isResumed = !stopped && event === null;
    } else if ("client" in outcome || "question" in outcome) {
      const client = "client" in outcome ? outcome.client : outcome.question;
      const { batchId, timeoutSeconds } = client;
      const asked = await askFor(step, {
        askId: `request-${place}`,
        ask: () =>
          "client" in outcome
            ? requestClientCalls(runId, turn, client)
            : requestAnswer(runId, turn, toolCallId, client),
        waitId: `answered-${place}`,
        event: "client-tools/answered",
        match: { field: "batch_id", value: batchId },
        timeoutSeconds,
        expireId: `expire-${place}`,
        expire: () => expireClientCalls(runId, batchId),
      });
      if (asked === "ended") return true;
      isResumed = true;
    } else if ("ask" in outcome) {
      const { ask } = outcome;
      const { approvalId, timeoutSeconds } = ask;
      const asked = await askFor(step, {
        askId: `ask-${place}`,
        ask: () => requestApproval(runId, turn, toolCallId, ask),
        waitId: `decision-${place}`,
        event: "approval/resolved",
        match: { field: "approval_id", value: approvalId },
        timeoutSeconds,
        expireId: `expire-${place}`,
        expire: () => expireApproval(runId, approvalId),
      });
      if (asked === "ended") return true;
    } else return outcome.done;
  }
}

interface Question extends EventWait {
  askId: string;
  ask: () => Promise<AskOutcome>;
  waitId: string;
  expireId: string;
  /**
   * Ends what nobody has answered in time. Gives the seconds that are left for an answer: 0 where
   * there is one, or none is waited for any more.
   */
  expire: () => Promise<number>;
}

/**
 * Asks somebody, and waits for the answer where it is not known already, as long as there is time
 * for it: who asks says when that ends, and a crash or a queue may lie between the wait and that.
 */
async function askFor(
  step: Steps,
  { askId, ask, waitId, expireId, expire, event, match, timeoutSeconds }: Question,
): Promise<"settled" | "ended" | "answered" | "silent"> {
  const [{ outcome }, answer] = await step.askAndWait(
    { id: askId, work: ask, awaits: ({ outcome }) => outcome === "asked" },
    waitId,
    { event, match, timeoutSeconds },
  );
  if (outcome !== "asked") return outcome;
  if (answer) return "answered";
  // Null where the release before has stored it.
  let seconds = (await step.run<number | null>(expireId, expire)) ?? 0;
  // Nothing is asked or judged anew: only what was asked is looked at.
  for (let again = 1; seconds > 0; again++) {
    const [left, late] = await step.askAndWait(
      { id: `${expireId}.again-${again}`, work: expire, awaits: (left) => left > 0 },
      `${waitId}.again-${again}`,
      { event, match, timeoutSeconds: seconds },
    );
    if (late) return "answered";
    seconds = left > 0 ? await step.run(`${expireId}.left-${again}`, expire) : 0;
  }
  return "silent";
}

/**
 * What was not covered a moment ago, and is now, is tried again, though never as fast as it goes.
 */
const AGAIN_MS = 500;

/**
 * A turn, or a call, that credits do not cover: the run waits until its limit is raised or its
 * account topped up.
 * @param place of the step that found it
 * @returns whether the run has ended with it
 */
async function waitForCredits(
  step: Steps,
  runId: string,
  place: string,
  turn: number,
  toolCallId: string | null,
  short: BudgetRequest,
): Promise<boolean> {
  const { waitId, timeoutSeconds } = short;
  const asked = await askFor(step, {
    askId: `short-${place}`,
    ask: () => requestBudget(runId, turn, toolCallId, short),
    waitId: `raised-${place}`,
    event: "budget/raised",
    match: { field: "wait_id", value: waitId },
    timeoutSeconds,
    expireId: `left-${place}`,
    expire: () => secondsOfBudgetWait(runId, waitId),
  });
  if (asked === "ended") return true;
  if (asked === "settled") {
    await step.sleep(`again-${place}`, AGAIN_MS);
    return false;
  }
  const { ended } = await step.run(`waited-${place}`, () => endBudgetWait(runId, short.waitId));
  return ended;
}

/** @returns null where the run has ended with it */
async function takeTurnSteps(step: Steps, runId: string, turn: number): Promise<Calls | null> {
  for (let round = 0; ; round++) {
    const place = `${turn}${round === 0 ? "" : `.${round}`}`;
    const outcome = await step.run(`turn-${place}`, () => runTurn(runId, turn));
    if (outcome.done) return null;
    if (!("short" in outcome)) return outcome.calls;
    if (await waitForCredits(step, runId, `turn-${place}`, turn, null, outcome.short)) return null;
  }
}

type Calls = readonly PlannedCall[];

/**
 * Calls that follow each other and only read are made together; all else one by one, in the order
 * in which the model asked.
 */
function groupsOf(calls: Calls): PlannedCall[][] {
  const groups: PlannedCall[][] = [];
  for (const call of calls) {
    const last = groups.at(-1);
    if (call.reads && last?.[0]?.reads) last.push(call);
    else groups.push([call]);
  }
  return groups;
}

/** @returns whether the run has ended with it */
async function callGroup(step: Steps, runId: string, turn: number, calls: Calls): Promise<boolean> {
  const ids = calls.map(({ toolCallId }) => toolCallId);
  let left = ids;
  if (ids.length > 1) {
    const outcome = await step.run(`reads-${turn}-${ids[0]}`, () => callReads(runId, turn, ids));
    if (outcome.done) return true;
    left = outcome.left;
  }
  for (const toolCallId of left)
    if (await callToolSteps(step, runId, turn, toolCallId)) return true;
  return false;
}

/**
 * Works a run off: model turn → tool calls → … → end, each a step of its own, so that a crash
 * repeats at most one of them.
 * The run's state, transcript and cost live in the database; steps only hand on what comes next.
 */
export const executeRun: EngineFunction = {
  id: "execute-run",
  retries: 4,
  // Runs of an account that wait for a person or for another run hold no place.
  get limits() {
    return [{ limit: runsAtWorkPerAccount(env()), field: "account_id" }] as const;
  },
  triggers: [{ event: "run/accepted" }],
  cancelOn: [{ event: "run/cancelled", field: "run_id" }],
  onFailure: async ({ event, error: failure }) => {
    const { run_id: runId } = eventData("run/accepted", event);
    const isLost = failure.name === ENGINE_LOST;
    if (isLost) metrics()?.lostRuns.inc();
    const error = isLost
      ? ({ code: "ENGINE_LOST", message: LOST_TEXT } as const)
      : ({
          code: "EXECUTION_FAILED",
          message: "The run failed on our side and was not completed.",
        } as const);
    // Whoever held its log does not drive it any more: the engine has given it up.
    const writer = await openRunLog(runId);
    try {
      const settled = await settleRun(runId, { status: "failed", error }, writer);
      if (!settled) await closeEndedRun(runId, writer);
    } finally {
      await writer?.close();
    }
  },
  handler: async ({ event, step }) => {
    const { run_id: runId } = eventData("run/accepted", event);
    for (let turn = 0; ; turn++) {
      const calls = await takeTurnSteps(step, runId, turn);
      if (!calls) return;
      for (const group of groupsOf(calls)) {
        if (await callGroup(step, runId, turn, group)) return;
      }
    }
  },
};
