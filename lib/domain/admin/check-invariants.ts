import "server-only";
import { INVARIANTS } from "@/lib/domain/admin/invariants";
import { engineMode } from "@/lib/engine/engine-mode";
import { postgres } from "@/lib/platform/postgres";

const SHOWN_ROWS = 20;
const GRACE_SECONDS = 60;

export interface Broken {
  name: string;
  promise: string;
  /** At most twenty. */
  rows: Record<string, unknown>[];
  /** Whether there are more. */
  more: boolean;
}

export type Checked = { ok: true } | { ok: false; broken: Broken[] };

/**
 * Looks at the books and at the states of everything, at one moment, beside a running service.
 * @param graceSeconds what happened within them may still be under way; 0 where everything stands still
 * @returns the rows of which an invariant does not hold
 */
export async function checkInvariants(graceSeconds = GRACE_SECONDS): Promise<Checked> {
  const grace = `interval '${Math.trunc(graceSeconds)} seconds'`;
  const client = await postgres().connect();
  try {
    // All statements see one moment, however long they take.
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    await client.query("SET LOCAL statement_timeout = 0");
    const broken: Broken[] = [];
    for (const { name, promise, isOfEmbedded, sql } of INVARIANTS) {
      if (isOfEmbedded && engineMode() !== "embedded") continue;
      const { rows } = await client.query<Record<string, unknown>>(`${sql(grace)} LIMIT ${SHOWN_ROWS + 1}`);
      if (rows.length > 0) broken.push({ name, promise, rows: rows.slice(0, SHOWN_ROWS), more: rows.length > SHOWN_ROWS });
    }
    return broken.length === 0 ? { ok: true } : { ok: false, broken };
  } finally {
    await client.query("ROLLBACK").catch(() => {});
    client.release();
  }
}
