import "server-only";
import { randomBytes } from "node:crypto";
import { rememberKey } from "@/lib/domain/admin/service-identity";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import type { Actor } from "@/lib/domain/principal";
import {
  keyRing,
  lockKeyRing,
  TOTP_SCOPE,
  WEBHOOK_SECRET_SCOPE,
} from "@/lib/domain/secrets/key-ring";
import { env } from "@/lib/env";
import { ServiceError } from "@/lib/model/errors";
import { CONNECTION_SCOPE } from "@/lib/model/secret/connection-scope";
import { bareName } from "@/lib/model/secret/owned-name";
import { readRingFile, writeRingFile } from "@/lib/platform/crypto/key-ring";
import { needsRotation, openSealed, SealBroken, seal, sealedBy } from "@/lib/platform/crypto/seal";
import { postgres, type Transaction, transaction } from "@/lib/platform/postgres";

interface KeyRotation
  extends Pick<Resealed, "secrets" | "webhook_secrets" | "connections" | "second_factors"> {
  /** The key that seals from now on. */
  key_id: string;
  /** Keys that have left the ring. */
  retired: string[];
  /**
   * Keys that seal nothing any more and that only the operator can take out of `ENCRYPTION_KEYS`.
   */
  removable?: string[];
  /** Values whose key was lost before: they opened neither before nor after. */
  unreadable: number;
}

/**
 * Replaces the key that seals secrets and webhook secrets: makes a key, seals every value anew with
 * it, and takes the older keys out of the ring. Beside running servers, which read the ring's file
 * again when it changes. Cut off at any point, everything still opens, and running it again
 * finishes what was begun.
 * @throws ServiceError CONFLICT where the keys stand in the environment, which no command can
 * change, or where a value does not open though its key is there
 */
export async function rotateEncryptionKey(actor: Actor): Promise<KeyRotation> {
  const path = env().ENCRYPTION_KEYS_FILE;
  if (path === "") return rotateByEnvironment(actor);
  const keyId = await makeKey(path);
  const resealed = await resealValues();
  const retired = await retireKeys(path, keyId, resealed, actor);
  const { secrets, webhook_secrets, connections, second_factors } = resealed;
  return {
    key_id: keyId,
    secrets,
    webhook_secrets,
    connections,
    second_factors,
    retired,
    unreadable: resealed.lost,
  };
}

/**
 * Puts a fresh key first; it is kept before anything is sealed with it. Where a rotation was cut
 * off there are older keys beside the current one: then the current one is the fresh key.
 */
export async function makeKey(path: string): Promise<string> {
  return transaction(async (tx) => {
    await lockKeyRing(tx);
    const { ring, entries } = readRingFile(path);
    if (ring.keys.size > 1) {
      await rememberKey(tx, ring);
      return ring.currentId;
    }
    const made = {
      id: `k${randomBytes(4).toString("hex")}`,
      key: randomBytes(32).toString("base64"),
    };
    writeRingFile(path, [made, ...entries]);
    await rememberKey(tx, readRingFile(path).ring);
    return made.id;
  });
}

/** Takes every key but the current one out of the ring, once nothing is sealed with them. */
async function retireKeys(
  path: string,
  keyId: string,
  { broken }: Resealed,
  actor: Actor,
): Promise<string[]> {
  return transaction(async (tx) => {
    await lockKeyRing(tx);
    const { entries } = readRingFile(path);
    const [current, ...older] = entries;
    // Another rotation has finished, or gone on.
    if (current === undefined || current.id !== keyId || older.length === 0) return [];
    requireUnused(older, broken, await keysInUse(tx));
    const retired = older.map(({ id }) => id);
    // Before the file is written, and for itself: a rotation that is cut off right after may be
    // recorded twice, but never not at all.
    await recordAudit(postgres(), null, {
      action: "key_ring.rotated",
      actor,
      changes: { key_id: keyId, retired },
    });
    writeRingFile(path, [current]);
    return retired;
  });
}

function requireUnused(
  older: readonly { id: string }[],
  broken: readonly string[],
  inUse: ReadonlySet<string>,
): void {
  const needed = older.filter(({ id }) => inUse.has(id)).map(({ id }) => id);
  if (needed.length === 0) return;
  const which =
    broken.length === 0
      ? ""
      : ` These do not open, though their key is in the ring: ${broken.slice(0, 20).join(", ")}.`;
  throw new ServiceError(
    "CONFLICT",
    `Every value that opens is sealed with the fresh key, but ${needed.join(", ")} must stay in ` +
      `the ring: values are still sealed with it.${which} Delete or replace them and run this ` +
      "again.",
  );
}

async function keysInUse(tx: Transaction): Promise<Set<string>> {
  const { rows } = await tx.query<{ id: string }>(
    `SELECT DISTINCT split_part(sealed, '.', 2) AS id
     FROM (SELECT sealed FROM secrets UNION ALL SELECT sealed FROM webhook_secrets
       UNION ALL SELECT sealed FROM mcp_connections UNION ALL SELECT sealed FROM totp_factors) s`,
  );
  return new Set(rows.map(({ id }) => id));
}

async function rotateByEnvironment(actor: Actor): Promise<KeyRotation> {
  const { currentId, keys } = keyRing();
  if (keys.size === 1) {
    const example = JSON.stringify({
      id: `k${randomBytes(4).toString("hex")}`,
      key: "<32 random bytes in base64>",
    });
    throw new ServiceError(
      "CONFLICT",
      "The keys stand in ENCRYPTION_KEYS, which this command cannot change: put a fresh key such " +
        `as ${example} first in it, restart every process with it, run this command to seal ` +
        "everything anew, then take the older key out.",
    );
  }
  const resealed = await resealValues();
  const removable = await transaction(async (tx) => {
    const inUse = await keysInUse(tx);
    return [...keys.keys()].filter((id) => id !== currentId && !inUse.has(id));
  });
  await recordAudit(postgres(), null, {
    action: "key_ring.rotated",
    actor,
    changes: { key_id: currentId, removable },
  });
  return {
    key_id: currentId,
    secrets: resealed.secrets,
    webhook_secrets: resealed.webhook_secrets,
    connections: resealed.connections,
    second_factors: resealed.second_factors,
    retired: [],
    removable,
    unreadable: resealed.lost,
  };
}

export interface Resealed {
  secrets: number;
  webhook_secrets: number;
  connections: number;
  second_factors: number;
  /** Values whose key is in no ring any more. */
  lost: number;
  /** Values that do not open though their key is here, by account and name. */
  broken: string[];
}

/** Every table of sealed values, and what a value of it is bound to beside its account. */
const TABLES = [
  {
    count: "secrets",
    rows: "SELECT id, account_id, name, sealed FROM secrets",
    update: "UPDATE secrets SET sealed = $3 WHERE id = $1 AND sealed = $2",
  },
  {
    count: "webhook_secrets",
    rows: `SELECT id, account_id, '${WEBHOOK_SECRET_SCOPE}' AS name, sealed FROM webhook_secrets`,
    update: "UPDATE webhook_secrets SET sealed = $3 WHERE id = $1 AND sealed = $2",
  },
  {
    count: "connections",
    rows: `SELECT id, account_id, '${CONNECTION_SCOPE}' || server_url AS name, sealed
           FROM mcp_connections`,
    update: "UPDATE mcp_connections SET sealed = $3 WHERE id = $1 AND sealed = $2",
  },
  {
    count: "second_factors",
    rows: `SELECT id, account_id, '${TOTP_SCOPE}' AS name, sealed FROM totp_factors`,
    update: "UPDATE totp_factors SET sealed = $3 WHERE id = $1 AND sealed = $2",
  },
] as const;

const BATCH_ROWS = 500;
const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

interface Row {
  id: string;
  account_id: string;
  name: string;
  sealed: string;
}

/**
 * Seals every value anew that another key than the current one has sealed. A value that changes
 * meanwhile is left to its writer, who seals it with the current key. May be cut off and repeated.
 */
export async function resealValues(): Promise<Resealed> {
  const done: Resealed = {
    secrets: 0,
    webhook_secrets: 0,
    connections: 0,
    second_factors: 0,
    lost: 0,
    broken: [],
  };
  for (const table of TABLES) {
    for (let after: string | undefined = BEFORE_ALL; after !== undefined; ) {
      const { rows }: { rows: Row[] } = await postgres().query<Row>(
        `${table.rows} WHERE id > $1 ORDER BY id LIMIT ${BATCH_ROWS}`,
        [after],
      );
      for (const row of rows) {
        const sealed = reseal(row, done);
        if (sealed === null) continue;
        const { rowCount } = await postgres().query(table.update, [row.id, row.sealed, sealed]);
        done[table.count] += rowCount ?? 0;
      }
      after = rows.at(-1)?.id;
    }
  }
  return done;
}

/** The value sealed anew; null where nothing is to be done, or nothing can be. */
function reseal(row: Row, done: Resealed): string | null {
  const ring = keyRing();
  if (!needsRotation(ring, row.sealed)) return null;
  const scope = { accountId: row.account_id, name: row.name };
  try {
    return seal(ring, openSealed(ring, row.sealed, scope), scope);
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    if (ring.keys.has(sealedBy(row.sealed)))
      done.broken.push(`${bareName(row.name)} of account ${row.account_id}`);
    else done.lost += 1;
    return null;
  }
}
