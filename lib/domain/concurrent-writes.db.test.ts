import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { lockAgent } from "@/lib/domain/agents/agent-store";
import { storeBytes } from "@/lib/domain/blobs/stored-bytes";
import { chargeRun } from "@/lib/domain/credits/ledger";
import { commitFile } from "@/lib/domain/files/save-file";
import type { Principal } from "@/lib/domain/principal";
import { createSchedule } from "@/lib/domain/schedules/create-schedule";
import { deleteSchedule } from "@/lib/domain/schedules/delete-schedule";
import { updateSchedule } from "@/lib/domain/schedules/update-schedule";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { insertTestAgent } from "@/lib/domain/test/insert-test-agent";
import { assignAgent } from "@/lib/domain/workspaces/assign-agent";
import { createWorkspace } from "@/lib/domain/workspaces/create-workspace";
import { deleteWorkspace } from "@/lib/domain/workspaces/delete-workspace";
import { ServiceError } from "@/lib/model/errors";
import { newId } from "@/lib/platform/ids";
import { transaction } from "@/lib/platform/postgres";

let database: DomainDatabase;
let owner: Principal;
const ROUNDS = 30;

beforeAll(async () => {
  database = await openDomainDatabase();
  // Who waits for a lock that nobody gives back fails, and does not hang.
  database.pool.on("connect", (client) => void client.query("SET lock_timeout = '3s'"));
  await database.pool.query("SET lock_timeout = '3s'");
  owner = await database.account();
});
afterAll(() => database.close());

/**
 * Runs verbs side by side and gives what they failed with, but for refusals that a caller may see.
 */
async function faultsOf(work: Promise<unknown>[]): Promise<unknown[]> {
  const ended = await Promise.allSettled(work);
  return ended.flatMap((end) =>
    end.status === "rejected" && !(end.reason instanceof ServiceError) ? [String(end.reason)] : [],
  );
}

/** Until so many statements wait for a lock. */
function waiting(count: number): Promise<unknown> {
  return vi.waitUntil(
    async () => {
      const waits = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
           AND wait_event_type = 'Lock'`;
      return (await database.pool.query(waits)).rowCount === count;
    },
    { timeout: 60_000, interval: 10 },
  );
}

test("a wallet is charged while something is stored: neither waits for the other", async () => {
  const charge = {
    runId: newId(),
    accountId: owner.accountId,
    agentId: null,
    stepKey: "1",
    model: "test/m",
    capability: "chat" as const,
  };
  await database.pool.query(
    "INSERT INTO credit_holds (run_id, account_id, amount_micros) VALUES ($1, $2, 1)",
    [charge.runId, owner.accountId],
  );
  await transaction(async (storing) => {
    await storing.query(
      "INSERT INTO workspaces (id, account_id, name, updated_at) VALUES ($1, $2, 'x', now())",
      [newId(), owner.accountId],
    );
    const whole = {
      ...charge,
      inputTokens: 1,
      outputTokens: 1,
      cachedInputTokens: 0,
      units: 0,
      micros: 5n,
      keepMicros: 0n,
      maxMicros: null,
      rootId: null,
    };
    expect(await transaction((tx) => chargeRun(tx, whole))).toBe(5n);
  });
});

test("an agent is added to a workspace while changed: neither waits for the other", async () => {
  const workspace = await createWorkspace(owner, { name: "Shared", description: null });
  const agent = await insertTestAgent(owner);
  await transaction(async (changing) => {
    await lockAgent(changing, owner, agent.id);
    await assignAgent(owner, workspace.id, agent.id);
  });
});

test("an agent that is added while its workspace is deleted finds no workspace", async () => {
  const agent = await insertTestAgent(owner);
  for (let round = 0; round < ROUNDS; round += 1) {
    const { id } = await createWorkspace(owner, { name: "Short-lived", description: null });
    expect(
      await faultsOf([
        assignAgent(owner, id, agent.id),
        deleteWorkspace(owner, id),
        deleteWorkspace(owner, id),
      ]),
    ).toEqual([]);
  }
});

test("a file written while its workspace is deleted uses no space of the account", async () => {
  const account = await database.account();
  const { id } = await createWorkspace(account, { name: "Short-lived", description: null });
  const stored = await storeBytes(account.accountId, Readable.from([Buffer.from("text")]));
  const file = { path: "a.txt", contentType: null, stored, countsAsWrite: false };
  const both = await transaction(async (tx) => {
    await tx.query("SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE", [account.accountId]);
    const writing = commitFile(account, id, file);
    await waiting(1);
    const deleting = deleteWorkspace(account, id);
    await waiting(2);
    return [writing, deleting];
  });
  expect(await faultsOf(both)).toEqual([]);
  const { rows } = await database.pool.query(
    "SELECT files_bytes::int AS bytes FROM accounts WHERE id = $1",
    [account.accountId],
  );
  expect(rows).toEqual([{ bytes: 0 }]);
});

test("a schedule changed and deleted at once is deleted, without a deadlock", async () => {
  const agent = await insertTestAgent(owner);
  const draft = { cron: "0 9 1 1 *", timezone: "UTC", input: {}, enabled: true };
  for (let round = 0; round < ROUNDS; round += 1) {
    const { id } = await createSchedule(owner, agent.id, draft);
    const change = () => updateSchedule(owner, agent.id, id, { enabled: false });
    expect(await faultsOf([change(), deleteSchedule(owner, agent.id, id), change()])).toEqual([]);
  }
  expect(
    (await database.pool.query("SELECT 1 FROM schedules WHERE agent_id = $1", [agent.id])).rowCount,
  ).toBe(0);
});
