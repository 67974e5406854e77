import "server-only";
import { requireActive, requireAgent } from "@/lib/domain/agents/agent-store";
import { requireConversation } from "@/lib/domain/conversations/take-conversation";
import type { Principal } from "@/lib/domain/principal";
import { acceptRun, type ParentCall } from "@/lib/domain/runs/accept-run";
import { chooseModel, estimateRun, type Idempotency, type Replay, requireAccepting, requireWebhookUrl } from "@/lib/domain/runs/acceptance";
import type { RunView } from "@/lib/domain/runs/run-view";
import { requireRunWorkspace } from "@/lib/domain/workspaces/workspace-record";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import { effectiveConfig } from "@/lib/model/agent-config/effective-config";
import { ServiceError } from "@/lib/model/errors";
import { validateAgainst } from "@/lib/model/json-schema/validate-against";
import { toMicros } from "@/lib/model/run/run-result";
import { familyOf, type RunKind } from "@/lib/model/run/run-status";
import type { Agent } from "@/lib/storage/generated/client";
import type { Transaction } from "@/lib/storage/transaction";

export interface RunInput {
  agentId: string | null;
  input: Record<string, unknown>;
  conversationId: string | null;
  workspaceId: string | null;
  webhookUrl: string | null;
  shouldNotify: boolean;
  model: string | null;
  metadata: Record<string, string>;
  maxCreditsMicros: bigint | null;
  scheduleId?: string;
  parent?: ParentCall;
  /** More that must become true with the acceptance; what it throws refuses the run. */
  claim?: (tx: Transaction) => Promise<void>;
}

/** How the surface that was used calls the fields, for error details. */
export interface RunFieldNames {
  input: string;
  webhookUrl: string;
}

const V1_NAMES: RunFieldNames = { input: "input", webhookUrl: "webhook_url" };

/**
 * Starts a run of an agent, or without one a general run. Nothing is stored when it is refused.
 * @throws ServiceError as contract §1 orders them
 */
export async function requestRun(
  principal: Principal,
  kind: Extract<RunKind, "agent" | "app" | "super_agent">,
  request: RunInput,
  idempotency?: Idempotency,
  names: RunFieldNames = V1_NAMES,
): Promise<RunView | Replay> {
  if (request.webhookUrl) await requireWebhookUrl(request.webhookUrl, names.webhookUrl);
  const requestedModel = request.model === null ? null : chooseModel(request.model, null);
  const agent = request.agentId ? await requireAgent(principal, request.agentId) : null;
  if (request.workspaceId) await requireRunWorkspace(principal, request.workspaceId, request.agentId);
  if (request.conversationId) await requireConversation(principal, request.conversationId, familyOf(kind));
  if (agent) requireFittingInput(agent, request.input, names.input);
  if (agent) requireActive(agent);
  const model = requestedModel ?? chooseModel(null, agent);
  await requireAccepting(request.parent);
  return acceptRun(
    principal,
    {
      ...request,
      kind,
      model,
      userText: toUserText(request.input),
      releaseNote: null,
      scheduleId: request.scheduleId ?? null,
      estimateMicros: await estimateRun(
        principal,
        model,
        [JSON.stringify(request.input), agent?.skillContent ?? ""],
        request.conversationId,
      ),
      agentMaxMicros: agent ? agentMaxMicros(agent) : null,
      countsAsWrite: false,
    },
    idempotency,
  );
}

/** @throws ServiceError INVALID_INPUT when the agent has an `inputs` schema and the input does not fit it */
export function requireFittingInput(agent: Agent, input: Record<string, unknown>, inputPath = V1_NAMES.input): void {
  const schema = effectiveConfig(agent.config as unknown as AgentConfig).inputs; // stored only after validation
  if (!schema) return;
  const details = validateAgainst(schema, input, inputPath);
  if (details.length === 0) return;
  throw new ServiceError("INVALID_INPUT", details.map((detail) => `${detail.path}: ${detail.message}`).join("; "), { details });
}

/** What the agent's own config lets a run cost, in millionths of a credit; null without a limit. */
function agentMaxMicros(agent: Agent): bigint | null {
  const credits = (agent.config as unknown as AgentConfig).limits?.max_credits; // stored only after validation
  return credits == null ? null : toMicros(credits);
}

/** What a person reads as "said" in the conversation: the only text input, or all of it as JSON. */
export function toUserText(input: Record<string, unknown>): string {
  const values = Object.values(input);
  const only = values[0];
  return values.length === 1 && typeof only === "string" ? only : JSON.stringify(input, null, 2);
}
