import "server-only";
import { keyRing } from "@/lib/domain/secrets/key-ring";
import { WEBHOOK_SECRET_SCOPE } from "@/lib/domain/secrets/webhook-secret-scope";
import { needsRotation, openSealed, SealBroken, seal, sealedBy } from "@/lib/platform/crypto/seal";
import { postgres } from "@/lib/platform/postgres";

export interface Resealed {
  secrets: number;
  webhook_secrets: number;
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
 * Seals every value anew that another key than the current one has sealed. A value that changes meanwhile is left to its writer, who seals it with the
 * current key. May be cut off and repeated.
 */
export async function resealValues(): Promise<Resealed> {
  const done: Resealed = { secrets: 0, webhook_secrets: 0, lost: 0, broken: [] };
  for (const table of TABLES) {
    for (let after: string | undefined = BEFORE_ALL; after !== undefined; ) {
      const { rows }: { rows: Row[] } = await postgres().query<Row>(`${table.rows} WHERE id > $1 ORDER BY id LIMIT ${BATCH_ROWS}`, [after]);
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
    if (ring.keys.has(sealedBy(row.sealed))) done.broken.push(`${row.name} of account ${row.account_id}`);
    else done.lost += 1;
    return null;
  }
}
