import "server-only";
import { signArtifacts } from "@/lib/domain/artifacts/sign-artifacts";
import type { RunView } from "@/lib/domain/runs/run-view";
import { toEditStatus } from "@/lib/model/run/run-status";

const time = (date: Date | null): string | null => date?.toISOString() ?? null;

/** A run in the words of `/v1`. Artifact urls are signed anew. */
export function toRun(run: RunView, baseUrl: string) {
  return {
    run_id: run.id,
    kind: run.kind,
    status: run.status,
    agent_id: run.agentId,
    conversation_id: run.conversationId,
    workspace_id: run.workspaceId,
    model: run.model,
    metadata: run.metadata,
    requires_action: run.requiresAction,
    result: run.result && signArtifacts(run.result, { accountId: run.accountId, baseUrl }),
    usage: run.usage,
    error: run.error,
    created_at: run.createdAt.toISOString(),
    started_at: time(run.startedAt),
    completed_at: time(run.completedAt),
    webhook_delivered_at: time(run.webhookDeliveredAt),
  };
}

/** The same row as an edit run (specification §2.3). */
export function toEditRun(run: RunView, baseUrl: string) {
  return {
    run_id: run.id,
    agent_id: run.agentId,
    status: toEditStatus(run.status),
    conversation_id: run.conversationId,
    result: run.result && signArtifacts(run.result, { accountId: run.accountId, baseUrl }),
    usage: run.usage,
    error: run.error,
    created_at: run.createdAt.toISOString(),
    started_at: time(run.startedAt),
    completed_at: time(run.completedAt),
  };
}
