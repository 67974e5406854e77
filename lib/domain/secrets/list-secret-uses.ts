import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { postgres } from "@/lib/platform/postgres";

/** A secret's name in an agent's config. */
export interface SecretUse {
  name: string;
  agentId: string;
  agentName: string;
  /** Where its connectors with that secret lead, each as `host` or `host:port`. */
  hosts: string[];
}

const USES_MAX_ROWS = 2_000;

const LIST = `
SELECT used.connector ->> 'auth_secret' AS name, a.id AS "agentId", a.name AS "agentName",
  array_agg(DISTINCT used.connector ->> 'url') AS urls
FROM agents a, jsonb_path_query(a.config,
  'lax $.tools.*[*] ? (exists(@.auth_secret) && exists(@.url))') AS used(connector)
WHERE a.account_id = $1 AND a.status = 'active'
GROUP BY 1, 2, 3 ORDER BY 1, 3, 2 LIMIT ${USES_MAX_ROWS}`;

/**
 * Which active agents' connectors name which secrets, whether or not such a secret exists; at most
 * 2,000 pairs.
 */
export async function listSecretUses(principal: Principal): Promise<SecretUse[]> {
  const { rows } = await postgres().query<Omit<SecretUse, "hosts"> & { urls: string[] }>(LIST, [
    principal.accountId,
  ]);
  return rows.map(({ urls, ...use }) => ({
    ...use,
    hosts: [...new Set(urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).host))],
  }));
}
