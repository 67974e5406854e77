import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { getAccountUsage } from "@/lib/domain/account/get-account-usage";
import { groupUsage, lastDays, USAGE_GROUPS } from "@/lib/domain/account/group-usage";
import { rollUpUsage } from "@/lib/domain/account/roll-up-usage";
import { listAccounts } from "@/lib/domain/admin/list-accounts";
import { listAgentVersions } from "@/lib/domain/agents/list-agent-versions";
import { listAgents } from "@/lib/domain/agents/list-agents";
import { listApprovals } from "@/lib/domain/approvals/list-approvals";
import { listAllAuditEvents, listAuditEvents } from "@/lib/domain/audit/list-audit-events";
import { removeAuditEventsOf } from "@/lib/domain/audit/remove-audit-events";
import { listAgentEdits } from "@/lib/domain/builds/agent-edits";
import { findSignedIn } from "@/lib/domain/connections/access-token";
import { beginSignIn } from "@/lib/domain/connections/begin-sign-in";
import { listConnections } from "@/lib/domain/connections/list-connections";
import { listConversations } from "@/lib/domain/conversations/list-conversations";
import { listMessages } from "@/lib/domain/conversations/list-messages";
import { deleteAccount } from "@/lib/domain/deletion/delete-account";
import { getEndUser, listEndUsers } from "@/lib/domain/end-users/end-user-view";
import { readSealed } from "@/lib/domain/execution/run/secret-redactor";
import { listFiles } from "@/lib/domain/files/list-files";
import { listKeys } from "@/lib/domain/keys/key-view";
import { countAttention } from "@/lib/domain/notifications/count-attention";
import { listNotifications } from "@/lib/domain/notifications/list-notifications";
import { type Principal, systemPrincipal } from "@/lib/domain/principal";
import { loadRun } from "@/lib/domain/run-steps";
import { listRuns, type RunFilter } from "@/lib/domain/runs/list-runs";
import { getRun } from "@/lib/domain/runs/run-view";
import { fireSchedules } from "@/lib/domain/schedules/fire-schedules";
import { listFirings } from "@/lib/domain/schedules/list-firings";
import { runSchedule } from "@/lib/domain/schedules/run-schedule";
import { listSecrets } from "@/lib/domain/secrets/list-secrets";
import { sendUnfinishedAgain } from "@/lib/domain/send-unfinished-again";
import { cancelOrphans } from "@/lib/domain/super-agent/cancel-children";
import { sweepOldRows } from "@/lib/domain/sweep-old-rows";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { ExplainingPool, type TableRead } from "@/lib/domain/test/explaining-pool";
import { giveUpDeliveries } from "@/lib/domain/webhooks/give-up-deliveries";
import { listDeliveries } from "@/lib/domain/webhooks/list-deliveries";
import { SUPER_AGENT_KINDS } from "@/lib/model/run/run-status";
import { FIRINGS_MAX } from "@/lib/model/schedule/firing-fields";

// Mail is on for the sweep that sends it again; nothing is sent here.
const settings = { SMTP_URL: "smtp://127.0.0.1:1", MAIL_FROM: "service@example.test" };

// Sixty thousand runs, of which a third is one account's: enough for a plan that reads a whole
// table, or all of an account, to be far from one that does not.
const RUNS = 60_000;
const ACCOUNTS = 1_500;
/**
 * More than the largest batch and page. What grows with the tables reads more: of runs there are
 * 20,000 in one account.
 */
const MOST_ROWS = 1_200;
/** By metadata the newest 2,000 of an account are looked at, and those of others between them. */
const MOST_RUNS = 7_000;
const GROWING = [
  ...[
    "runs",
    "run_logs",
    "run_events",
    "run_turns",
    "run_tool_results",
    "run_usage",
    "ledger_entries",
    "artifacts",
    "approvals",
    "conversations",
    "messages",
  ],
  ...[
    "webhook_deliveries",
    "webhook_attempts",
    "notifications",
    "idempotency_keys",
    "audit_events",
    "workspace_files",
    "schedule_firings",
    "end_users",
    "secrets",
    "mcp_connections",
  ],
];

let database: DomainDatabase;
let pool: ExplainingPool;
let busy: Principal;
let superAgent: Principal;
let ids: {
  agent: string;
  conversation: string;
  run: string;
  workspace: string;
  quiet: string;
  schedule: string;
};

beforeAll(async () => {
  database = await openDomainDatabase({
    env: settings,
    pool: (connectionString) => {
      pool = new ExplainingPool({ connectionString, max: 4 });
      return pool;
    },
  });
  const client = await pool.connect();
  await client.query(
    "SELECT set_config('fill.runs', $1, false), set_config('fill.accounts', $2, false)",
    [String(RUNS), String(ACCOUNTS)],
  );
  await client.query(readFileSync(new URL("../../../bench/fill.sql", import.meta.url), "utf8"));
  client.release();
  const { rows } = await pool.query("SELECT id FROM accounts ORDER BY id LIMIT 3");
  const [first, second, third] = rows.map(({ id }) => id as string);
  busy = { ...systemPrincipal(first ?? ""), isAdmin: true, via: "session" };
  superAgent = { ...systemPrincipal(third ?? ""), superAgentAccess: true };
  const one = await pool.query(
    `SELECT r.agent_id AS agent, r.conversation_id AS conversation, r.id AS run,
       r.account_id AS workspace FROM runs r
     WHERE r.account_id = $1 AND r.agent_id IS NOT NULL AND r.conversation_id IS NOT NULL
       AND r.kind = 'agent' LIMIT 1`,
    [busy.accountId],
  );
  ids = { ...one.rows[0], quiet: second, schedule: await fillSchedules(one.rows[0].agent) };
  await fillPeople();
});
afterAll(async () => {
  await database.close();
});

const PEOPLE = 20_000;

/** People of one account, each with a secret and a sign-in of their own, beside the account's. */
async function fillPeople(): Promise<void> {
  await pool.query(
    `INSERT INTO end_users (id, account_id, end_user)
     SELECT new_id(), $1, 'person-' || n FROM generate_series(1, $2::int) n`,
    [busy.accountId, PEOPLE],
  );
  const each = `FROM (SELECT NULL AS owner UNION ALL SELECT 'person-' || n
                  FROM generate_series(1, $2::int) n) p`;
  await pool.query(
    `INSERT INTO secrets (id, account_id, name, end_user, allowed_hosts, sealed, updated_at)
     SELECT new_id(), $1, 'KEY' || coalesce(E'\n' || owner, ''), owner, '{}', 's1.k.x', now()
     ${each}`,
    [busy.accountId, PEOPLE],
  );
  await pool.query(
    `INSERT INTO mcp_connections (id, account_id, server_url, end_user, scopes, sealed, status)
     SELECT new_id(), $1, 'https://mcp.example.com/' || coalesce(E'\n' || owner, ''), owner, '{}',
       's1.k.x', 'connected'
     ${each}`,
    [busy.accountId, PEOPLE],
  );
  await pool.query("UPDATE runs SET end_user = 'person-7' WHERE id = $1", [ids.run]);
  await pool.query("ANALYZE end_users, secrets, mcp_connections");
}

/** A hundred schedules with as many firings as are kept. @returns one of them */
async function fillSchedules(agentId: string): Promise<string> {
  const { rows } = await pool.query(
    `INSERT INTO schedules (id, account_id, agent_id, cron, timezone, input, enabled, updated_at)
     SELECT new_id(), $1, $2, '0 9 * * *', 'UTC', '{}', false, now() FROM generate_series(1, 100)
     RETURNING id`,
    [busy.accountId, agentId],
  );
  await pool.query(
    `INSERT INTO schedule_firings (id, account_id, schedule_id, at, fired_at, trigger, outcome,
       run_id)
     SELECT new_id(), s.account_id, s.id, now(), now(), 'time', 'started',
       (SELECT id FROM runs WHERE account_id = s.account_id LIMIT 1)
     FROM generate_series(1, $2) CROSS JOIN schedules s WHERE s.account_id = $1 AND NOT s.enabled`,
    [busy.accountId, FIRINGS_MAX],
  );
  await pool.query("ANALYZE schedules, schedule_firings");
  return rows[50].id;
}

const PAGE = { limit: 20, cursor: null };
const AGENT_KINDS = ["agent", "agent_creation", "agent_edit", "app"] as const;
const NO_FILTER: RunFilter = {
  kinds: AGENT_KINDS,
  statuses: null,
  agentId: null,
  conversationId: null,
  createdAfter: null,
  createdBefore: null,
  metadata: {},
};
const runs = (filter: Partial<RunFilter> = {}, page = PAGE) =>
  listRuns(busy, page, { ...NO_FILTER, ...filter });
const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3600 * 1000);

const VERBS: Record<string, () => Promise<unknown>> = {
  "runs, newest": () => runs(),
  "runs, a later page": async () =>
    runs({}, {
      limit: 20,
      cursor: (await runs({ createdBefore: daysAgo(15) })).nextCursor ?? null,
    } as typeof PAGE),
  "runs of one status": () => runs({ statuses: ["completed"] }),
  "runs of a rare status": () => runs({ statuses: ["running"] }),
  "runs of several statuses, none there": () => runs({ statuses: ["pending", "running"] }),
  "runs of an agent": () => runs({ agentId: ids.agent }),
  "runs of an agent, one status": () => runs({ agentId: ids.agent, statuses: ["pending"] }),
  "runs of a conversation": () => runs({ conversationId: ids.conversation }),
  "runs that a run has started": () => runs({ parentRunId: ids.run }),
  "runs created before": () => runs({ createdBefore: daysAgo(25) }),
  "runs created after": () => runs({ createdAfter: daysAgo(1) }),
  "runs created between": () => runs({ createdAfter: daysAgo(20), createdBefore: daysAgo(19.9) }),
  "runs with metadata that many have": () => runs({ metadata: { env: "production" } }),
  "runs with metadata that few have": () => runs({ metadata: { customer: "c_15" } }),
  "runs with metadata that none has": () => runs({ metadata: { customer: "nobody" } }),
  "runs with metadata and a status": () =>
    runs({ metadata: { customer: "c_15" }, statuses: ["failed"] }),
  "runs of the super-agent, none there": () => runs({ kinds: SUPER_AGENT_KINDS }),
  "runs of the super-agent": () =>
    listRuns(superAgent, PAGE, { ...NO_FILTER, kinds: SUPER_AGENT_KINDS }),
  "an app's runs": () => runs({ kinds: ["app"], agentId: ids.agent }),
  "edits of an agent": () => listAgentEdits(busy, ids.agent, PAGE),
  "versions of an agent": () => listAgentVersions(busy, ids.agent, PAGE),
  "one run": () => getRun(busy, ids.run),
  "a run with all that its next step needs": () => loadRun(ids.run),
  "agents, searched": () =>
    listAgents(busy, { ...PAGE, status: "active", search: "nothing is called so" }),
  conversations: () => listConversations(busy, PAGE, null),
  "conversations of a rare family": () =>
    listConversations({ ...busy, superAgentAccess: true }, PAGE, "super_agent"),
  messages: () => listMessages(ids.conversation, PAGE),
  approvals: () => listApprovals(busy, { ...PAGE, statuses: null, runId: null }),
  "approvals that wait": () => listApprovals(busy, { ...PAGE, statuses: ["pending"], runId: null }),
  "approvals that expired": () =>
    listApprovals(busy, { ...PAGE, statuses: ["expired"], runId: null }),
  "approvals of several states": () =>
    listApprovals(busy, { ...PAGE, statuses: ["approved", "rejected"], runId: null }),
  "approvals of a run": () => listApprovals(busy, { ...PAGE, statuses: null, runId: ids.run }),
  deliveries: () => listDeliveries(busy, PAGE, { runId: null, endpointId: null, status: null }),
  "deliveries, none pending": () =>
    listDeliveries(busy, PAGE, { runId: null, endpointId: null, status: "pending" }),
  "deliveries that failed": () =>
    listDeliveries(busy, PAGE, { runId: null, endpointId: null, status: "failed" }),
  "deliveries of a run": () =>
    listDeliveries(busy, PAGE, { runId: ids.run, endpointId: null, status: null }),
  notifications: () => listNotifications(busy, PAGE),
  attention: () => countAttention(busy),
  keys: () => listKeys(busy, PAGE),
  "end users": () => listEndUsers(busy, PAGE),
  "end users whose name few begin with": () => listEndUsers(busy, PAGE, "person-1999"),
  "end users whose name none begins with": () => listEndUsers(busy, PAGE, "nobody"),
  "an end user": () => getEndUser(busy, "person-7"),
  "secrets of an account with many people": () => listSecrets(busy, PAGE),
  "secrets of a person": () => listSecrets(busy, PAGE, "person-7"),
  "connections of an account with many people": () => listConnections(busy, PAGE),
  "connections of a person": () => listConnections(busy, PAGE, "person-7"),
  "what must not be seen of a person's run": () => readSealed(ids.run, busy.accountId),
  "where a person is signed in": () =>
    findSignedIn({ accountId: busy.accountId, endUser: "person-7" }, ["https://mcp.example.com/"]),
  "how a server knows this service, of people by whom nobody is signed in there": () =>
    beginSignIn(busy, {
      ...{ serverUrl: "http://127.0.0.1:1/mcp", endUser: "nobody", client: null, scopes: null },
    }).catch(() => undefined),
  "usage of a person": () =>
    groupUsage(busy, {
      groupBy: USAGE_GROUPS,
      ...lastDays(),
      endUser: "person-7",
    }),
  files: () => listFiles(busy, ids.workspace, { ...PAGE, prefix: "" }),
  "files under a prefix": () =>
    listFiles(busy, ids.workspace, { ...PAGE, prefix: "folder-12/file-1" }),
  "files under a prefix that none has": () =>
    listFiles(busy, ids.workspace, { ...PAGE, prefix: "nowhere/" }),
  "audit events": () =>
    listAuditEvents(busy, PAGE, { action: null, after: daysAgo(20), before: daysAgo(10) }),
  "audit events of all": () =>
    listAllAuditEvents(busy, PAGE, {
      action: "account.deleted",
      after: null,
      before: null,
      accountId: null,
    }),
  "accounts, searched": () => listAccounts(busy, PAGE, "nobody-is-called-so"),
  "accounts, searched by what many have": () => listAccounts(busy, PAGE, "example.test"),
  "what an Inngest server has lost": () => sendUnfinishedAgain("forgotten", 25),
  "what has stalled at an Inngest server": () => sendUnfinishedAgain("stalled", 25),
  "orphans of super-agents": () => cancelOrphans(),
  "deliveries to give up": () => giveUpDeliveries(),
  "schedules that are due": () => fireSchedules(),
  "firings of a schedule": () => listFirings(busy, ids.agent, ids.schedule, PAGE),
  "a schedule fired by hand": () =>
    runSchedule({ ...busy, superAgentAccess: true }, ids.agent, ids.schedule),
  "what has served its time": () => sweepOldRows(),
  "audit events of an account": () => removeAuditEventsOf(ids.quiet),
};

test.each(Object.entries(VERBS))(
  "%s: no statement reads more with every run that there ever was",
  async (_, verb) => {
    await verb();
    const reads = await pool.watch(verb);
    expect(reads).not.toEqual([]);
    expect(reads.filter(isWhole)).toEqual([]);
  },
);

test("a plan that reads all of an account is seen", async () => {
  const reads = await pool.watch(() =>
    pool.query("SELECT count(*) FROM runs WHERE account_id = $1 AND status <> 'no'", [
      busy.accountId,
    ]),
  );
  expect(reads.filter(isWhole)).toMatchObject([{ table: "runs" }]);
});

test("usage reads the calls of an hour or two, and the sums of those before", async () => {
  for (let hour = 0; hour < 30; hour++) await rollUpUsage();
  const read = await pool.watch(() => getAccountUsage(busy));
  expect(read.filter(({ table }) => table === "usage_hours")).not.toEqual([]);
  expect(read.filter(isWhole)).toEqual([]);
});

test("usage of a day reads that day's calls", async () => {
  const day = daysAgo(10).toISOString().slice(0, 10);
  const { rows } = await pool.query<{ calls: number }>(
    `SELECT count(*)::int AS calls FROM run_usage WHERE account_id = $1
       AND (created_at AT TIME ZONE 'UTC')::date = $2::date`,
    [busy.accountId, day],
  );
  const calls = rows[0]?.calls ?? 0;
  expect(calls).toBeGreaterThan(0);
  const read = await pool.watch(() =>
    groupUsage(busy, { groupBy: USAGE_GROUPS, from: day, to: day, endUser: null }),
  );
  expect(read.filter(({ table }) => table === "run_usage")).not.toEqual([]);
  expect(read.filter(({ table, rows }) => table === "run_usage" && rows > calls)).toEqual([]);
});

test("adding up an hour's calls reads no others", async () => {
  await pool.query("UPDATE usage_rollups SET until = until - interval '1 hour'");
  await pool.query("TRUNCATE usage_hours, usage_days");
  const read = await pool.watch(() => rollUpUsage());
  expect(read.filter(({ table, rows }) => table === "run_usage" && rows === 0)).toEqual([]);
  expect(read.filter(({ table }) => table === "run_usage")).not.toEqual([]);
});

test("the deletion of an account reads its own rows, and nobody else's", async () => {
  await pool.query("UPDATE accounts SET deleting_at = now() WHERE id = $1", [ids.quiet]);
  const read = await pool.watch(() => deleteAccount(ids.quiet));
  expect(read.filter(isWhole)).toEqual([]);
});

/**
 * Of what caps bound (agents, keys, schedules) and of users a small table may be read as a whole.
 */
function isWhole({ table, rows }: TableRead): boolean {
  return GROWING.includes(table) && rows > (table === "runs" ? MOST_RUNS : MOST_ROWS);
}
