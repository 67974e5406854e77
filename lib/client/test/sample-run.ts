import type { Run } from "../schemas";

export const RUN_ID = "01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f";

/** A run as the service answers it. */
export function sampleRun(fields: Partial<Run> = {}): Run {
  return {
    run_id: RUN_ID,
    kind: "agent",
    status: "running",
    agent_id: null,
    conversation_id: null,
    workspace_id: null,
    model: "builtin/offline",
    metadata: {},
    requires_action: null,
    result: null,
    usage: { credits: 0, breakdown: [] },
    error: null,
    created_at: "2026-01-01T00:00:00.000Z",
    started_at: null,
    completed_at: null,
    webhook_delivered_at: null,
    ...fields,
  };
}
