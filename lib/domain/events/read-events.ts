import "server-only";
import type { Principal } from "@/lib/domain/principal";
import type { EventData, EventType } from "@/lib/model/events/event-types";
import { accountTransaction, postgres } from "@/lib/platform/postgres";

export interface AccountEventView {
  id: string;
  /** Of pg's bigint: text. */
  sequence: string;
  type: EventType;
  data: EventData;
  createdAt: Date;
}

/** Events that are given their numbers at once. */
const NUMBERED_AT_ONCE = 1_000;

// Numbers are given after the commit, one reader at a time: an event that a reader has not seen can
// never get a smaller one than those it has.
const LOCK = `SELECT last_event_sequence AS last FROM accounts WHERE id = $1 FOR NO KEY UPDATE`;
const NUMBER = `
WITH fresh AS (
  SELECT id, row_number() OVER (ORDER BY id) AS place FROM (
    SELECT id FROM account_events WHERE account_id = $1 AND sequence IS NULL ORDER BY id
    LIMIT ${NUMBERED_AT_ONCE}
  ) unnumbered
), numbered AS (
  UPDATE account_events e SET sequence = $2::bigint + fresh.place FROM fresh
  WHERE e.account_id = $1 AND e.id = fresh.id RETURNING e.id
)
UPDATE accounts SET last_event_sequence = $2::bigint + (SELECT count(*) FROM numbered)
WHERE id = $1`;

const UNNUMBERED = {
  name: "unnumbered-events",
  text: "SELECT 1 FROM account_events WHERE account_id = $1 AND sequence IS NULL LIMIT 1",
};

const READ = {
  name: "read-account-events",
  text: `
    SELECT id, sequence, type, data, created_at AS "createdAt" FROM account_events
    WHERE account_id = $1 AND sequence > $2 AND ($3::text[] IS NULL OR type = ANY($3))
    ORDER BY sequence LIMIT $4`,
};

/**
 * The account's events after number `after`, oldest first. Those that were kept too long ago are
 * gone: the first of the answer may have a greater number than the next one would.
 * @param types null: all
 */
export async function readEvents(
  { accountId }: Principal,
  after: number,
  types: readonly EventType[] | null,
  limit: number,
): Promise<AccountEventView[]> {
  await numberEvents(accountId);
  const values = [accountId, after, types, limit];
  const { rows } = await postgres().query<AccountEventView>({ ...READ, values });
  return rows;
}

async function numberEvents(accountId: string): Promise<void> {
  for (;;) {
    const { rowCount } = await postgres().query({ ...UNNUMBERED, values: [accountId] });
    if (rowCount === 0) return;
    await accountTransaction(accountId, async (tx) => {
      const { rows } = await tx.query<{ last: string }>(LOCK, [accountId]);
      await tx.query(NUMBER, [accountId, rows[0]?.last ?? "0"]);
    });
  }
}
