import "server-only";
import { type AgentRecord, invalidText, requireAgent } from "@/lib/domain/agents/agent-store";
import { insertAgent } from "@/lib/domain/agents/insert-agent";
import { requireCalledAgents } from "@/lib/domain/agents/require-called-agents";
import { storeCases } from "@/lib/domain/datasets/agent-cases";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import type { Principal } from "@/lib/domain/principal";
import { readWithModels, workOnRequest } from "@/lib/domain/work-on-request";
import { fromAgentDocument } from "@/lib/model/agent-document/agent-document";
import { newId } from "@/lib/platform/ids";
import { accountTransaction } from "@/lib/platform/postgres";

/**
 * Stores the agent of a YAML document as a new one, with its cases, without a run. @throws
 * ServiceError INVALID_INPUT with line and column, RATE_LIMITED
 */
export async function importAgent(principal: Principal, text: string): Promise<AgentRecord> {
  const work = { account: principal.accountId, field: "" };
  const parsed = await readWithModels(
    (unknownModels) => workOnRequest("read-agent-document", { text, unknownModels }, work),
    (read) => (read.ok ? read.config : undefined),
  );
  if (!parsed.ok) throw invalidText("", parsed.errors);
  const { version, ...said } = fromAgentDocument(parsed.document);
  const { config, configContent, keyOrder } = parsed;
  await requireCalledAgents(principal.accountId, config);
  const draft = { ...said, config, configContent, keyOrder };
  const agentId = newId();
  const { accountId } = principal;
  await accountTransaction(accountId, async (tx) => {
    await consumeWriteQuota(tx, principal);
    await insertAgent(tx, { agentId, accountId, runId: null, version, releaseNote: null }, draft);
    const { cases = [] } = parsed.document;
    await storeCases(tx, { accountId, agentId, source: "person" }, cases);
  });
  return requireAgent(principal, agentId);
}
