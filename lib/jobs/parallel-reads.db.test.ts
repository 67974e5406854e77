import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Principal } from "@/lib/domain/principal";
import { requestRun } from "@/lib/domain/runs/request-run";
import { getRun } from "@/lib/domain/runs/run-view";
import {
  type DomainDatabase,
  injectModel,
  openDomainDatabase,
} from "@/lib/domain/test/domain-database";
import { insertTestAgent } from "@/lib/domain/test/insert-test-agent";
import {
  type EmbeddedExecutor,
  startEmbeddedExecutor,
} from "@/lib/engine/embedded/start-embedded-executor";
import { followRunLog } from "@/lib/engine/events/follow-run-log";
import { executeRun } from "@/lib/jobs/execute-run";
import { scriptedModel } from "@/lib/runtime/test/scripted-model";

const MODEL = "builtin/offline";

let port: number;
let database: DomainDatabase;
let executor: EmbeddedExecutor;
let owner: Principal;
const arrived: string[] = [];
let answers: (() => void)[] = [];

/** Answers a read when three of them are there, and a write at once. */
const server = createServer((request, response) => {
  arrived.push(`${request.method} ${request.url}`);
  const answer = () =>
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ at: request.url }));
  if (request.method !== "GET") return answer();
  answers.push(answer);
  if (answers.length < 3) return;
  for (const each of answers.toReversed()) each();
  answers = [];
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port; // listens on TCP
  database = await openDomainDatabase({ env: { EGRESS_ALLOW: `127.0.0.1:${port}` } });
  const look = (at: string) => ({ name: "look", input: { at } });
  injectModel(
    scriptedModel(MODEL, ({ call }) =>
      call === 0
        ? { calls: [look("a"), look("b"), look("c"), { name: "note", input: {} }] }
        : { text: "Looked everywhere." },
    ),
  );
  executor = await startEmbeddedExecutor({
    functions: [executeRun],
    pool: database.pool,
    concurrency: 5,
  });
  owner = await database.account();
});
afterAll(async () => {
  await executor.stop({ graceMs: 1_000 });
  await database.close();
  server.closeAllConnections();
  server.close();
});

test("a turn's reads are made side by side, each once; writes come after", async () => {
  const url = `http://127.0.0.1:${port}`;
  const input_schema = { type: "object", properties: { at: { type: "string" } } };
  const http = [
    {
      name: "look",
      method: "GET" as const,
      url: `${url}/{at}`,
      input_schema: { ...input_schema, required: ["at"] },
    },
    { name: "note", method: "POST" as const, url: `${url}/note`, input_schema },
  ];
  const agent = await insertTestAgent(owner, { config: { tools: { builtin: [], http } } });
  const started = await requestRun(owner, "agent", {
    ...{ agentId: agent.id, input: {}, conversationId: null, workspaceId: null, webhookUrl: null },
    ...{ shouldNotify: false, model: MODEL, metadata: {}, maxCreditsMicros: null },
  });
  if ("replayed" in started) throw new Error("there is no key to replay");
  for await (const _ of followRunLog(started.id, {
    after: -1,
    signal: AbortSignal.timeout(20_000),
  }));
  expect(await getRun(owner, started.id)).toMatchObject({
    status: "completed",
    result: { text: "Looked everywhere." },
  });
  expect(arrived.slice(0, 3).sort()).toEqual(["GET /a", "GET /b", "GET /c"]);
  expect(arrived.slice(3)).toEqual(["POST /note"]);
  const { rows } = await database.pool.query(
    `SELECT name, succeeded, count(*)::int AS stored FROM run_tool_results WHERE run_id = $1
     GROUP BY 1, 2 ORDER BY 1`,
    [started.id],
  );
  expect(rows).toEqual([
    { name: "look", succeeded: true, stored: 3 },
    { name: "note", succeeded: true, stored: 1 },
  ]);
});
