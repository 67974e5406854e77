import "server-only";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import { type CreatedKey, insertKey, lockKeyOwner } from "@/lib/domain/keys/create-key";
import type { Principal } from "@/lib/domain/principal";
import { ServiceError } from "@/lib/model/errors";
import { transaction } from "@/lib/platform/postgres";

const LOCK = `
SELECT name, last_four, agent_version, expires_at, revoked_at, expires_at <= now() AS expired
FROM api_keys WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE`;

/**
 * Makes a successor of a key, of the same name, version and end, and lets the old one live
 * `overlapMinutes` longer (0: it ends now); both or neither.
 * @throws ServiceError NOT_FOUND; CONFLICT when the key has been revoked or has expired, its agent
 * is archived, or there is no room for both
 */
export async function rotateKey(
  principal: Principal,
  keyId: string,
  overlapMinutes: number,
): Promise<CreatedKey> {
  return transaction(async (tx) => {
    const found = await tx.query<{ agent_id: string | null }>(
      "SELECT agent_id FROM api_keys WHERE id = $1 AND account_id = $2",
      [keyId, principal.accountId],
    );
    if (!found.rows[0]) throw new ServiceError("NOT_FOUND", "There is no such key.");
    const agentId = found.rows[0].agent_id; // never changes
    await lockKeyOwner(tx, principal, agentId);
    const { rows } = await tx.query<{
      name: string;
      last_four: string;
      agent_version: number | null;
      expires_at: Date | null;
      revoked_at: Date | null;
      expired: boolean | null;
    }>(LOCK, [keyId, principal.accountId]);
    const old = rows[0];
    if (!old) throw new ServiceError("NOT_FOUND", "There is no such key.");
    if (old.revoked_at)
      throw new ServiceError("CONFLICT", "This key was revoked: create a key instead.");
    if (old.expired)
      throw new ServiceError("CONFLICT", "This key has expired: create a key instead.");
    // The old one ends first, so that without an overlap a full account can rotate. Cut to the
    // column's milliseconds: rounded up it would live on.
    await tx.query(
      `UPDATE api_keys
         SET expires_at = least(coalesce(expires_at, 'infinity'),
         date_trunc('milliseconds', now()) + make_interval(mins => $3))
       WHERE id = $1 AND account_id = $2`,
      [keyId, principal.accountId, overlapMinutes],
    );
    const made = await insertKey(tx, principal, {
      name: old.name,
      agentId,
      agentVersion: old.agent_version,
      expiresAt: old.expires_at,
    });
    await recordAudit(tx, principal, {
      action: "key.rotated",
      object: { kind: "key", id: keyId, label: `${old.name} …${old.last_four}` },
      changes: { successor: `…${made.lastFour}`, overlap_minutes: overlapMinutes },
    });
    return made;
  });
}
