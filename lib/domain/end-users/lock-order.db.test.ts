import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startOauthMcpServer } from "@/e2e/support/oauth-mcp-server";
import { beginSignIn } from "@/lib/domain/connections/begin-sign-in";
import { requestErasure } from "@/lib/domain/deletion/request-erasure";
import { setEndUserLimits } from "@/lib/domain/end-users/set-end-user-limits";
import type { Principal } from "@/lib/domain/principal";
import { createSchedule } from "@/lib/domain/schedules/create-schedule";
import { updateSchedule } from "@/lib/domain/schedules/update-schedule";
import { createSecret } from "@/lib/domain/secrets/create-secret";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { newAgent } from "@/lib/domain/test/new-agent";

// A build for a person takes the account's hourly write and then the person's row
// (`accept_run`). Whatever takes both takes them in that order.

const ADA = "ada";
let database: DomainDatabase;
let server: Awaited<ReturnType<typeof startOauthMcpServer>>;
let owner: Principal;
let agentId: string;
let scheduleId: string;

beforeAll(async () => {
  server = await startOauthMcpServer();
  database = await openDomainDatabase({
    env: {
      EGRESS_ALLOW: server.host,
      ENCRYPTION_KEYS: JSON.stringify([{ id: "k1", key: Buffer.alloc(32, 7).toString("base64") }]),
    },
  });
});
beforeEach(async () => {
  owner = await database.account({ writePerHour: 100 });
  agentId = (await newAgent(owner)).id;
  await setEndUserLimits(owner, ADA, { maxCreditsPerDay: 100 });
  scheduleId = (await createSchedule(owner, agentId, SCHEDULE)).id;
});
afterAll(async () => {
  await database.close();
  await server.stop();
});

const SCHEDULE = { cron: "0 6 * * *", timezone: "UTC", input: { text: "go" } };

const DEEDS: [name: string, deed: () => Promise<unknown>][] = [
  [
    "a secret of theirs",
    () =>
      createSecret(owner, {
        ...{ name: "KEY", endUser: ADA, value: "v", description: null },
        allowedHosts: ["example.com"],
      }),
  ],
  [
    "a sign-in of theirs",
    () =>
      beginSignIn(owner, {
        ...{ serverUrl: server.serverUrl, endUser: ADA, returnUrl: null },
        ...{ client: null, scopes: null },
      }),
  ],
  ["their limits", () => setEndUserLimits(owner, ADA, { maxCreditsPerDay: 7 })],
  ["a schedule of theirs", () => createSchedule(owner, agentId, { ...SCHEDULE, endUser: ADA })],
  [
    "a change of a schedule of theirs",
    () => updateSchedule(owner, agentId, scheduleId, { endUser: ADA }),
  ],
  ["their erasure", () => requestErasure(owner, ADA)],
];

test.each(DEEDS)(
  "%s and the acceptance of a build for them do not wait for each other",
  async (_, deed) => {
    const accepting = new pg.Client(database.pool.options);
    await accepting.connect();
    try {
      await accepting.query("BEGIN");
      await accepting.query("SELECT take_hourly_write($1)", [owner.accountId]);
      const { rows } = await accepting.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
      const done = deed();
      done.catch(() => {}); // looked at below
      await expect
        .poll(
          async () =>
            (
              await database.pool.query(
                "SELECT 1 FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))",
                [rows[0]?.pid],
              )
            ).rowCount,
          { interval: 10 },
        )
        .toBe(1);
      await accepting.query("SELECT admit_end_user($1, $2, 1, false)", [owner.accountId, ADA]);
      await accepting.query("COMMIT");
      await done;
    } finally {
      await accepting.end();
    }
  },
);
