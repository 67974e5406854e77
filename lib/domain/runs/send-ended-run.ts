import "server-only";
import { RUN_COLUMNS, type RunRow, toRunView } from "@/lib/domain/runs/run-view";
import { readTraceRows, type Show, toTraceSpans } from "@/lib/domain/runs/trace-spans";
import type { RunKind, RunStatus } from "@/lib/model/run/run-status";
import { postgres, withinAccount } from "@/lib/platform/postgres";
import { sendRunSpan, sendTraceSpans, type TracedRun } from "@/lib/platform/telemetry/run-spans";
import { telemetry } from "@/lib/platform/telemetry/telemetry";

/** The columns of a run that has ended which its span is made of. */
export interface EndedRunRow {
  id: string;
  kind: RunKind;
  status: RunStatus;
  account_id: string;
  agent_id: string | null;
  conversation_id: string | null;
  model: string;
  error: { code: string } | null;
  trace_parent: string | null;
  created_at: Date;
  completed_at: Date;
}

/**
 * Sends a run's trace where a collector is configured: the run's span, from its acceptance to its
 * end, and within it the spans that the API shows of it, made of the same rows. Called once, after
 * the commit that ended it, by whoever made that; nobody waits for it.
 */
export function sendEndedRun(row: EndedRunRow): void {
  const made = telemetry();
  if (made === null) return;
  const run = { id: row.id, traceParent: row.trace_parent };
  sendRunSpan({
    ...run,
    name: "invoke_agent",
    from: row.created_at,
    to: row.completed_at,
    failure: row.status === "completed" ? null : (row.error?.code ?? "RUN_CANCELLED"),
    attributes: {
      "gen_ai.agent.id": row.agent_id ?? undefined,
      "gen_ai.conversation.id": row.conversation_id ?? undefined,
      "gen_ai.request.model": row.model,
      "lathe.account.id": row.account_id,
      "lathe.run.kind": row.kind,
      "lathe.run.status": row.status,
    },
  });
  made.later(() => withinAccount(row.account_id, () => sendParts(run, row)));
}

const untold: Show = async () => ({ value: null, truncated: false });

async function sendParts(run: TracedRun, { account_id: accountId }: EndedRunRow): Promise<void> {
  const { rows } = await postgres().query<RunRow>(
    `SELECT ${RUN_COLUMNS} FROM runs r WHERE r.id = $1 AND r.account_id = $2`,
    [run.id, accountId],
  );
  const [row] = rows;
  if (!row) return;
  const spans = await toTraceSpans(
    toRunView(row),
    await readTraceRows({ id: run.id, accountId }, false),
    untold,
  );
  // Deliveries come after the end, and are sent as they are made.
  sendTraceSpans(
    run,
    spans.filter(({ kind }) => kind !== "webhook"),
  );
}
