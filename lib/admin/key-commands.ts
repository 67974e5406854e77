import "server-only";
import { allowOnly, requireText, UsageError } from "@/lib/admin/read-flags";
import { findPrincipalByEmail } from "@/lib/domain/account/find-principal-by-email";
import { createKey } from "@/lib/domain/keys/create-key";
import type { KeyView } from "@/lib/domain/keys/key-view";
import { listKeys } from "@/lib/domain/keys/list-keys";
import { revokeKeyAsOperator } from "@/lib/domain/keys/revoke-key";
import { isUuid } from "@/lib/model/uuid";

const LISTED_MAX = 1000;

/** `key create`: an account key, or with `--agent` a key of the app-scoped path. */
export async function keyCreate(flags: Map<string, string>): Promise<object> {
  allowOnly(flags, ["email", "agent"]);
  const agentId = flags.get("agent") ?? null;
  if (agentId !== null && !isUuid(agentId)) throw new UsageError("--agent takes an agent's id.");
  const principal = await findPrincipalByEmail(requireText(flags, "email"));
  const key = await createKey(principal, { name: "Operator", agentId, expiresAt: null });
  return { key_id: key.id, api_key: key.apiKey };
}

/** `key list`: the newest thousand keys of an account, without their secrets. */
export async function keyList(flags: Map<string, string>): Promise<object> {
  allowOnly(flags, ["email"]);
  const principal = await findPrincipalByEmail(requireText(flags, "email"));
  const page = await listKeys(principal, { limit: LISTED_MAX, cursor: null });
  return { keys: page.data.map(toRow) };
}

/** `key revoke`: ends a key at once. */
export async function keyRevoke(flags: Map<string, string>): Promise<object> {
  allowOnly(flags, ["id"]);
  const id = requireText(flags, "id");
  if (!isUuid(id)) throw new UsageError("--id takes a key's id.");
  return toRow(await revokeKeyAsOperator(id));
}

function toRow(key: KeyView): object {
  return {
    key_id: key.id,
    name: key.name,
    kind: key.kind,
    agent_id: key.agentId,
    prefix: key.prefix,
    last_four: key.lastFour,
    created_at: key.createdAt,
    last_used_at: key.lastUsedAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
  };
}
