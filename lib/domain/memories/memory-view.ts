import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { ServiceError } from "@/lib/model/errors";
import { postgres } from "@/lib/platform/postgres";

/** A note of an agent as verbs hand it out. */
export interface MemoryView {
  id: string;
  agentId: string;
  /** Null: of runs without `metadata.end_user`. */
  endUser: string | null;
  text: string;
  /** The run that made it; it may be deleted by now. */
  runId: string;
  createdAt: Date;
  updatedAt: Date;
}

export const MEMORY_COLUMNS = `m.id, m.agent_id AS "agentId", nullif(m.end_user, '') AS "endUser", \
m.text, m.made_by_run AS "runId",
  m.created_at AS "createdAt", m.updated_at AS "updatedAt"`;

/** A note of the account's agent. @throws ServiceError MEMORY_NOT_FOUND */
export async function getMemory(
  principal: Principal,
  agentId: string,
  memoryId: string,
): Promise<MemoryView> {
  const { rows } = await postgres().query<MemoryView>(
    `SELECT ${MEMORY_COLUMNS} FROM agent_memories m WHERE m.id = $1 AND m.agent_id = $2
       AND m.account_id = $3`,
    [memoryId, agentId, principal.accountId],
  );
  const [memory] = rows;
  if (!memory) throw memoryMissing();
  return memory;
}

export function memoryMissing(): ServiceError {
  return new ServiceError("MEMORY_NOT_FOUND", "The agent keeps no such note.");
}
