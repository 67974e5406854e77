import "server-only";
import { withinAccount } from "@/lib/domain/credits/account-statements";
import { keyRing } from "@/lib/domain/secrets/key-ring";
import { travelProblem } from "@/lib/model/secret/travel-problem";
import { openSealed, SealBroken } from "@/lib/platform/crypto/seal";
import { isAllowedTarget } from "@/lib/platform/egress/is-allowed-target";
import { operatorReach } from "@/lib/platform/egress/operator-reach";
import { log } from "@/lib/platform/log";
import { postgres } from "@/lib/platform/postgres";
import type { ConnectorPort } from "@/lib/runtime/tools/connector-port";
import { ToolFailure } from "@/lib/runtime/tools/tool-failure";

/** What the connectors of an account's runs reach, and the account's secrets for them. A secret that is sent is noted as used. */
export function connectorPort(accountId: string): ConnectorPort {
  return {
    reach: operatorReach(),
    openSecret: (name, url, connectorUrl) => openSecret(accountId, name, url, connectorUrl),
  };
}

async function openSecret(accountId: string, name: string, url: URL, connectorUrl: string): Promise<string> {
  const { rows } = await postgres().query<{ id: string; sealed: string; allowed_hosts: string[] }>({
    name: "find-secret",
    text: "SELECT id, sealed, allowed_hosts FROM secrets WHERE account_id = $1 AND name = $2",
    values: [accountId, name],
  });
  const [secret] = rows;
  if (!secret) throw new ToolFailure(`The account has no secret named ${name}. Its owner can add one.`);
  const isExempt = isAllowedTarget(url, operatorReach().allow);
  const problem = travelProblem(url, { allowedHosts: secret.allowed_hosts, connectorUrl, isExempt });
  if (problem !== null) throw new ToolFailure(`The secret ${name} may not be sent to ${url.origin}: ${problem}. Nothing was sent.`);
  const value = unseal(accountId, name, secret.sealed);
  const use = { name: "use-secret", text: "UPDATE secrets SET last_used_at = now() WHERE id = $1", values: [secret.id] };
  // All runs of the account that use it write this row.
  await withinAccount(accountId, () => postgres().query(use));
  return value;
}

function unseal(accountId: string, name: string, sealed: string): string {
  try {
    return openSealed(keyRing(), sealed, { accountId, name });
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    log.error({ account_id: accountId, secret: name }, "a secret cannot be opened: its key has left ENCRYPTION_KEYS");
    throw new ToolFailure(`The secret ${name} cannot be opened on this server. Its owner must set it again.`);
  }
}
