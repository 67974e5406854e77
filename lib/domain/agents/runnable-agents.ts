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

// $1 is the account, $2 the one agent of an app key and $3 the version that the key is for.
const RUNNABLE = `
SELECT a.id, a.name, a.description, coalesce(v.config, a.config) AS config,
  CASE WHEN v.id IS NULL THEN a.key_order ELSE v.key_order END AS "keyOrder"
FROM agents a LEFT JOIN agent_versions v ON v.agent_id = a.id AND v.number = $3
WHERE a.account_id = $1 AND a.status = 'active' AND ($2::uuid IS NULL OR a.id = $2)`;

/**
 * The active agents that a principal may run, newest first: the account's, or the one that an app
 * key is for, as its runs will find it.
 */
export async function listRunnableAgents(
  principal: Principal,
  page: PageRequest,
): Promise<Page<RunnableAgent>> {
  const { rows } = await postgres().query<Row>(
    `${RUNNABLE} AND ($4::uuid IS NULL OR a.id < $4) ORDER BY a.id DESC LIMIT $5`,
    [...of(principal), readCursor(page.cursor), rowsToRead(page)],
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
    `${RUNNABLE} AND right(a.id::text, 12) = $4 ORDER BY a.id LIMIT 1`,
    [...of(principal), idEnd],
  );
  return rows[0] ? toRunnable(rows[0]) : null;
}

function of({ accountId, agentId, agentVersion }: Principal): (string | number | null)[] {
  return [accountId, agentId, agentVersion ?? null];
}

function toRunnable({ config, keyOrder, ...agent }: Row): RunnableAgent {
  const { inputs, output_schema } = effectiveConfig(inKeyOrder(config, keyOrder));
  return { ...agent, inputs, output_schema };
}
