import "server-only";
import { takeTurn } from "@/lib/domain/execution/take-turn";
import { closeEndedRun, settleRun } from "@/lib/domain/runs/settle-run";
import { inngest } from "@/lib/engine/client";
import { openRunLog } from "@/lib/engine/events/open-run-log";
import { env } from "@/lib/env";
import { callToolSteps } from "@/lib/jobs/call-tool-steps";
import { runsAtWorkPerAccount } from "@/lib/jobs/places";

/**
 * Works a run off: model turn → tool calls → … → end, each a step of its own, so that a crash repeats at most one of them.
 * The run's state, transcript and cost live in the database; steps only hand on what comes next.
 */
export const executeRun = inngest.createFunction(
  {
    id: "execute-run",
    retries: 4,
    // Runs of an account that wait for a person or for another run hold no place.
    concurrency: { limit: runsAtWorkPerAccount(env()), key: "event.data.account_id" },
    triggers: [{ event: "run/accepted" }],
    cancelOn: [{ event: "run/cancelled", match: "data.run_id" }],
    onFailure: async ({ event }) => {
      const runId = String(event.data.event.data.run_id);
      const error = { code: "EXECUTION_FAILED", message: "The run failed on our side and was not completed." } as const;
      // Whoever held its log does not drive it any more: the engine has given it up.
      const writer = await openRunLog(runId);
      try {
        const settled = await settleRun(runId, { status: "failed", error }, writer);
        if (!settled) await closeEndedRun(runId, writer);
      } finally {
        await writer?.close();
      }
    },
  },
  async ({ event, step }) => {
    const runId = String(event.data.run_id);
    for (let turn = 0; ; turn++) {
      const outcome = await step.run(`turn-${turn}`, () => takeTurn(runId, turn));
      if (outcome.done) return;
      for (const call of outcome.calls) {
        if (await callToolSteps(step, runId, turn, call.toolCallId)) return;
      }
    }
  },
);
