import "server-only";
import { getEndUser } from "@/lib/domain/end-users/end-user-view";
import type { Principal } from "@/lib/domain/principal";
import { postgres } from "@/lib/platform/postgres";

/** Runs that are read at once: an input or a result may be some hundred kilobytes. */
const RUNS_A_PAGE = 10;
const ROWS_A_PAGE = 200;
const FIRST_ID = "00000000-0000-0000-0000-000000000000";

const lineOf = (type: string, fields: string) =>
  `x.id, jsonb_build_object('type', '${type}', ${fields}, 'created_at', x.created_at) AS line`;
/** Of the account `$1` and the person `$2`, those after the id `$3`, `$4` of them. */
const pageOf = (table: string, type: string, fields: string) =>
  `SELECT ${lineOf(type, fields)} FROM ${table} x WHERE x.account_id = $1 AND x.end_user = $2
     AND x.id > $3 ORDER BY x.id LIMIT $4`;

const RUNS = pageOf(
  "runs",
  "run",
  `'run_id', x.id, 'kind', x.kind, 'status', x.status, 'agent_id', x.agent_id,
   'conversation_id', x.conversation_id, 'model', x.model,
   'metadata', x.metadata, 'input', x.input, 'result', x.result, 'error', x.error,
   'completed_at', x.completed_at,
   'credits', (SELECT coalesce(sum(u.credits_micros), 0) / 1e6 FROM run_usage u
     WHERE u.run_id = x.id AND u.account_id = $1)`,
);
/** What those runs have left, by their ids `$1`, of the account `$2`. */
const OF_RUNS = [
  `SELECT ${lineOf(
    "message",
    "'message_id', x.id, 'conversation_id', x.conversation_id, 'run_id', x.run_id, 'role', " +
      "x.role, 'text', x.text",
  )}
   FROM messages x JOIN runs r ON r.id = x.run_id WHERE x.run_id = ANY($1) AND r.account_id = $2
   ORDER BY x.id`,
  // Also what was said to a run that ended without it, which stands nowhere else.
  `SELECT ${lineOf(
    "run_message",
    "'message_id', x.id, 'run_id', x.run_id, 'position', x.position, 'when', x.due, 'input', " +
      "x.input, 'shown', x.turn IS NOT NULL, 'tool_call_id', x.tool_call_id, 'next_run_id', " +
      "x.next_run_id",
  )}
   FROM run_messages x WHERE x.run_id = ANY($1) AND x.account_id = $2 ORDER BY x.run_id, \
x.position`,
  `SELECT ${lineOf(
    "artifact",
    "'artifact_id', x.id, 'run_id', x.run_id, 'title', x.title, 'name', x.name, " +
      "'content_type', x.content_type, 'size_bytes', x.size_bytes, 'sha256', x.sha256",
  )}
   FROM artifacts x WHERE x.run_id = ANY($1) AND x.account_id = $2 ORDER BY x.id`,
  `SELECT ${lineOf(
    "file",
    "'run_id', x.run_id, 'path', x.path, 'content_type', x.content_type, 'size_bytes', " +
      "x.size_bytes, 'sha256', x.sha256",
  )}
   FROM run_files x WHERE x.run_id = ANY($1) AND x.account_id = $2 ORDER BY x.id`,
];
const OTHERS = [
  pageOf(
    "conversations",
    "conversation",
    "'conversation_id', x.id, 'family', x.family, 'updated_at', x.updated_at",
  ),
  pageOf(
    "agent_memories",
    "memory",
    "'memory_id', x.id, 'agent_id', x.agent_id, 'text', x.text, 'run_id', x.made_by_run, " +
      "'updated_at', x.updated_at",
  ),
  pageOf(
    "schedules",
    "schedule",
    "'schedule_id', x.id, 'agent_id', x.agent_id, 'cron', x.cron, 'timezone', x.timezone, " +
      "'input', x.input, 'enabled', x.enabled",
  ),
  // Of what is sealed there is that it is there: their values and tokens leave in no answer.
  pageOf(
    "secrets",
    "secret",
    "'name', split_part(x.name, E'\\n', 1), 'description', x.description, 'allowed_hosts', " +
      "x.allowed_hosts, 'updated_at', x.updated_at, 'last_used_at', x.last_used_at",
  ),
  pageOf(
    "mcp_connections",
    "connection",
    "'connection_id', x.id, 'server_url', split_part(x.server_url, E'\\n', 1), 'status', " +
      "x.status, 'issuer', x.issuer, 'scopes', x.scopes, 'signed_in_at', x.signed_in_at",
  ),
];

interface Row {
  id: string;
  line: object;
}

/**
 * All that is kept of a person, as lines of JSON: who it is, then kind by kind, at last a line that
 * says how many there were, so that one that was cut is known. A page is read when the one before
 * was taken, so that its size in memory does not grow with the person's. What comes while it is
 * read may be in it or not.
 * @throws ServiceError END_USER_NOT_FOUND, END_USER_ERASED, before the first line
 */
export async function exportEndUser(
  principal: Principal,
  endUser: string,
  signal: AbortSignal,
): Promise<AsyncIterableIterator<string>> {
  const { counts: _, usage: __, ...person } = await getEndUser(principal, endUser);
  return linesOf(principal, endUser, toHead(person), signal);
}

function toHead({
  endUser,
  createdAt,
  lastSeenAt,
}: Pick<Awaited<ReturnType<typeof getEndUser>>, "endUser" | "createdAt" | "lastSeenAt">) {
  return { type: "end_user", end_user: endUser, created_at: createdAt, last_seen_at: lastSeenAt };
}

async function* linesOf(
  principal: Principal,
  endUser: string,
  head: object,
  signal: AbortSignal,
): AsyncIterableIterator<string> {
  let lines = 1;
  const toText = (rows: readonly Row[]) => {
    lines += rows.length;
    return rows.map(({ line }) => `${JSON.stringify(line)}\n`).join("");
  };
  const of = [principal.accountId, endUser] as const;
  yield `${JSON.stringify(head)}\n`;
  for await (const runs of pagesOf(RUNS, of, RUNS_A_PAGE, signal)) {
    yield toText(runs);
    for (const text of OF_RUNS) {
      const { rows } = await postgres().query<Row>(text, [
        runs.map(({ id }) => id),
        principal.accountId,
      ]);
      if (rows.length > 0) yield toText(rows);
    }
  }
  for (const text of OTHERS)
    for await (const rows of pagesOf(text, of, ROWS_A_PAGE, signal)) yield toText(rows);
  if (!signal.aborted) yield `${JSON.stringify({ type: "end", lines: lines + 1 })}\n`;
}

async function* pagesOf(
  text: string,
  of: readonly [string, string],
  limit: number,
  signal: AbortSignal,
): AsyncIterableIterator<Row[]> {
  for (let after: string | undefined = FIRST_ID; after !== undefined && !signal.aborted; ) {
    const { rows }: { rows: Row[] } = await postgres().query<Row>(text, [...of, after, limit]);
    if (rows.length > 0) yield rows;
    after = rows.length === limit ? rows.at(-1)?.id : undefined;
  }
}
