import "server-only";
import type { AgentRecord } from "@/lib/domain/agents/agent-record";
import { AGENT_COLUMNS } from "@/lib/domain/agents/store-agent-state";
import type { Principal } from "@/lib/domain/principal";
import { ServiceError } from "@/lib/model/errors";
import type { Transaction } from "@/lib/storage/transaction";

/**
 * The account's agent, archived ones too, locked until the transaction ends: changes of one agent come one after another. Rows that only point to
 * it (runs, versions) do not wait. Take this lock before the hourly write, as everybody does: the other order can deadlock.
 * @throws ServiceError AGENT_NOT_FOUND
 */
export async function lockAgent(tx: Transaction, principal: Principal, agentId: string): Promise<AgentRecord> {
  const { rows } = await tx.query<AgentRecord>(`SELECT ${AGENT_COLUMNS} FROM agents WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE`, [
    agentId,
    principal.accountId,
  ]);
  const [agent] = rows;
  if (!agent) throw new ServiceError("AGENT_NOT_FOUND", "There is no such agent.");
  return agent;
}
