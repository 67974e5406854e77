import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { readRunActions } from "@/lib/domain/execution/trace/read-run-actions";
import type { Principal } from "@/lib/domain/principal";
import { callTool, runTurn } from "@/lib/domain/run-steps";
import { getRun } from "@/lib/domain/runs/run-view";
import { settleRun } from "@/lib/domain/runs/settle-run";
import {
  type DomainDatabase,
  injectModel,
  openDomainDatabase,
} from "@/lib/domain/test/domain-database";
import { newAgent } from "@/lib/domain/test/new-agent";
import { startTestRun } from "@/lib/domain/test/start-test-run";
import { openRunLog } from "@/lib/engine/events/run-log-writer";
import { ACTIONS_MAX } from "@/lib/model/run/run-action";
import { postgres } from "@/lib/platform/postgres";
import { type ScriptedTurn, scriptedModel } from "@/lib/runtime/test/scripted-model";

const settings = {
  OPENAI_COMPATIBLE_BASE_URL: "http://127.0.0.1:9/v1",
  OPENAI_COMPATIBLE_MODELS: "scripted",
  DEFAULT_MODEL: "compatible/scripted",
  ENCRYPTION_KEYS: JSON.stringify([{ id: "k1", key: Buffer.alloc(32, 1).toString("base64") }]),
  LOG_LEVEL: "silent",
};

let database: DomainDatabase;
let owner: Principal;
let turns: ScriptedTurn[];

beforeAll(async () => {
  database = await openDomainDatabase({ env: settings });
  injectModel(
    scriptedModel("compatible/scripted", () => turns.shift() ?? { text: "Nothing more." }),
  );
});
beforeEach(async () => {
  owner = await database.account();
});
afterAll(() => database.close());

const PAYER = `write_autonomy: full_auto
config:
  version: 1
  tools:
    http:
      - name: pay
        method: POST
        url: https://pay.invalid/orders/{order}?key=k1
        input_schema: { type: object, properties: { order: { type: string } } }
`;

/** A run of one turn that calls all of these, none of them made yet. */
async function asked(calls: { name: string; input: unknown }[]) {
  turns = [{ calls }, { text: "All is paid." }];
  const agent = await newAgent(owner, PAYER);
  const { id } = await startTestRun(owner, { agentId: agent.id });
  const next = await runTurn(id, 0);
  if (next.done) throw new Error("It asked for nothing.");
  return { id, calls: next.calls.map(({ toolCallId }) => toolCallId) };
}

const todo = { name: "todo", input: { items: [{ text: "Look", done: false }] } };
const pay = { name: "pay", input: { order: "7" } };

async function fail(runId: string): Promise<void> {
  const writer = await openRunLog(runId);
  const error = { code: "ENGINE_LOST", message: "It died twice." } as const;
  await settleRun(runId, { status: "failed", error }, writer);
  await writer?.close();
}

async function actionsOf(runId: string) {
  return readRunActions(await getRun(owner, runId));
}

test("an unanswered call is unknown, whatever the others, and says where it went", async () => {
  const { id, calls } = await asked([todo, pay]);
  await callTool(id, 0, calls[0] ?? "");
  expect(await actionsOf(id)).toBeNull();
  await fail(id);
  expect(await actionsOf(id)).toMatchObject({
    isTruncated: false,
    actions: [
      { id: calls[0], tool: "todo", kind: "write", status: "succeeded" },
      {
        ...{ id: calls[1], tool: "pay", kind: "write", status: "unknown" },
        ...{ target: "pay.invalid/orders/7", approvalId: null, artifactIds: [] },
      },
    ],
  });
});

test("of a run at work nothing is read, of one that has ended one statement", async () => {
  const { id, calls } = await asked([todo]);
  const atWork = await getRun(owner, id);
  const asks = vi.spyOn(postgres(), "query");
  await readRunActions(atWork);
  expect(asks).not.toHaveBeenCalled();
  asks.mockRestore();
  await callTool(id, 0, calls[0] ?? "");
  while (!(await runTurn(id, 1)).done);
  const ended = await getRun(owner, id);
  const again = vi.spyOn(postgres(), "query");
  expect((await readRunActions(ended))?.actions).toHaveLength(1);
  // The process has statements of its own, of which one may fall in here.
  const read = again.mock.calls.map(([statement]) => JSON.stringify(statement));
  expect(read.filter((text) => /run_turns|run_tool_results|secrets/.test(text))).toHaveLength(1);
  again.mockRestore();
});

test("calls that a process of an older version has stored are told too", async () => {
  const { id, calls } = await asked([pay]);
  await postgres().query(
    `INSERT INTO run_tool_results (run_id, tool_call_id, turn, name, succeeded, output)
     VALUES ($1, $2, 0, 'pay', true, '{}')`,
    [id, calls[0]],
  );
  await fail(id);
  expect((await actionsOf(id))?.actions).toMatchObject([
    { tool: "pay", kind: "write", target: "pay.invalid/orders/7", status: "succeeded" },
  ]);
});

test("a call of a tool that there is not has failed, as one that would have written", async () => {
  const { id, calls } = await asked([{ name: "send_rocket", input: {} }]);
  await callTool(id, 0, calls[0] ?? "");
  await fail(id);
  expect((await actionsOf(id))?.actions).toMatchObject([
    { tool: "send_rocket", kind: "write", status: "failed" },
  ]);
});

test("of many calls the newest are told, in their order", async () => {
  const { id: runId } = await startTestRun(owner);
  await postgres().query(
    `INSERT INTO run_tool_results (run_id, tool_call_id, turn, name, succeeded, output, action)
     SELECT $1, 'c' || n, n, 'todo', true, '{}', '{"kind":"write","target":"todo"}'
     FROM generate_series(1, $2::int) n`,
    [runId, ACTIONS_MAX + 5],
  );
  await fail(runId);
  const told = await actionsOf(runId);
  expect(told?.isTruncated).toBe(true);
  expect(told?.actions.map((action) => action.id)).toEqual(
    Array.from({ length: ACTIONS_MAX }, (_, index) => `c${index + 6}`),
  );
});
