import "server-only";
import { requireActive, requireAgent } from "@/lib/domain/agents/agent-store";
import { requireConversation } from "@/lib/domain/conversations/take-conversation";
import type { Principal } from "@/lib/domain/principal";
import type { Idempotency, Replay } from "@/lib/domain/runs/accept-run";
import { acceptRun, type ParentCall } from "@/lib/domain/runs/accept-run";
import {
  chooseBuilderModel,
  estimateRun,
  requireAccepting,
  requireWebhookUrl,
} from "@/lib/domain/runs/request-run";
import type { RunView } from "@/lib/domain/runs/run-view";
import type { OnBudget } from "@/lib/model/run/on-budget";

export interface EditRequest {
  text: string;
  conversationId: string | null;
  webhookUrl: string | null;
  releaseNote: string | null;
  /** The model that makes the change; absent or null: the deployment's. */
  builderModel?: string | null;
  /** Of a super-agent's child: what it may cost, and the call that starts it. */
  maxCreditsMicros?: bigint | null;
  onBudget?: OnBudget | null;
  parent?: ParentCall;
}

/**
 * Starts the run that changes an agent as plain language asks. The agent stays as it is until the
 * run succeeds. Nothing is stored when it is refused.
 * @throws ServiceError as contract §1 orders them
 */
export async function requestAgentEdit(
  principal: Principal,
  agentId: string,
  request: EditRequest,
  idempotency?: Idempotency,
): Promise<RunView | Replay> {
  if (request.webhookUrl) await requireWebhookUrl(principal, request.webhookUrl);
  const model = chooseBuilderModel(request.builderModel ?? null);
  const agent = await requireAgent(principal, agentId);
  if (request.conversationId)
    await requireConversation(principal, request.conversationId, "creation");
  requireActive(agent);
  await requireAccepting(request.parent);
  return acceptRun(
    principal,
    {
      kind: "agent_edit",
      agentId,
      input: { text: request.text },
      userText: request.text,
      conversationId: request.conversationId,
      webhookUrl: request.webhookUrl,
      model,
      maxCreditsMicros: request.maxCreditsMicros ?? null,
      onBudget: request.onBudget ?? null,
      releaseNote: request.releaseNote,
      scheduleId: null,
      parent: request.parent,
      estimateMicros: await estimateRun(
        principal,
        model,
        [request.text, agent.skillContent, agent.configContent],
        request.conversationId,
        {
          isBuild: true,
        },
      ),
      countsAsWrite: true,
    },
    idempotency,
  );
}
