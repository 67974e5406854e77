import "server-only";
import { requireConversation } from "@/lib/domain/conversations/take-conversation";
import type { Principal } from "@/lib/domain/principal";
import type { Idempotency, Replay } from "@/lib/domain/runs/accept-run";
import { acceptRun, type ParentCall } from "@/lib/domain/runs/accept-run";
import { chooseModel, estimateRun, requireAccepting, requireWebhookUrl } from "@/lib/domain/runs/request-run";
import type { RunView } from "@/lib/domain/runs/run-view";

export interface CreationRequest {
  text: string;
  conversationId: string | null;
  webhookUrl: string | null;
  /** Of a super-agent's child: what it may cost, and the call that starts it. */
  maxCreditsMicros?: bigint | null;
  parent?: ParentCall;
}

/** Starts the run that builds an agent out of plain language. Nothing is stored when it is refused. @throws ServiceError as contract §1 orders them */
export async function requestAgentCreation(
  principal: Principal,
  request: CreationRequest,
  idempotency?: Idempotency,
): Promise<RunView | Replay> {
  if (request.webhookUrl) await requireWebhookUrl(request.webhookUrl);
  if (request.conversationId) await requireConversation(principal, request.conversationId, "creation");
  const model = chooseModel(null, null);
  await requireAccepting(request.parent);
  return acceptRun(
    principal,
    {
      kind: "agent_creation",
      agentId: null,
      input: { text: request.text },
      userText: request.text,
      conversationId: request.conversationId,
      workspaceId: null,
      webhookUrl: request.webhookUrl,
      shouldNotify: false,
      model,
      metadata: {},
      maxCreditsMicros: request.maxCreditsMicros ?? null,
      releaseNote: null,
      scheduleId: null,
      parent: request.parent,
      estimateMicros: await estimateRun(principal, model, [request.text], request.conversationId),
      countsAsWrite: true,
      // In the conversation of an agent that was built it may turn out as a change of that one.
      buildsAgent: request.conversationId === null,
    },
    idempotency,
  );
}
