import type { JsonObject } from "@/lib/model/json-schema/json-value";
import type { RunResult, Usage } from "@/lib/model/run/run-result";
import type { RunKind, RunStatus } from "@/lib/model/run/run-status";

/** A run as `/v1/runs` answers it (specification §2.1, contract §2). */
export interface Run {
  run_id: string;
  kind: RunKind;
  status: RunStatus;
  agent_id: string | null;
  conversation_id: string | null;
  workspace_id: string | null;
  model: string | null;
  metadata: Record<string, string>;
  requires_action: { type: "approval"; approval_id: string } | null;
  /** Only where the run is fetched singly. */
  input?: JsonObject;
  result?: RunResult | null;
  usage?: Usage | null;
  error?: { code: string; message: string } | null;
  created_at: string;
  started_at: string | null;
  completed_at: string | null;
  webhook_delivered_at: string | null;
}
