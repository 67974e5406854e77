import "server-only";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import { type KeyView, toKeyView } from "@/lib/domain/keys/key-view";
import { capReached, readCap } from "@/lib/domain/limits/row-caps";
import type { Principal } from "@/lib/domain/principal";
import { ServiceError } from "@/lib/model/errors";
import { createApiKey, hashApiKey } from "@/lib/platform/crypto/api-key";
import { newId } from "@/lib/platform/ids";
import { type Transaction, transaction } from "@/lib/platform/postgres";
import type { ApiKey } from "@/lib/storage/generated/client";

export interface NewKey {
  name: string;
  agentId: string | null;
  /**
   * Of an app key: the number of the version of its agent that its runs keep to
   * (`findKeyVersion`); absent or null: the current one.
   */
  agentVersion?: number | null;
  expiresAt: Date | null;
}

/** A key as it is shown once: with its text. */
export type CreatedKey = KeyView & { apiKey: string };

/**
 * Makes an account key, or with `agentId` a key that only runs this agent on the app-scoped path.
 * Its text is returned here and never again.
 * @throws ServiceError AGENT_NOT_FOUND; CONFLICT when the agent is archived, or when account or
 * agent have their fill of keys
 */
export async function createKey(principal: Principal, input: NewKey): Promise<CreatedKey> {
  return transaction(async (tx) => {
    await lockKeyOwner(tx, principal, input.agentId);
    return insertKey(tx, principal, input);
  });
}

/**
 * Locks what a key belongs to, so that keys of one owner are made one after another: the account,
 * or the agent. A key made while its agent is being archived is either revoked with the others or
 * refused.
 * @throws ServiceError AGENT_NOT_FOUND; CONFLICT when the agent is archived
 */
export async function lockKeyOwner(
  tx: Transaction,
  principal: Principal,
  agentId: string | null,
): Promise<void> {
  if (agentId === null) {
    await tx.query("SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE", [principal.accountId]);
    return;
  }
  const { rows } = await tx.query<{ status: string }>(
    "SELECT status FROM agents WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE",
    [agentId, principal.accountId],
  );
  if (!rows[0]) throw new ServiceError("AGENT_NOT_FOUND", "There is no such agent.");
  if (rows[0].status === "archived")
    throw new ServiceError("CONFLICT", "This agent is archived: it can have no new keys.");
}

const INSERT = (owner: string) => `
INSERT INTO api_keys (id, account_id, agent_id, name, hash, prefix, last_four, expires_at,
  agent_version)
SELECT $1, $2, $3::uuid, $4, $5, $6, $7, $8, $10
WHERE (SELECT count(*) FROM api_keys WHERE account_id = $2 AND ${owner} AND revoked_at IS NULL
    AND (expires_at IS NULL OR expires_at > now())) < $9
RETURNING id, account_id AS "accountId", agent_id AS "agentId", agent_version AS "agentVersion",
  name, hash, prefix, last_four AS "lastFour", created_at AS "createdAt",
  last_used_at AS "lastUsedAt", expires_at AS "expiresAt", revoked_at AS "revokedAt"`;

/**
 * Stores a key if there is room for it; its owner must be locked (`lockKeyOwner`). @throws
 * ServiceError CONFLICT that names the cap
 */
export async function insertKey(
  tx: Transaction,
  principal: Principal,
  { name, agentId, agentVersion = null, expiresAt }: NewKey,
): Promise<CreatedKey> {
  const { accountId } = principal;
  const kind = agentId === null ? "keys" : "app_keys";
  const cap = await readCap(tx, accountId, kind);
  const apiKey = createApiKey(agentId === null ? "account" : "app");
  const prefix = agentId === null ? "svc_sk_" : "appapi_";
  const values = [
    newId(),
    accountId,
    agentId,
    name,
    hashApiKey(apiKey),
    prefix,
    apiKey.slice(-4),
    expiresAt,
    cap,
    agentVersion,
  ];
  const { rows } = await tx.query<ApiKey>(
    INSERT(agentId === null ? "agent_id IS NULL" : "agent_id = $3::uuid"),
    values,
  );
  const [row] = rows;
  if (!row) throw capReached(kind, cap);
  await recordAudit(tx, principal, {
    action: "key.created",
    object: { kind: "key", id: row.id, label: `${name} …${row.lastFour}` },
    changes: {
      kind: agentId === null ? "account" : "app",
      agent_id: agentId,
      agent_version: agentVersion ?? undefined,
      expires_at: expiresAt?.toISOString() ?? null,
    },
  });
  return { ...toKeyView(row), apiKey };
}
