import type { ApiClient } from "../support/api-client";
import { type ModelScript, toolResultOf } from "../support/model-script";
import { expectWholeLog, RunStream } from "../support/run-log";
import { startRun, waitForRun } from "../support/runs";
import { expect, test } from "../support/test";
import { until } from "../support/until";

const FIFTEEN_MINUTES_S = 900;
const CSV = "city,degrees\nOslo,4\nRome,21\nCairo,30\n";

async function workspaceWith(api: ApiClient, files: Record<string, string>): Promise<string> {
  const { workspace_id } = (await api.post("/v1/workspaces", { name: "tools" })).as("Workspace");
  for (const [path, text] of Object.entries(files)) {
    const response = await api.post(`/v1/workspaces/${workspace_id}/files`, undefined, {
      raw: text,
      query: { path },
      headers: { "content-type": "text/csv" },
    });
    response.as("WorkspaceFile");
  }
  return workspace_id;
}

/** Runs one scripted tool call to its end and gives the stream and what the model was told. */
async function runTool(
  api: ApiClient,
  one: ModelScript,
  workspaceId?: string,
): Promise<{ stream: RunStream; told: string }> {
  const stream = await RunStream.start(api, {
    input: { text: one.mark },
    ...(workspaceId ? { workspace_id: workspaceId } : {}),
  });
  await stream.readAll();
  expect(expectWholeLog(stream.lines).type).toBe("run.completed");
  return { stream, told: toolResultOf((await one.calls()).at(-1)) };
}

const END = { text: "Done." };

test("the workspace's files are listed and read, and the stream shows only opaque markers", async ({
  api,
  script,
}) => {
  const workspace = await workspaceWith(api, {
    "data/weather.csv": CSV,
    "notes.txt": "Remember the milk.",
  });
  const list = await runTool(
    api,
    await script({ tool_calls: [{ name: "files_search", args: {}, id: "call_list" }] }, END),
    workspace,
  );
  expect(list.told).toContain("data/weather.csv");
  expect(list.told).toContain("notes.txt");
  const read = await runTool(
    api,
    await script(
      {
        tool_calls: [{ name: "files_read", args: { path: "data/weather.csv" } }],
      },
      END,
    ),
    workspace,
  );
  expect(read.told).toContain("Cairo,30");
  const [started, completed] = read.stream.lines.filter(
    (line) => line.type === "tool.started" || line.type === "tool.completed",
  );
  expect([started, completed]).toMatchObject([
    { type: "tool.started", name: "files_read" },
    { type: "tool.completed", name: "files_read", status: "succeeded" },
  ]);
  expect(started?.type === "tool.started" && started.tool_call_id).toBe(
    completed?.type === "tool.completed" && completed.tool_call_id,
  );
  expect(JSON.stringify(read.stream.lines)).not.toContain("Cairo");
});

test("a file missing or outside the workspace is told to the model as failed, not the end", async ({
  api,
  script,
}) => {
  const workspace = await workspaceWith(api, { "a.txt": "a" });
  for (const path of ["missing.txt", "../../etc/passwd", "/etc/passwd"]) {
    const { stream, told } = await runTool(
      api,
      await script({ tool_calls: [{ name: "files_read", args: { path } }] }, END),
      workspace,
    );
    expect(told).not.toContain("root:");
    expect(stream.lines.find((line) => line.type === "tool.completed")).toMatchObject({
      status: "failed",
    });
  }
});

test("without a workspace the run has its own files, and others are not there", async ({
  api,
  script,
}) => {
  const { told } = await runTool(
    api,
    await script({ tool_calls: [{ name: "files_read", args: { path: "a.txt" } }] }, END),
  );
  expect(told).toContain("among the run's files");
});

test("JavaScript computes with the workspace's files, in a sandbox", async ({ api, script }) => {
  const workspace = await workspaceWith(api, { "weather.csv": CSV });
  const code =
    'const rows = parseCsv(files["weather.csv"]); return rows.reduce((sum, row) => sum + ' +
    "row.degrees, 0) * 1000 + rows.length;";
  const { told } = await runTool(
    api,
    await script(
      { tool_calls: [{ name: "run_javascript", args: { code, files: ["weather.csv"] } }] },
      END,
    ),
    workspace,
  );
  expect(told).toContain("55003");
});

test("the sandbox has no process, no network and no modules, and endless code is stopped", async ({
  api,
  script,
}) => {
  const probe =
    "return [typeof process, typeof require, typeof fetch, typeof Deno, typeof " +
    'XMLHttpRequest].join("|");';
  const { told } = await runTool(
    api,
    await script({ tool_calls: [{ name: "run_javascript", args: { code: probe } }] }, END),
  );
  expect(told).toContain("undefined|undefined|undefined|undefined|undefined");
  const endless = await runTool(
    api,
    await script({ tool_calls: [{ name: "run_javascript", args: { code: "for (;;) {}" } }] }, END),
  );
  expect(endless.stream.lines.find((line) => line.type === "tool.completed")).toMatchObject({
    status: "failed",
  });
});

test("a todo list is shown as a card and kept up to date", async ({ api, script }) => {
  const one = await script(
    { tool_calls: [{ name: "todo", fill: true }] },
    { tool_calls: [{ name: "todo", fill: true }] },
    END,
  );
  const { stream } = await runTool(api, one);
  const cards = stream.lines.flatMap((line) =>
    line.type === "card.created" || line.type === "card.updated" ? [line.card] : [],
  );
  expect(cards[0]).toMatchObject({
    kind: "todo",
    items: [{ text: expect.any(String), done: expect.any(Boolean) }],
  });
  expect(new Set(cards.map((card) => card.card_id)).size).toBe(1);
});

test("an artifact is announced, in the result, and downloads by an address", async ({
  api,
  script,
  anonymous,
}) => {
  const args = {
    title: "Weather report",
    name: "report.md",
    type: "text/markdown",
    content: "# Report\n\n30 degrees in Cairo 🌍",
  };
  const { stream } = await runTool(
    api,
    await script({ tool_calls: [{ name: "artifacts", args, fill: true }] }, END),
  );
  const announced = stream.lines.find((line) => line.type === "artifact.created");
  expect(announced).toMatchObject({ artifact: { title: "Weather report" } });
  const run = await waitForRun(api, stream.runId);
  const [artifact] = run.result?.artifacts ?? [];
  expect(artifact).toMatchObject({
    title: "Weather report",
    id: announced?.type === "artifact.created" ? announced.artifact.id : "",
  });
  const url = new URL(artifact?.url ?? "", api.baseUrl);
  const file = await anonymous.get(url.pathname + url.search);
  expect([file.status, file.text]).toEqual([200, args.content]);
  expect(file.header("content-disposition")).toMatch(/^attachment/);
  expect(file.header("x-content-type-options")).toBe("nosniff");
  expect(file.header("content-security-policy")).toMatch(/^sandbox/);
  expect(file.header("x-request-id")).toBeTruthy();
  for (const forged of [
    url.pathname,
    `${url.pathname}${url.search.replace(/.$/, (last) => (last === "0" ? "1" : "0"))}`,
  ]) {
    expect([401, 403, 404]).toContain((await anonymous.get(forged)).status);
  }
});

test("an artifact's address ends after 15 minutes; each fetch of run or events makes one", async ({
  api,
  script,
  anonymous,
}) => {
  const args = { title: "Short-lived", name: "a.md", type: "text/markdown", content: "# A" };
  const { stream } = await runTool(
    api,
    await script({ tool_calls: [{ name: "artifacts", args, fill: true }] }, END),
  );
  const fetched = async () =>
    new URL((await waitForRun(api, stream.runId)).result?.artifacts[0]?.url ?? "", api.baseUrl);
  const asked = Math.floor(Date.now() / 1000);
  const first = await fetched();
  const ends = Number(first.searchParams.get("expires")) * 1000;
  const made = ends / 1000 - FIFTEEN_MINUTES_S;
  // In whole seconds, and made between the question and the answer, however long that took.
  expect(made).toBeGreaterThanOrEqual(asked);
  expect(made).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000));
  const later = await until("a fresh address", async () => {
    const url = await fetched();
    return url.href !== first.href && url;
  });
  expect(Number(later.searchParams.get("expires")) * 1000).toBeGreaterThan(ends);
  const stored = await (await RunStream.follow(api, stream.runId)).readAll();
  const shown = stored.find((line) => line.type === "artifact.created");
  const urls = [
    first,
    later,
    new URL(shown?.type === "artifact.created" ? shown.artifact.url : "", api.baseUrl),
  ];
  for (const url of urls)
    expect((await anonymous.get(url.pathname + url.search)).text).toBe(args.content);
});

test("two tools called in one turn both run, and both results are told by their ids", async ({
  api,
  script,
}) => {
  const workspace = await workspaceWith(api, { "a.txt": "ALPHA", "b.txt": "BETA" });
  const one = await script(
    {
      tool_calls: ["a.txt", "b.txt"].map((path) => ({
        name: "files_read",
        args: { path },
        id: `call_${path[0]}`,
      })),
    },
    END,
  );
  await runTool(api, one, workspace);
  const results =
    (await one.calls())[1]?.body.messages.filter((message) => message.role === "tool") ?? [];
  expect(results.map((message) => message.tool_call_id)).toEqual(["call_a", "call_b"]);
  expect(JSON.stringify(results[0]?.content)).toContain("ALPHA");
  expect(JSON.stringify(results[1]?.content)).toContain("BETA");
});

test("a run binds a workspace of the account; one that has agents only for those", async ({
  api,
  newAgent,
  sharedAgent,
  script,
}) => {
  const workspace = await workspaceWith(api, { "a.txt": "a" });
  const member = await newAgent({ name: "Member" });
  expect((await api.put(`/v1/workspaces/${workspace}/agents/${member.agent_id}`)).status).toBe(204);
  const one = await script(END);
  const body = { input: { text: one.mark }, workspace_id: workspace };
  expect((await startRun(api, { ...body, agent_id: member.agent_id })).workspace_id).toBe(
    workspace,
  );
  expect((await startRun(api, body)).workspace_id).toBe(workspace);
  const refused = await api.post("/v1/runs", { ...body, agent_id: sharedAgent.agent_id });
  expect([refused.status, refused.json()]).toEqual([
    404,
    expect.objectContaining({ error: "WORKSPACE_NOT_FOUND" }),
  ]);
});

test("the offline model answers without any server, in the same shapes and for credits", async ({
  api,
}) => {
  const workspace = await workspaceWith(api, { "weather.csv": CSV });
  const accepted = await api.post("/v1/runs", {
    model: "builtin/offline",
    workspace_id: workspace,
    input: { request: "What is the maximum of degrees in weather.csv?" },
  });
  const run = await waitForRun(api, accepted.as("Run").run_id);
  expect(run).toMatchObject({ status: "completed", model: "builtin/offline" });
  expect(run.result?.text).toContain("30");
  expect(run.usage?.credits).toBeGreaterThan(0);
});
