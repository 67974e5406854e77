import "server-only";
import { signArtifacts } from "@/lib/domain/artifacts/sign-artifacts";
import type { RunView } from "@/lib/domain/runs/run-view";
import type { RunResult } from "@/lib/model/run/run-result";

const time = (date: Date | null): string | null => date?.toISOString() ?? null;

/** A run in the words of the app-scoped path, camelCase to the bottom; what the model put into `data` stays as it is. */
export function toAppRun(run: RunView, baseUrl: string) {
  return {
    runId: run.id,
    appId: run.agentId,
    status: run.status,
    conversationId: run.conversationId,
    threadId: run.conversationId,
    workspaceId: run.workspaceId,
    model: run.model,
    metadata: run.metadata,
    requiresAction: run.requiresAction && { type: run.requiresAction.type, approvalId: run.requiresAction.approval_id },
    result: run.result && toResult(signArtifacts(run.result, { accountId: run.accountId, baseUrl })),
    usage: { credits: run.usage.credits, breakdown: run.usage.breakdown.map(toUsageRow) },
    error: run.error,
    createdAt: run.createdAt.toISOString(),
    startedAt: time(run.startedAt),
    completedAt: time(run.completedAt),
    webhookDeliveredAt: time(run.webhookDeliveredAt),
  };
}

function toResult(result: RunResult) {
  const artifacts = result.artifacts.map(({ size_bytes, ...artifact }) => ({ ...artifact, sizeBytes: size_bytes }));
  return {
    text: result.text,
    ...(result.agent_id !== undefined && { agentId: result.agent_id }),
    ...(result.agent_name !== undefined && { agentName: result.agent_name }),
    artifacts,
    ...(result.data !== undefined && { data: result.data }),
  };
}

function toUsageRow(row: RunView["usage"]["breakdown"][number]) {
  return {
    model: row.model,
    capability: row.capability,
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    cachedInputTokens: row.cached_input_tokens,
    units: row.units,
    credits: row.credits,
  };
}
