import "server-only";
import { endUserMissing } from "@/lib/domain/end-users/receipt";
import { type Page, type PageRequest, readCursor, rowsToRead, toPage } from "@/lib/domain/page";
import type { Principal } from "@/lib/domain/principal";
import { toCredits } from "@/lib/model/run/run-result";
import { postgres } from "@/lib/platform/postgres";

/** A person whom an account's backend acts for, as lists show them. */
export interface EndUserView {
  endUser: string;
  status: "active" | "erasing";
  /** In credits; null: only the account's wallet limits. */
  maxCreditsPerDay: number | null;
  createdAt: Date;
  /** When a run of theirs was last accepted, exact to a minute. */
  lastSeenAt: Date | null;
}

/** The same with how much there is of them. */
export interface EndUserDetails extends EndUserView {
  /** Credits since 00:00 UTC, and of the last 30 days. */
  usage: { creditsToday: number; credits30Days: number };
  counts: Record<"runs" | "conversations" | "memories" | "files" | "artifacts", number>;
}

interface Row {
  id: string;
  end_user: string;
  erasing_at: Date | null;
  max: string | null;
  created_at: Date;
  last_seen_at: Date | null;
}

const COLUMNS =
  "e.id, e.end_user, e.erasing_at, e.max_credits_per_day_micros AS max, e.created_at, " +
  "e.last_seen_at";

function toView(row: Row): EndUserView {
  return {
    endUser: row.end_user,
    status: row.erasing_at ? "erasing" : "active",
    maxCreditsPerDay: row.max === null ? null : toCredits(BigInt(row.max)),
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
  };
}

/**
 * The account's people, those who came last first.
 * @param prefix only those whose name begins with it
 */
export async function listEndUsers(
  principal: Principal,
  page: PageRequest,
  prefix: string | null = null,
): Promise<Page<EndUserView>> {
  const { rows } = await postgres().query<Row>(
    `SELECT ${COLUMNS} FROM end_users e WHERE e.account_id = $1 AND ($2::uuid IS NULL OR e.id < $2)
       ${prefix === null ? "" : "AND e.end_user LIKE $4"} ORDER BY e.id DESC LIMIT $3`,
    [
      ...[principal.accountId, readCursor(page.cursor), rowsToRead(page)],
      ...(prefix === null ? [] : [`${prefix.replaceAll(/[\\%_]/g, "\\$&")}%`]),
    ],
  );
  const { data, nextCursor } = toPage(rows, page.limit, (row) => row.id);
  return { data: data.map(toView), nextCursor };
}

const THEIR_RUNS = "SELECT r.id FROM runs r WHERE r.account_id = $1 AND r.end_user = $2";
const DETAILS = `
SELECT ${COLUMNS},
  (SELECT count(*) FROM runs r WHERE r.account_id = $1 AND r.end_user = $2)::int AS runs,
  (SELECT count(*) FROM conversations c WHERE c.account_id = $1
     AND c.end_user = $2)::int AS conversations,
  (SELECT count(*) FROM agent_memories m WHERE m.account_id = $1
     AND m.end_user = $2)::int AS memories,
  (SELECT count(*) FROM run_files f WHERE f.run_id IN (${THEIR_RUNS}))::int AS files,
  (SELECT count(*) FROM artifacts a WHERE a.run_id IN (${THEIR_RUNS}))::int AS artifacts,
  (SELECT coalesce(sum(u.credits_micros), 0) FROM run_usage u WHERE u.account_id = $1
     AND u.end_user = $2
     AND u.created_at >= date_trunc('day', now(), 'UTC')) AS today,
  (SELECT coalesce(sum(u.credits_micros), 0) FROM run_usage u WHERE u.account_id = $1
     AND u.end_user = $2
     AND u.created_at >= now() - interval '30 days') AS last_30_days
FROM end_users e WHERE e.account_id = $1 AND e.end_user = $2`;

/** One of the account's people. @throws ServiceError END_USER_NOT_FOUND, END_USER_ERASED */
export async function getEndUser(principal: Principal, endUser: string): Promise<EndUserDetails> {
  const { rows } = await postgres().query<
    Row & EndUserDetails["counts"] & { today: string; last_30_days: string }
  >(DETAILS, [principal.accountId, endUser]);
  const [row] = rows;
  if (!row) throw await endUserMissing(postgres(), principal.accountId, endUser);
  const { runs, conversations, memories, files, artifacts } = row;
  return {
    ...toView(row),
    usage: {
      creditsToday: toCredits(BigInt(row.today)),
      credits30Days: toCredits(BigInt(row.last_30_days)),
    },
    counts: { runs, conversations, memories, files, artifacts },
  };
}
