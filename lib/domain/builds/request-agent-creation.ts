import "server-only";
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
import { prisma } from "@/lib/storage/prisma";

export interface CreationRequest {
  text: string;
  conversationId: string | null;
  webhookUrl: string | null;
  /** The model that builds it; absent or null: the deployment's. */
  builderModel?: string | null;
  /** Of a super-agent's child: what it may cost, and the call that starts it. */
  maxCreditsMicros?: bigint | null;
  onBudget?: OnBudget | null;
  parent?: ParentCall;
}

/**
 * Starts the run that builds an agent out of plain language; in the conversation of one that was
 * built it changes that one. Nothing is stored when it is refused.
 * @throws ServiceError as contract §1 orders them
 */
export async function requestAgentCreation(
  principal: Principal,
  request: CreationRequest,
  idempotency?: Idempotency,
): Promise<RunView | Replay> {
  if (request.webhookUrl) await requireWebhookUrl(principal, request.webhookUrl);
  const model = chooseBuilderModel(request.builderModel ?? null);
  if (request.conversationId)
    await requireConversation(principal, request.conversationId, "creation");
  const built = request.conversationId ? await findBuilt(principal, request.conversationId) : null;
  const texts = built ? [request.text, built.skillContent, built.configContent] : [request.text];
  await requireAccepting(request.parent);
  return acceptRun(
    principal,
    {
      kind: "agent_creation",
      agentId: built?.id ?? null,
      input: { text: request.text },
      userText: request.text,
      conversationId: request.conversationId,
      webhookUrl: request.webhookUrl,
      model,
      maxCreditsMicros: request.maxCreditsMicros ?? null,
      onBudget: request.onBudget ?? null,
      releaseNote: null,
      scheduleId: null,
      parent: request.parent,
      estimateMicros: await estimateRun(principal, model, texts, request.conversationId, {
        isBuild: true,
      }),
      countsAsWrite: true,
      buildsAgent: built === null,
    },
    idempotency,
  );
}

/**
 * The agent that a conversation of builds is about: the one that it built or changed last; null
 * when there is none, or it is archived.
 */
async function findBuilt(principal: Principal, conversationId: string) {
  const { accountId } = principal;
  const run = await prisma().run.findFirst({
    select: { agentId: true },
    where: { conversationId, accountId, status: "completed", agentId: { not: null } },
    orderBy: { id: "desc" },
  });
  if (!run?.agentId) return null;
  return prisma().agent.findFirst({
    select: { id: true, skillContent: true, configContent: true },
    where: { id: run.agentId, accountId, status: "active" },
  });
}
