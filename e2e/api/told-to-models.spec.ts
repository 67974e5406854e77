import { createAgent } from "../support/agents";
import type { ApiClient } from "../support/api-client";
import { type ScriptTurn, textOfMessages, toolResultOf } from "../support/model-script";
import { expectWholeLog, RunStream } from "../support/run-log";
import { startRun, waitForRun } from "../support/runs";
import { expect, test } from "../support/test";

// What a run's model is told and shown, and what becomes of its answer, by a scripted model over
// HTTP.

const END = { text: "Done." };
const call = (name: string, args: Record<string, unknown>): ScriptTurn => ({
  tool_calls: [{ name, args }],
});
type Calls = Awaited<ReturnType<import("../support/model-script").ModelScript["calls"]>>;
const systemOf = (one: Calls[number] | undefined) => String(one?.body.messages[0]?.content);
const toolsOf = (one: Calls[number] | undefined) =>
  (one?.body.tools ?? []).map((tool) => tool.function.name);

/** The run once it has ended, whatever way. */
async function ended(api: ApiClient, agentId: string, input: Record<string, unknown>) {
  const { run_id } = await startRun(api, { agent_id: agentId, input });
  return waitForRun(api, run_id);
}

test("an edit in mid-run leaves the run, whose version is said; the next has it", async ({
  api,
  newAgent,
  script,
}) => {
  const agent = await newAgent({ skill: "# First\n\nFIRST VERSION" });
  const one = await script({ ...call("todo", {}), hold_first: true }, END);
  const started = await startRun(api, { agent_id: agent.agent_id, input: { text: one.mark } });
  await one.waitForCalls(1);
  const change = { skill_content: "# Second\n\nSECOND VERSION", config: { version: 1, tools: {} } };
  expect((await api.patch(`/v1/agents/${agent.agent_id}`, change)).status).toBe(200);
  await one.release();
  const run = await waitForRun(api, started.run_id);
  const [first, second] = await one.calls();
  expect(systemOf(first)).toContain("FIRST VERSION");
  expect(systemOf(second)).toBe(systemOf(first));
  expect(second?.body.tools).toEqual(first?.body.tools);
  expect(second?.body.messages.slice(0, first?.body.messages.length)).toEqual(first?.body.messages);

  const next = await script(END);
  const later = await ended(api, agent.agent_id, { text: next.mark });
  expect(systemOf((await next.calls())[0])).toContain("SECOND VERSION");
  expect(run.agent_version).not.toBeNull();
  expect(later.agent_version).not.toBe(run.agent_version);
});

test("defaults of inputs are applied as a run is accepted, and told with their schema", async ({
  api,
  newAgent,
  script,
}) => {
  const properties = {
    text: { type: "string" },
    max_age_months: { type: "integer", default: 24, description: "Older ones are left out." },
  };
  const agent = await newAgent({ config: { inputs: { type: "object", properties } } });
  const one = await script(END);
  const { run_id } = await ended(api, agent.agent_id, { text: one.mark });
  const run = (await api.get(`/v1/runs/${run_id}`, { query: { include_input: "true" } })).as("Run");
  expect(run.input).toEqual({ text: one.mark, max_age_months: 24 });
  expect(textOfMessages((await one.calls())[0])).toContain(
    '<input name="max_age_months" description="Older ones are left out.">\n24\n</input>',
  );
});

test("a model is told of waiting tools, the time, lists, and no skill its agent lacks", async ({
  api,
  inbox,
  newAgent,
  script,
}) => {
  const tool = (name: string) => ({
    ...{ name, method: "POST", url: `${inbox.url}/${name}`, input_schema: { type: "object" } },
  });
  const agent = await newAgent({
    autonomy: "approval_required",
    // Nobody searches here: what would always fail is not offered.
    config: { tools: { http: [tool("send_letter")], builtin: ["todo", "web_search"] }, skills: [] },
  });
  const one = await script(call("todo", { items: [{ text: "Look", status: "in_progress" }] }), END);
  const run = await ended(api, agent.agent_id, { text: one.mark });
  expect(run.status).toBe("completed");
  const [first, second] = await one.calls();
  expect(systemOf(first)).toMatch(
    /A person is asked before each call of these tools[^\n]*send_letter/,
  );
  expect(systemOf(first)).toContain("so ask nothing");
  expect(textOfMessages(first)).toMatch(/<time>\nIt is \w+day, \d{4}-\d\d-\d\d, \d\d:\d\d \(UTC\)/);
  expect(toolsOf(first).sort()).toEqual(["send_letter", "todo"]);
  expect(toolResultOf(second)).toContain('"open":1');

  const blocked = await newAgent({
    autonomy: "blocked",
    config: { tools: { http: [tool("send_letter")] }, skills: ["csv-analysis"] },
  });
  const other = await script(END);
  await ended(api, blocked.agent_id, { text: other.mark });
  const [told] = await other.calls();
  expect(systemOf(told)).toMatch(/The owner has blocked these tools[^\n]*send_letter/);
  expect(systemOf(told)).toContain("- csv-analysis:");
  expect(systemOf(told)).not.toContain("- task-planning:");
  expect(systemOf(told)).toContain("The one exception is what read_skill gives");
});

const FORM = {
  type: "object",
  properties: { city: { type: "string" }, amount: { type: "number" } },
  required: ["city", "amount"],
};

test("a forced form can say no: what is missing fails the run, the envelope unseen", async ({
  api,
  newAgent,
  script,
}) => {
  const agent = await newAgent({ config: { output_schema: FORM } });
  const none = await script(call("answer", { answer: null, missing: ["the city"] }));
  const failed = await ended(api, agent.agent_id, { text: `Hello there. ${none.mark}` });
  expect(failed).toMatchObject({
    status: "failed",
    error: { code: "MODEL_CANNOT_ANSWER", message: expect.stringContaining("the city") },
  });
  // Nobody presses it to invent one.
  expect(await none.calls()).toHaveLength(1);

  const data = { city: "Rome", amount: 7 };
  const given = await script(call("answer", { answer: data, missing: [] }));
  const stream = await RunStream.start(api, {
    agent_id: agent.agent_id,
    input: { text: given.mark },
  });
  await stream.readAll();
  expect(expectWholeLog(stream.lines).type).toBe("run.completed");
  expect(JSON.stringify(stream.lines)).not.toContain("missing");
  const run = (await api.get(`/v1/runs/${stream.runId}`)).as("Run");
  expect(run.result?.data).toEqual(data);
  expect(JSON.parse(run.result?.text ?? "")).toEqual(data);
});

test("an answer that names what the run read has citations, for the rest none", async ({
  api,
  script,
}) => {
  const one = await script(
    call("files_write", { path: "run:tides.csv", content: "noon,4\n" }),
    call("files_read", { path: "run:tides.csv" }),
    { text: "High water is at noon (run:tides.csv). See also https://made-up.example/tides." },
  );
  const run = await waitForRun(api, (await startRun(api, { input: { text: one.mark } })).run_id);
  expect(run.result?.citations).toMatchObject([
    { text: expect.stringContaining("High water is at noon"), source: { path: "run:tides.csv" } },
  ]);
});

test("a model that repeats itself is stopped, long before its answer would end", async ({
  api,
  script,
}) => {
  // Who waits for its end waits for ever: only whoever stops it goes on.
  const babble = {
    text: "The agent responds politely to each customer. ".repeat(400),
    ...{ chunk_size: 200, hold_after: 60 },
  };
  const one = await script(babble, babble);
  const run = await waitForRun(api, (await startRun(api, { input: { text: one.mark } })).run_id);
  expect(run).toMatchObject({ status: "failed", error: { code: "MODEL_CANNOT_ANSWER" } });
  const calls = await one.calls();
  expect(calls).toHaveLength(2);
  for (const { disconnected_at } of calls) expect(disconnected_at).not.toBeNull();
});

test("of too many connectors for a prompt a model looks one up and calls it, guarded", async ({
  api,
  inbox,
  modelUrl,
  script,
}) => {
  const input_schema = { type: "object", properties: {} };
  const client = Array.from({ length: 45 }, (_, at) => ({
    ...{ name: `own_${at}`, description: `Does thing ${at}.`, input_schema },
  }));
  const http = Array.from({ length: 45 }, (_, at) => ({
    name: `find_${at}`,
    description: at === 31 ? "Finds the height of the tide." : `Finds thing ${at}.`,
    method: "GET",
    url: `${inbox.url}/find/${at}`,
    input_schema,
  }));
  const agent = await createAgent(api, modelUrl, {
    config: { tools: { http, client, builtin: ["todo"] }, permissions: { deny: ["find_32"] } },
  });
  await inbox.answerWith([
    { status: 200, headers: { "content-type": "application/json" }, body: '{"height":4}' },
  ]);
  const one = await script(
    call("find_tools", { query: "height of the tide" }),
    call("call_tool", { name: "find_31", arguments: {} }),
    call("call_tool", { name: "find_32", arguments: {} }),
    END,
  );
  const run = await ended(api, agent.agent_id, { text: one.mark });
  expect(run.status).toBe("completed");
  const calls = await one.calls();
  expect(toolsOf(calls[0])).toEqual(expect.arrayContaining(["find_tools", "call_tool"]));
  expect(toolsOf(calls[0])).not.toContain("find_31");
  expect(toolResultOf(calls[1])).toContain("find_31");
  expect(toolResultOf(calls[2])).toContain("height");
  expect(toolResultOf(calls[3])).toContain("error");
  expect(await inbox.received()).toHaveLength(1);
  expect(run.actions).toMatchObject([
    { tool: "find_tools", status: "succeeded" },
    { tool: "find_31", status: "succeeded" },
    { tool: "find_32", status: "refused" },
  ]);
});
