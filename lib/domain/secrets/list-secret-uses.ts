import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { postgres } from "@/lib/platform/postgres";

/** A secret's name in an agent's config. */
export interface SecretUse {
  name: string;
  agentId: string;
  agentName: string;
}

const USES_MAX_ROWS = 2_000;

const LIST = `
SELECT DISTINCT used.name #>> '{}' AS name, a.id AS "agentId", a.name AS "agentName"
FROM agents a, jsonb_path_query(a.config, 'lax $.tools.*[*].auth_secret') AS used(name)
WHERE a.account_id = $1 AND a.status = 'active' AND jsonb_typeof(used.name) = 'string'
ORDER BY 1, 3, 2 LIMIT ${USES_MAX_ROWS}`;

/** Which active agents' connectors name which secrets, whether or not such a secret exists; at most 2,000 pairs. */
export async function listSecretUses(principal: Principal): Promise<SecretUse[]> {
  const { rows } = await postgres().query<SecretUse>(LIST, [principal.accountId]);
  return rows;
}
