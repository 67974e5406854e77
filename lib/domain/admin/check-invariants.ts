import "server-only";
import { engineMode } from "@/lib/engine/engine-state";
import { onOwnConnection } from "@/lib/platform/postgres";

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
 * @param graceSeconds what happened within them may still be under way; 0 where everything stands
 * still
 * @returns the rows of which an invariant does not hold
 */
export async function checkInvariants(graceSeconds = GRACE_SECONDS): Promise<Checked> {
  const grace = `interval '${Math.trunc(graceSeconds)} seconds'`;
  return onOwnConnection(async (client) => {
    // All statements see one moment, however long they take.
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const broken: Broken[] = [];
    for (const { name, promise, isOfEmbedded, sql } of INVARIANTS) {
      if (isOfEmbedded && engineMode() !== "embedded") continue;
      const { rows } = await client.query<Record<string, unknown>>(
        `${sql(grace)} LIMIT ${SHOWN_ROWS + 1}`,
      );
      if (rows.length > 0)
        broken.push({
          name,
          promise,
          rows: rows.slice(0, SHOWN_ROWS),
          more: rows.length > SHOWN_ROWS,
        });
    }
    return broken.length === 0 ? { ok: true } : { ok: false, broken };
  });
}

/** What is true of money and states at every moment that nobody is in the middle of something. */
interface Invariant {
  name: string;
  /** What holds; the rows of `sql` are those of which it does not. */
  promise: string;
  /** Only the embedded executor's tables can tell. */
  isOfEmbedded?: boolean;
  /** @param grace an interval, as SQL: what happened within it may still be under way */
  sql(grace: string): string;
}

/**
 * A run that has ended is closed by its live step, or by the sweep after that step's process has
 * died.
 */
const isClosing = (grace: string) =>
  `EXISTS (SELECT 1 FROM run_logs l WHERE l.run_id = r.id AND l.closed_at IS NULL)
     AND (r.completed_at > now() - ${grace}
     OR EXISTS (SELECT 1 FROM run_logs l JOIN engine_processes p ON p.id = l.owner
       WHERE l.run_id = r.id AND p.seen_at > clock_timestamp() - interval '10 seconds'))`;

const MONEY: readonly Invariant[] = [
  {
    name: "balances",
    promise:
      "What an account has available and what its runs hold is the sum of its ledger, and " +
      "not below zero.",
    sql: () => `
      SELECT a.id AS account_id, a.available_micros, coalesce(h.micros, 0) AS held_micros,
        coalesce(l.micros, 0) AS ledger_micros FROM accounts a
      LEFT JOIN (SELECT account_id, sum(amount_micros) AS micros FROM credit_holds GROUP BY 1) h
        ON h.account_id = a.id
      LEFT JOIN (SELECT account_id, sum(amount_micros) AS micros FROM ledger_entries GROUP BY 1) l
        ON l.account_id = a.id
      WHERE a.available_micros < 0 OR coalesce(h.micros, 0) < 0
        OR a.available_micros + coalesce(h.micros, 0) <> coalesce(l.micros, 0)`,
  },
  {
    name: "holds",
    promise: "Every run that has not ended holds credits, in its own account, and no other does.",
    sql: (grace) => `
      SELECT r.id AS run_id, h.run_id AS held_run_id, r.status, r.completed_at, h.amount_micros
      FROM runs r
      FULL JOIN credit_holds h ON h.run_id = r.id
      WHERE r.id IS NULL OR h.account_id <> r.account_id
        OR (r.completed_at IS NULL AND h.run_id IS NULL)
        OR (r.completed_at IS NOT NULL AND h.run_id IS NOT NULL AND NOT (${isClosing(grace)}))`,
  },
  {
    name: "usage_is_charged",
    promise: "What a run was charged for its calls is what the ledger says of it.",
    sql: () => `
      SELECT run_id, coalesce(u.micros, 0) AS usage_micros, coalesce(l.micros, 0) AS ledger_micros
      FROM (SELECT run_id, sum(credits_micros) AS micros FROM run_usage GROUP BY 1) u
      FULL JOIN (SELECT run_id, -sum(amount_micros) AS micros FROM ledger_entries
        WHERE kind = 'usage' GROUP BY 1) l USING (run_id)
      WHERE coalesce(u.micros, 0) <> coalesce(l.micros, 0)`,
  },
  {
    name: "usage_is_added_up",
    promise:
      "The hourly sums of an account's usage, of hours that are added up and still kept, are " +
      "the sums of its calls.",
    sql: () => `
      SELECT account_id, hour, agent_id, model, rows.micros AS micros,
        sums.credits_micros AS micros_in_sum
      FROM (SELECT account_id, date_trunc('hour', created_at, 'UTC') AS hour,
        coalesce(agent_id, '00000000-0000-0000-0000-000000000000') AS agent_id, model,
          sum(credits_micros) AS micros, sum(input_tokens) AS input, sum(output_tokens) AS output
        FROM run_usage
        WHERE created_at < (SELECT until FROM usage_rollups)
          AND date_trunc('hour', created_at, 'UTC') >= (SELECT min(hour) FROM usage_hours)
        GROUP BY 1, 2, 3, 4) rows
      FULL JOIN usage_hours sums USING (account_id, hour, agent_id, model)
      WHERE (rows.micros, rows.input, rows.output) IS DISTINCT FROM (sums.credits_micros,
        sums.input_tokens, sums.output_tokens)`,
  },
  {
    name: "files_are_counted",
    promise:
      "The space that an account's files take is the sum of its files, artifacts, runs' " +
      "files and skills' files.",
    sql: () => `
      SELECT a.id AS account_id, a.files_bytes, coalesce(f.bytes, 0) AS bytes FROM accounts a
      LEFT JOIN (SELECT account_id, sum(bytes) AS bytes FROM (
          SELECT account_id, size_bytes AS bytes FROM workspace_files
          UNION ALL SELECT account_id, size_bytes FROM artifacts
          UNION ALL SELECT account_id, size_bytes FROM run_files
          UNION ALL SELECT s.account_id, octet_length(f.bytes) FROM skill_files f
          JOIN skills s ON s.id = f.skill_id) every GROUP BY 1) f ON f.account_id = a.id
      WHERE a.files_bytes <> coalesce(f.bytes, 0)`,
  },
];

/** Tables whose rows are one person's, by `end_user`. */
const OF_PEOPLE = [
  "runs",
  "conversations",
  "schedules",
  "secrets",
  "mcp_connections",
  "run_usage",
  "agent_memories",
];

const PEOPLE: readonly Invariant[] = [
  {
    name: "people_are_known",
    promise:
      "Whoever something is named after is one of the account's end users: of one who was " +
      "erased nothing is left.",
    // Of whom, the answer does not say: it may be somebody who was to be forgotten.
    sql: () => `
      SELECT x.kind, x.account_id, count(*) AS rows FROM (${OF_PEOPLE.map(
        (table) =>
          `SELECT '${table}' AS kind, account_id, end_user FROM ${table} WHERE end_user <> ''`,
      ).join(" UNION ALL ")}) x
      WHERE NOT EXISTS (SELECT 1 FROM end_users e
        WHERE e.account_id = x.account_id AND e.end_user = x.end_user)
      GROUP BY 1, 2`,
  },
  {
    name: "usage_is_its_runs",
    promise:
      "A priced call counts for the account and the key of its run, and for its person or " +
      "nobody: what a person used is what the ledger says of their runs.",
    sql: () => `
      SELECT u.run_id, u.step_key, u.account_id FROM run_usage u JOIN runs r ON r.id = u.run_id
      WHERE u.account_id <> r.account_id OR u.end_user <> coalesce(r.end_user, '')
        OR u.key_id IS DISTINCT FROM r.key_id`,
  },
  {
    name: "owned_names",
    promise:
      "A person's secret or sign-in stands under a name that says whose it is, and the " +
      "account's under a bare one.",
    sql: () => `
      SELECT x.kind, x.id, x.account_id FROM (
        SELECT 'secrets' AS kind, id, account_id, name, end_user FROM secrets
        UNION ALL SELECT 'mcp_connections', id, account_id, server_url, end_user
        FROM mcp_connections) x
      WHERE nullif(substr(x.name, strpos(x.name, E'\\n') + 1), x.name) IS DISTINCT FROM x.end_user`,
  },
];

const TERMINAL = `'^\\{"type":"run\\.(completed|failed)"'`;

const STATES: readonly Invariant[] = [
  {
    name: "ended_runs_are_closed",
    promise: "The log of a run that has ended is closed, and that of no other.",
    sql: (grace) => `
      SELECT r.id AS run_id, r.status, r.completed_at, l.closed_at, l.owner FROM runs r
      JOIN run_logs l ON l.run_id = r.id
      WHERE (r.completed_at IS NULL) <> (l.closed_at IS NULL) AND NOT (${isClosing(grace)})`,
  },
  {
    name: "one_terminal_line",
    promise:
      "A closed log has one terminal line, its last, which says what the run says; an open " +
      "one has none; its numbers have no gap.",
    sql: () => `
      SELECT * FROM (
        SELECT l.run_id, r.status, l.closed_at IS NOT NULL AS closed, l.next_sequence,
          count(line) AS lines,
          count(*) FILTER (WHERE line ~ ${TERMINAL}) AS terminal_lines,
          (array_agg(line ORDER BY e.first_sequence DESC, n DESC))[1] AS last,
          r.result ->> 'text' AS text
        FROM run_logs l JOIN runs r ON r.id = l.run_id LEFT JOIN run_events e ON e.run_id = l.run_id
        LEFT JOIN LATERAL regexp_split_to_table(e.lines, '\\n') WITH ORDINALITY AS split(line, n)
          ON true
        GROUP BY l.run_id, r.id) logs
      WHERE terminal_lines <> closed::int OR lines <> next_sequence
        OR (closed AND CASE WHEN last !~ ${TERMINAL} THEN true
          ELSE (last::json ->> 'type' = 'run.completed') <> (status = 'completed')
          OR (last::json -> 'result' ->> 'text') IS DISTINCT FROM text END)`,
  },
  {
    name: "states_and_times",
    promise: "A run has ended when its state says so.",
    sql: () => `
      SELECT id AS run_id, status, started_at, completed_at FROM runs
      WHERE (status IN ('completed', 'failed', 'cancelled')) <> (completed_at IS NOT NULL)
        OR (status = 'completed') <> (result IS NOT NULL)
        OR (status IN ('running', 'completed') AND started_at IS NULL)`,
  },
  {
    name: "waits_are_said",
    promise:
      "A run that waits for credits says so, as does its super-agent's; it holds none, and " +
      "no other run waits.",
    sql: () => `
      SELECT r.id AS run_id, r.status, r.requires_action, w.id AS wait_id, h.amount_micros
      FROM runs r
      LEFT JOIN budget_waits w ON w.run_id = r.id AND w.status = 'waiting'
      LEFT JOIN credit_holds h ON h.run_id = r.id
      WHERE (w.id IS NULL AND r.completed_at IS NULL
          AND r.requires_action ->> 'type' IN ('budget', 'credits'))
        OR (w.id IS NOT NULL AND w.of_wait IS NULL
            AND (r.status <> 'running' OR h.amount_micros <> 0
          OR coalesce(r.requires_action ->> 'type', '') NOT IN ('budget', 'credits')))`,
  },
  {
    name: "waits_end",
    promise: "No run waits for credits that its account has.",
    sql: (grace) => `
      SELECT w.id AS wait_id, w.run_id, w.least_micros, a.available_micros FROM budget_waits w
      JOIN accounts a ON a.id = w.account_id
      WHERE w.status = 'waiting' AND w.of_wait IS NULL AND w.kind = 'credits'
        AND w.least_micros <= a.available_micros
        AND w.created_at < now() - 2 * ${grace}`,
  },
  {
    name: "messages_are_shown",
    promise: "A run that was completed has been shown all that was said to it.",
    sql: () => `
      SELECT r.id AS run_id, m.id AS message_id, r.completed_at, m.created_at FROM run_messages m
      JOIN runs r ON r.id = m.run_id
      WHERE r.status = 'completed' AND m.due = 'next_step' AND m.turn IS NULL`,
  },
  {
    name: "conversations_are_held",
    promise:
      "A conversation is held by the one run of it that has not ended and waits for no " +
      "other; and no run waits for a conversation that is free.",
    sql: () => `
      SELECT c.id AS conversation_id, c.active_run_id, r.id AS run_id, r.status FROM conversations c
      JOIN runs r ON r.conversation_id = c.id AND r.completed_at IS NULL
      WHERE c.active_run_id IS DISTINCT FROM r.id
        AND (c.active_run_id IS NULL
            OR NOT EXISTS (SELECT 1 FROM queued_runs q WHERE q.run_id = r.id
              AND q.conversation_id = c.id))
      UNION ALL
      SELECT c.id, c.active_run_id, r.id, r.status FROM conversations c
      LEFT JOIN runs r ON r.id = c.active_run_id
      WHERE c.active_run_id IS NOT NULL AND (r.id IS NULL OR r.completed_at IS NOT NULL)`,
  },
  {
    name: "runs_are_driven",
    promise:
      "A run that has not ended is one of the engine's, or its event is about to make it " +
      "one, or it waits for its conversation.",
    isOfEmbedded: true,
    sql: (grace) => `
      SELECT r.id AS run_id, r.status, r.created_at, r.started_at FROM runs r
      WHERE r.completed_at IS NULL AND r.created_at < now() - ${grace}
        AND NOT EXISTS (SELECT 1 FROM queued_runs q WHERE q.run_id = r.id)
        AND NOT EXISTS (SELECT 1 FROM engine_runs e WHERE e.event_id = r.id::text
            AND e.status = 'active')
        AND NOT EXISTS (SELECT 1 FROM engine_events e WHERE e.id = r.id::text
            AND e.routed_at IS NULL)`,
  },
  {
    name: "engine_runs_go_on",
    promise:
      "An active run of the engine has a process that lives, a place in the queue, a time, " +
      "or an event that it waits for.",
    isOfEmbedded: true,
    // What an older version started without a lane is taken up at a process's start.
    sql: (grace) => `
      SELECT e.id AS engine_run_id, e.function_id, e.event_id, e.created_at, e.owner
      FROM engine_runs e
      WHERE e.status = 'active' AND e.lane IS NOT NULL AND NOT e.queued AND e.due_at IS NULL
        AND e.created_at < now() - ${grace}
        AND NOT EXISTS (SELECT 1 FROM engine_processes p WHERE p.id = e.owner)
        AND NOT EXISTS (SELECT 1 FROM engine_waits w JOIN engine_steps s ON s.run_id = w.run_id
            AND s.id = w.step_id
          WHERE w.run_id = e.id AND w.kind = 'resume' AND NOT s.done AND w.due_at IS NULL)`,
  },
  {
    name: "deliveries_are_driven",
    promise:
      "A webhook that is to be sent is one of the engine's, or its event is about to make it one.",
    isOfEmbedded: true,
    sql: (grace) => `
      SELECT d.id AS delivery_id, d.run_id, d.round, d.created_at FROM webhook_deliveries d
      WHERE d.status = 'pending' AND d.created_at < now() - ${grace}
        AND NOT EXISTS (SELECT 1 FROM engine_events e LEFT JOIN engine_runs r ON r.event_id = e.id
          WHERE e.name = 'webhook/requested' AND e.data LIKE '%' || d.id || '%'
            AND (e.routed_at IS NULL OR r.status = 'active'))`,
  },
  {
    name: "deliveries_and_attempts",
    promise:
      "A webhook was delivered when an attempt of it was answered well; a run says so of its own.",
    sql: () => `
      SELECT d.id AS delivery_id, d.run_id, d.status, r.webhook_delivered_at,
        good.at AS delivered_at FROM webhook_deliveries d
      LEFT JOIN runs r ON r.id = d.run_id AND d.endpoint_id IS NULL
      LEFT JOIN LATERAL (SELECT min(at) AS at FROM webhook_attempts a WHERE a.delivery_id = d.id
          AND a.status_code BETWEEN 200 AND 299) good ON true
      WHERE (r.id IS NOT NULL AND (r.webhook_delivered_at IS NULL) <> (good.at IS NULL))
        OR (d.status = 'delivered' AND good.at IS NULL)`,
  },
  {
    name: "children_end",
    promise:
      "What a super-agent's run has started does not outlive one that failed or was cancelled.",
    sql: (grace) => `
      SELECT r.id AS run_id, r.status, p.id AS parent_run_id, p.status AS parent_status,
        p.completed_at AS parent_completed_at
      FROM runs r JOIN runs p ON p.id = r.parent_run_id
      WHERE r.completed_at IS NULL AND p.status IN ('failed', 'cancelled')
        AND p.completed_at < now() - 2 * ${grace}`,
  },
];

export const INVARIANTS: readonly Invariant[] = [...MONEY, ...PEOPLE, ...STATES];
