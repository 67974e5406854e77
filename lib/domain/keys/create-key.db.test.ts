import { afterAll, beforeAll, expect, test } from "vitest";
import { archiveAgent } from "@/lib/domain/agents/archive-agent";
import { createKey } from "@/lib/domain/keys/create-key";
import type { Principal } from "@/lib/domain/principal";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { insertTestAgent } from "@/lib/domain/test/insert-test-agent";

let database: DomainDatabase;
let owner: Principal;

beforeAll(async () => {
  database = await openDomainDatabase();
  owner = await database.account();
});
afterAll(() => database.close());

const newKey = (agentId: string) => ({ name: "App", agentId, expiresAt: null });

test("a key asked for while its agent is being archived waits, and is refused", async () => {
  const agent = await insertTestAgent(owner);
  const archiver = await database.pool.connect();
  await archiver.query("BEGIN");
  await archiver.query("UPDATE agents SET status = 'archived' WHERE id = $1", [agent.id]);
  const asked = createKey(owner, newKey(agent.id)).catch((error: unknown) => error);
  await expect
    .poll(
      async () => (await database.pool.query("SELECT 1 FROM pg_locks WHERE NOT granted")).rowCount,
    )
    .toBe(1);
  await archiver.query("COMMIT");
  archiver.release();
  expect(await asked).toMatchObject({ code: "CONFLICT" });
});

test("however creation and archiving meet, an archived agent has no living key", async () => {
  const agents = await Promise.all(Array.from({ length: 15 }, () => insertTestAgent(owner)));
  const made = await Promise.allSettled(
    agents.flatMap(({ id }) => [
      createKey(owner, newKey(id)),
      archiveAgent(owner, id),
      createKey(owner, newKey(id)),
    ]),
  );
  const failed = made.flatMap((each) => (each.status === "rejected" ? [each.reason.code] : []));
  expect(new Set([...failed, "CONFLICT"])).toEqual(new Set(["CONFLICT"]));
  const ids = agents.map(({ id }) => id);
  const { rows } = await database.pool.query(
    "SELECT 1 FROM api_keys WHERE agent_id = ANY($1) AND revoked_at IS NULL",
    [ids],
  );
  expect(rows).toEqual([]);
});
