import "server-only";
import type { RunKind, RunStatus } from "@/lib/model/run/run-status";
import { sendRunSpan } from "@/lib/platform/telemetry/run-spans";

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

/** Sends the span of a run, from its acceptance to its end. Called once, after the commit that ended it, by whoever made that. */
export function sendEndedRun(row: EndedRunRow): void {
  sendRunSpan({
    id: row.id,
    traceParent: row.trace_parent,
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
}
