import "server-only";
import { type Page, type PageRequest, readCursor, rowsToRead, toPage } from "@/lib/domain/page";
import type { Principal } from "@/lib/domain/principal";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import { type EffectiveConfig, effectiveConfig } from "@/lib/model/agent-config/effective-config";
import { inKeyOrder, type KeyOrder } from "@/lib/model/agent-config/key-order";
import { postgres } from "@/lib/platform/postgres";

/** An active agent with what its callers must know of its config. */
export interface RunnableAgent extends Pick<EffectiveConfig, "inputs" | "output_schema"> {
  id: string;
  name: string;
  description: string | null;
}

interface Row extends Pick<RunnableAgent, "id" | "name" | "description"> {
  config: AgentConfig;
  keyOrder: KeyOrder | null;
}

const COLUMNS = 'id, name, description, config, key_order AS "keyOrder"';

/**
 * The active agents that a principal may run, newest first: the account's, or the one that an app
 * key is for.
 */
export async function listRunnableAgents(
  principal: Principal,
  page: PageRequest,
): Promise<Page<RunnableAgent>> {
  const { rows } = await postgres().query<Row>(
    `SELECT ${COLUMNS} FROM agents WHERE account_id = $1 AND status = 'active' AND ($2::uuid IS NULL OR id = $2) AND ($3::uuid IS NULL OR id < $3)
     ORDER BY id DESC LIMIT $4`,
    [principal.accountId, principal.agentId, readCursor(page.cursor), rowsToRead(page)],
  );
  const { data, nextCursor } = toPage(rows, page.limit, (row) => row.id);
  return { data: data.map(toRunnable), nextCursor };
}

/** The one of them whose id ends in these 12 digits, the random part of an id; null without one. */
export async function findRunnableAgent(
  principal: Principal,
  idEnd: string,
): Promise<RunnableAgent | null> {
  const { rows } = await postgres().query<Row>(
    `SELECT ${COLUMNS} FROM agents WHERE account_id = $1 AND status = 'active' AND ($2::uuid IS NULL OR id = $2) AND right(id::text, 12) = $3
     ORDER BY id LIMIT 1`,
    [principal.accountId, principal.agentId, idEnd],
  );
  return rows[0] ? toRunnable(rows[0]) : null;
}

function toRunnable({ config, keyOrder, ...agent }: Row): RunnableAgent {
  const { inputs, output_schema } = effectiveConfig(inKeyOrder(config, keyOrder));
  return { ...agent, inputs, output_schema };
}
