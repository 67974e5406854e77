import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { updateAgent } from "@/lib/domain/agents/update-agent";
import { getApproval } from "@/lib/domain/approvals/approval-view";
import { readRunActions } from "@/lib/domain/execution/trace/read-run-actions";
import type { Principal } from "@/lib/domain/principal";
import { callTool, requestApproval, runTurn } from "@/lib/domain/run-steps";
import { getRun } from "@/lib/domain/runs/run-view";
import {
  type DomainDatabase,
  injectModel,
  openDomainDatabase,
} from "@/lib/domain/test/domain-database";
import { newAgent } from "@/lib/domain/test/new-agent";
import { startTestRun } from "@/lib/domain/test/start-test-run";
import { startTarget } from "@/lib/jobs/test/start-target";
import { type ScriptedTurn, type SeenTurn, scriptedModel } from "@/lib/runtime/test/scripted-model";

// An agent with more connectors than go with each call of its model: it finds them, and calls them
// by a tool that calls others.

const MODEL = "openai/gpt-5.1";
const target = await startTarget();
let database: DomainDatabase;
let owner: Principal;
let seen: SeenTurn[];
let script: ScriptedTurn[];

beforeAll(async () => {
  database = await openDomainDatabase({
    env: {
      ...{ OPENAI_API_KEY: "k", DEFAULT_MODEL: MODEL, LOG_LEVEL: "silent" },
      EGRESS_ALLOW: target.host,
    },
  });
  injectModel(
    scriptedModel(MODEL, (shown) => {
      seen.push(shown);
      return script.shift() ?? { text: "Done." };
    }),
  );
});
beforeEach(async () => {
  [seen, script] = [[], []];
  target.received.length = 0;
  target.answer = { status: 200, body: '{"state":"sent"}' };
  owner = await database.account();
});
afterAll(async () => {
  await database.close();
  await target.close();
});

const schema = { type: "object", properties: { id: { type: "string" } }, required: ["id"] };
const http = (name: string, method: "GET" | "POST") => ({
  ...{ name, method, description: `Reads one ${name.replace("_", " ")}.`, input_schema: schema },
  url: `http://${target.host}/${name}/{id}`,
});
const client = (at: number) => ({
  ...{ name: `client_${at}`, description: "Of the caller.", input_schema: { type: "object" } },
});

async function start(): Promise<string> {
  const agent = await newAgent(owner);
  const names = Array.from({ length: 48 }, (_, at) => http(`shop_${at}`, "GET"));
  await updateAgent(owner, agent.id, {
    writeAutonomy: "approval_required",
    config: {
      version: 1,
      tools: {
        builtin: ["todo"],
        http: [...names, http("get_order", "GET"), http("send_order", "POST")],
        client: Array.from({ length: 40 }, (_, at) => client(at)),
      },
    },
  });
  return (await startTestRun(owner, { agentId: agent.id })).id;
}

test("a model finds a connector and calls it as its own, in all but its prompt", async () => {
  const id = await start();
  script = [
    { call: { name: "find_tools", input: { query: "read get order" } } },
    { call: { name: "call_tool", input: { name: "get_order", arguments: { id: "7" } } } },
    { call: { name: "call_tool", input: { name: "get_order", arguments: {} } } },
  ];
  for (let turn = 0; ; turn++) {
    const next = await runTurn(id, turn);
    if (next.done) break;
    for (const { toolCallId } of next.calls) await callTool(id, turn, toolCallId);
  }
  expect(seen[0]?.tools?.map(({ name }) => name)).toEqual(["todo", "find_tools", "call_tool"]);
  expect(JSON.stringify(seen[1]?.prompt)).toContain('"input_schema":');
  expect(target.received.map(({ url }) => url)).toEqual(["/get_order/7"]);
  const told = JSON.stringify(seen[2]?.prompt);
  expect(told).toContain('"toolName":"call_tool"');
  expect(told).toContain("sent");
  expect(told).not.toContain('"toolName":"get_order"');
  expect(JSON.stringify(seen[3]?.prompt)).toContain("The arguments do not fit");
  const run = await getRun(owner, id);
  expect(run.status).toBe("completed");
  expect((await readRunActions(run))?.actions.map(({ tool, kind }) => [tool, kind])).toEqual([
    ["find_tools", "read"],
    ["get_order", "read"],
    ["get_order", "read"],
  ]);
});

test("a connector that writes asks a person under its own name", async () => {
  const id = await start();
  script = [{ call: { name: "call_tool", input: { name: "send_order", arguments: { id: "7" } } } }];
  const next = await runTurn(id, 0);
  if (next.done) throw new Error("it called nothing");
  for (const { toolCallId } of next.calls) {
    const called = await callTool(id, 0, toolCallId);
    if (!("ask" in called)) throw new Error("nobody was asked");
    await requestApproval(id, 0, toolCallId, called.ask);
    expect(await getApproval(owner, called.ask.approvalId)).toMatchObject({
      ...{ toolName: "send_order", arguments: { id: "7" } },
    });
  }
  expect(target.received).toEqual([]);
});
