import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { insertAgent } from "@/lib/domain/agents/insert-agent";
import { requestErasure } from "@/lib/domain/deletion/request-erasure";
import { getEndUser } from "@/lib/domain/end-users/end-user-view";
import { createEndpoint } from "@/lib/domain/events/endpoints";
import type { Principal } from "@/lib/domain/principal";
import { type RunInput, requestRun } from "@/lib/domain/runs/request-run";
import { getRun, type RunView } from "@/lib/domain/runs/run-view";
import { openDomainDatabase } from "@/lib/domain/test/domain-database";
import { startEmbeddedExecutor } from "@/lib/engine/embedded/start-embedded-executor";
import { functions } from "@/lib/jobs/functions";
import { startScriptedModel } from "@/lib/jobs/test/scripted-model";
import { isTerminal } from "@/lib/model/run/run-status";
import { newId } from "@/lib/platform/ids";
import { postgres, transaction } from "@/lib/platform/postgres";

const PERSON = "zqx-planted-9c1d";
const model = await startScriptedModel();
const database = await openDomainDatabase({
  env: {
    OPENAI_COMPATIBLE_BASE_URL: model.baseUrl,
    OPENAI_COMPATIBLE_MODELS: "scripted",
    LOG_LEVEL: "error",
    ENCRYPTION_KEYS: JSON.stringify([{ id: "k1", key: Buffer.alloc(32, 7).toString("base64") }]),
  },
});
let executor: Awaited<ReturnType<typeof startEmbeddedExecutor>>;
let owner: Principal;

beforeAll(async () => {
  owner = await database.account();
  executor = await startEmbeddedExecutor({ functions, pool: postgres(), concurrency: 10 });
});
afterAll(async () => {
  await executor.stop({ graceMs: 1_000 });
  await model.close();
  await database.close();
});

async function agent(): Promise<string> {
  const agentId = newId();
  const tools = {
    builtin: ["artifacts" as const],
    memory: true,
    client: [{ name: "find_order", description: "Finds.", input_schema: { type: "object" } }],
  };
  await transaction((tx) =>
    insertAgent(
      tx,
      { agentId, accountId: owner.accountId, runId: newId(), version: "1.0.0", releaseNote: null },
      {
        name: "A",
        description: null,
        skillContent: "# A",
        config: { version: 1 as const, tools },
        configContent: "version: 1\n",
        keyOrder: null,
        dashboardTemplate: null,
        writeAutonomy: "full_auto" as const,
      },
    ),
  );
  return agentId;
}

async function start(said: Partial<RunInput>, key?: string): Promise<RunView> {
  const run = await requestRun(
    owner,
    "agent",
    { input: { text: `I am ${PERSON}.` }, endUser: PERSON, ...said },
    key === undefined
      ? undefined
      : { route: "r", key, requestHash: "h", answer: () => ({ status: 202, body: PERSON }) },
  );
  if ("replayed" in run) throw new Error("it was started before");
  return run;
}

const until = async <T>(read: () => Promise<T | null | false>): Promise<T> =>
  vi.waitUntil(read, { timeout: 30_000, interval: 50 }) as Promise<T>;

test("a person with runs, one waiting too, is erased from the engine's own tables", async () => {
  const agentId = await agent();
  await createEndpoint(owner, {
    url: "https://example.com/hook",
    events: ["*"],
    description: null,
    enabled: true,
  });
  model.play([
    {
      calls: [{ id: "c1", name: "memory", args: { action: "save", text: `${PERSON} likes tea.` } }],
    },
    { text: `Noted, ${PERSON}.` },
  ]);
  const first = await start({ agentId, shouldNotify: true, metadata: { topic: PERSON } }, "k");
  await until(async () => isTerminal((await getRun(owner, first.id)).status));
  expect((await getRun(owner, first.id)).result?.text).toContain(PERSON);
  model.play([{ calls: [{ id: "c2", name: "find_order", args: { of: PERSON } }] }]);
  const second = await start({ agentId, conversationId: first.conversationId });
  await until(async () => (await getRun(owner, second.id)).requiresAction);

  expect((await tablesWith(PERSON)).length).toBeGreaterThan(8);
  await requestErasure(owner, PERSON);
  const receipt = await until(() =>
    getEndUser(owner, PERSON).then(
      () => false,
      (error: { code: string; extras: { deleted: object } }) => error,
    ),
  );
  expect(receipt).toMatchObject({
    code: "END_USER_ERASED",
    extras: { deleted: { runs: 2, conversations: 1, memories: 1, traces: 2 } },
  });
  expect(await tablesWith(PERSON)).toEqual([]);
});

async function tablesWith(name: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ table: string }>(
    `SELECT table_name AS table FROM information_schema.tables WHERE table_schema = 'public'
       AND table_type = 'BASE TABLE'`,
  );
  const found: string[] = [];
  for (const { table } of rows) {
    const { rowCount } = await database.pool.query(
      `SELECT 1 FROM ${pg.escapeIdentifier(table)} t WHERE strpos(t::text, $1) > 0 LIMIT 1`,
      [name],
    );
    if (rowCount) found.push(table);
  }
  return found;
}
