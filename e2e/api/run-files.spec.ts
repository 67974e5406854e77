import type { ApiClient } from "../support/api-client";
import { type ModelScript, toolResultOf } from "../support/model-script";
import { expectWholeLog, RunStream } from "../support/run-log";
import { startRun, waitForRun } from "../support/runs";
import { expect, test } from "../support/test";

const END = { text: "Done." };
const call = (name: string, args: Record<string, unknown>) => ({ tool_calls: [{ name, args }] });

async function runToEnd(api: ApiClient, one: ModelScript, body: Record<string, unknown> = {}) {
  const run = await startRun(api, { input: { text: one.mark }, ...body });
  const ended = await waitForRun(api, run.run_id);
  expect(ended.status).toBe("completed");
  const told = (await one.calls()).slice(1).map(toolResultOf);
  return { run: ended, told };
}

const listOf = async (api: ApiClient, runId: string) =>
  (await api.get(`/v1/runs/${runId}/files`)).as("RunFilePage").data;
const contentOf = (api: ApiClient, runId: string, path: string) =>
  api.get(`/v1/runs/${runId}/files/content`, { query: { path } });

test("what code saves is handed out, listed, downloaded, and in no answer of the model", async ({
  api,
  anonymous,
  script,
}) => {
  const code = `
    const rows = Array.from({length: 20000}, (_, id) => "row-" + id + ",found");
    save("out/table.csv", rows.join("\\n"));
    save("raw.bin", new Uint8Array([0, 1, 2, 255]), {type: "application/x-raw"});
    return rows.length;`;
  const one = await script(
    call("run_javascript", { code }),
    call("artifacts", { from: "run:out/table.csv" }),
    END,
  );
  const { run, told } = await runToEnd(api, one);
  expect(told[0]).toContain("run:out/table.csv");
  expect(JSON.stringify(await one.calls())).not.toContain("row-19999,found");
  const [artifact] = run.result?.artifacts ?? [];
  expect(artifact).toMatchObject({ name: "table.csv", type: "text/csv" });
  const url = new URL(artifact?.url ?? "");
  expect((await anonymous.get(url.pathname + url.search)).text).toContain("row-19999,found");
  const files = await listOf(api, run.run_id);
  expect(
    files.map(({ path, size_bytes, content_type }) => [path, size_bytes, content_type]),
  ).toEqual(
    expect.arrayContaining([
      ["raw.bin", 4, "application/x-raw"],
      ["out/table.csv", expect.any(Number), "text/csv"],
    ]),
  );
  const answer = await contentOf(api, run.run_id, "out/table.csv");
  expect(answer.text.endsWith("row-19999,found")).toBe(true);
  expect(answer.headers.get("content-disposition")).toContain("attachment");
});

test("a result too long is stored whole, and read on by handle, search and code", async ({
  api,
  script,
}) => {
  const code = `
    for (let i = 0; i < 1700; i += 1) console.log("line " + i + " of many words");
    return Array.from({length: 1700}, (_, i) => "item " + i + " of many words");`;
  const handle = "run:results/run_javascript-call_big.json";
  const one = await script(
    { tool_calls: [{ name: "run_javascript", args: { code }, id: "call_big" }] },
    call("files_search", { query: "1699", prefix: handle }),
    call("files_read", { handle, offset: 40_000, limit: 20_000 }),
    call("run_javascript", { code: `return JSON.parse(files["${handle}"]).result.at(-1)` }),
    END,
  );
  const { run, told } = await runToEnd(api, one);
  expect(told[0]).toContain("stored whole");
  expect(told[0]).toContain(handle);
  expect(told[0]).toContain("item 100 of many words");
  expect(told[0]).not.toContain("item 1699 of many words");
  expect(told[1]).toContain("item 1699 of many words");
  expect(told[2]).toContain("item 1600 of many words");
  expect(told[3]).toContain("item 1699 of many words");
  const whole = (await contentOf(api, run.run_id, "results/run_javascript-call_big.json")).text;
  expect(JSON.parse(whole)).toMatchObject({
    result: expect.arrayContaining(["item 1699 of many words"]),
  });
});

test("files are written piece by piece, changed in place, copied and deleted", async ({
  api,
  script,
}) => {
  const one = await script(
    call("files_write", { path: "run:report.md", content: "# Report\n" }),
    call("files_edit", { path: "run:report.md", append: "Tides are low.\n" }),
    call("files_edit", { path: "run:report.md", old: "low", new: "high" }),
    call("files_edit", { path: "run:copy.md", copy_from: "run:report.md" }),
    call("files_edit", { path: "run:report.md", delete: true }),
    call("files_search", { query: "tides" }),
    END,
  );
  const { run, told } = await runToEnd(api, one);
  expect(told.at(-1)).toContain("Tides are high.");
  expect((await listOf(api, run.run_id)).map(({ path }) => path)).toEqual(["copy.md"]);
});

test("a conversation's later runs read earlier files and artifacts; others do not", async ({
  api,
  script,
}) => {
  const first = await runToEnd(
    api,
    await script(
      call("files_write", { path: "run:notes.txt", content: "the tide is 4 m" }),
      call("artifacts", { title: "T", name: "tides.md", content: "# Tides of Monday" }),
      END,
    ),
  );
  const read = (path: string) => call("files_read", { path });
  const conversation_id = first.run.conversation_id;
  const artifact = String(first.run.result?.artifacts[0]?.id);
  const again = await runToEnd(
    api,
    await script(read("run:notes.txt"), read("run:tides.md"), read(artifact), END),
    { conversation_id },
  );
  expect(again.told[0]).toContain("the tide is 4 m");
  expect(again.told[1]).toContain("Tides of Monday");
  expect(again.told[2]).toContain("Tides of Monday");
  const other = await runToEnd(api, await script(read("run:notes.txt"), read(artifact), END));
  for (const told of other.told) expect(told).toContain("There is no file");
});

test("another account sees no file of a run, and neither do its own runs", async ({
  api,
  stranger,
  script,
}) => {
  const { run } = await runToEnd(
    api,
    await script(call("files_write", { path: "run:mine.txt", content: "private words" }), END),
  );
  const strangers = stranger.api;
  expect((await strangers.get(`/v1/runs/${run.run_id}/files`)).status).toBe(404);
  expect((await contentOf(strangers, run.run_id, "mine.txt")).status).toBe(404);
  expect((await contentOf(api, run.run_id, "mine.txt")).text).toBe("private words");
});

test("when the run's room is used up the model is told so, and goes on", async ({
  api,
  script,
}) => {
  const code = (start: number) =>
    `for (let i = 0; i < 50; i += 1) save("f" + (${start} + i) + ".txt", "x"); return true;`;
  const one = await script(
    ...[0, 50, 100, 150, 200].map((start) => call("run_javascript", { code: code(start) })),
    END,
  );
  const { run, told } = await runToEnd(api, one);
  expect(told[4]).toContain("at most 200 files");
  const page = await api.get(`/v1/runs/${run.run_id}/files`, { query: { limit: 100 } });
  expect(page.as("RunFilePage").has_more).toBe(true);
});

test("files go with their run", async ({ api, script }) => {
  const { run } = await runToEnd(
    api,
    await script(call("files_write", { path: "run:a.txt", content: "x" }), END),
  );
  expect((await api.delete(`/v1/runs/${run.run_id}`)).status).toBe(204);
  expect((await api.get(`/v1/runs/${run.run_id}/files`)).status).toBe(404);
});

test("an agent of workspace_files has four tools, and what it denies is denied of all", async ({
  api,
  newAgent,
  script,
}) => {
  const namesOf = async (config: Record<string, unknown>) => {
    const agent = await newAgent({ config });
    const one = await script(END);
    await runToEnd(api, one, { agent_id: agent.agent_id });
    return (await one.calls())[0]?.body.tools?.map((tool) => tool.function.name) ?? [];
  };
  const FOUR = ["files_read", "files_search", "files_write", "files_edit"];
  expect(await namesOf({ tools: { builtin: ["workspace_files"] } })).toEqual(
    expect.arrayContaining(FOUR),
  );
  const denied = await namesOf({ permissions: { deny: ["workspace_files"] } });
  expect(denied.filter((name) => FOUR.includes(name))).toEqual([]);
  const read = await namesOf({ tools: { builtin: ["files_read"] } });
  expect(read.filter((name) => FOUR.includes(name))).toEqual(["files_read"]);
});

test("reads of one turn are made side by side", async ({ api, script }) => {
  const one = await script(
    call("files_write", { path: "run:a.txt", content: "ALPHA" }),
    {
      tool_calls: [1, 2].map((n) => ({
        name: "files_read",
        args: { path: "run:a.txt" },
        id: `call_${n}`,
      })),
    },
    END,
  );
  const stream = await RunStream.start(api, { input: { text: one.mark } });
  await stream.readAll();
  expect(expectWholeLog(stream.lines).type).toBe("run.completed");
  const marks = stream.lines.flatMap((line) =>
    (line.type === "tool.started" || line.type === "tool.completed") && line.name === "files_read"
      ? [line.type]
      : [],
  );
  expect(marks.slice(0, 2)).toEqual(["tool.started", "tool.started"]);
});
