import "server-only";
import { requireAgent } from "@/lib/domain/agents/agent-store";
import type { Principal } from "@/lib/domain/principal";
import type { Idempotency, Replay } from "@/lib/domain/runs/accept-run";
import { requestRun } from "@/lib/domain/runs/request-run";
import type { RunView } from "@/lib/domain/runs/run-view";
import {
  admitFired,
  CHANGE_PLACE,
  firedRun,
  firingStatement,
  storeFiring,
} from "@/lib/domain/schedules/firing";
import { requireSchedule, scheduleMissing } from "@/lib/domain/schedules/schedule-record";

const FIRE = firingStatement(
  `UPDATE schedules SET last_run_at = $5, last_error = NULL WHERE id = $1 AND account_id = $2
     AND agent_id = $${CHANGE_PLACE}`,
);

/**
 * Fires a schedule now, also one that is switched off or paused: that is how one tries it. It is a
 * firing like any other, but for the times, which stay; one that is refused is none.
 * @throws ServiceError AGENT_NOT_FOUND, SCHEDULE_NOT_FOUND, VERSION_NOT_FOUND and as `requestRun`
 */
export async function runSchedule(
  principal: Principal,
  agentId: string,
  scheduleId: string,
  idempotency?: Idempotency,
): Promise<RunView | Replay> {
  await requireAgent(principal, agentId);
  const schedule = await requireSchedule(principal, agentId, scheduleId);
  const now = new Date();
  return requestRun(
    principal,
    "agent",
    {
      ...firedRun(schedule),
      claim: async (tx, runId) => {
        await admitFired(tx, schedule);
        const firing = {
          schedule,
          at: now,
          firedAt: now,
          trigger: "manual",
          became: { runId },
        } as const;
        // Deleted meanwhile.
        if (!(await storeFiring(tx, FIRE, firing, [agentId]))) throw scheduleMissing();
      },
    },
    idempotency,
  );
}
