import { afterAll, beforeAll, expect, test } from "vitest";
import type { Principal } from "@/lib/domain/principal";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { insertTestAgent } from "@/lib/domain/test/insert-test-agent";
import { factsOf, isBuild, RUN_KINDS, type RunKind } from "@/lib/model/run/run-status";
import { newId } from "@/lib/platform/ids";

let database: DomainDatabase;
let owner: Principal;

beforeAll(async () => {
  database = await openDomainDatabase();
  owner = await database.account();
});
afterAll(() => database?.close());

async function beginsPrivate(run: object): Promise<boolean> {
  const { rows } = await database.pool.query<{ is: boolean }>(
    "SELECT begins_private(jsonb_populate_record(NULL::runs, $1)) AS is",
    [JSON.stringify(run)],
  );
  return rows[0]?.is === true;
}

test.each(RUN_KINDS)(
  "the database bounds a run of the kind %s by its agent's limit, unless it builds that agent",
  async (kind: RunKind) => {
    const agent = await insertTestAgent(owner, {
      config: { version: 1, limits: { max_credits: 7 } },
    });
    const runId = newId();
    await database.pool.query(
      `INSERT INTO runs (id, account_id, agent_id, kind, status, input, model)
       VALUES ($1, $2, $3, $4, 'pending', '{}', 'm')`,
      [runId, owner.accountId, agent.id, kind],
    );
    const { rows } = await database.pool.query<{ most: string | null }>(
      "SELECT most FROM runs_above($1, $2)",
      [runId, owner.accountId],
    );
    expect(rows).toEqual([{ most: isBuild(kind) ? null : "7000000" }]);
  },
);

test.each(RUN_KINDS)(
  "the database takes a run of the kind %s for private as its facts have it",
  async (kind: RunKind) => {
    const run = { id: newId(), account_id: owner.accountId, kind };
    expect(await beginsPrivate(run)).toBe(factsOf(kind).onAppPath === true);
    expect(await beginsPrivate({ ...run, workspace_id: newId() })).toBe(!isBuild(kind));
  },
);
