import { strFromU8, unzipSync } from "fflate";
import { createAgent } from "../support/agents";
import type { ApiClient } from "../support/api-client";
import { LIBRE_OFFICE, NO_LIBRE_OFFICE, openInLibreOffice } from "../support/libre-office";
import { toolResultOf } from "../support/model-script";
import { readPng } from "../support/picture";
import { expectWholeLog, RunStream } from "../support/run-log";
import { waitForRun } from "../support/runs";
import { expect, test } from "../support/test";

const END = { text: "Done: clean.xlsx and report.pdf." };
/** A token is a character at the least. */
const ANSWER_MAX_CHARACTERS = 4_000;
const TURNS_MAX = 8;
const CSV_CHARACTERS = 5 * 1024 * 1024;
const BARS = "#2563eb";
const REGIONS = ["North", "south ", "EAST", "west"];

/** Five mebibytes as people have them: spaces, cases, doubles and gaps. */
function untidyCsv(): { csv: string; rows: number } {
  const lines = ["id,date,region,product,amount,note"];
  let characters = 0;
  for (let at = 0; characters < CSV_CHARACTERS; at += 1) {
    const amount = at % 97 === 0 ? "NA" : String((at % 1000) / 4);
    const line =
      `${at},2026-0${1 + (at % 9)}-15,${REGIONS[at % 4]},Product ${at % 40},${amount},"a, ` +
      `""note"" of row ${at}"`;
    lines.push(line);
    if (at % 1000 === 0) lines.push(line);
    characters += line.length + 1;
  }
  return { csv: `${lines.join("\n")}\n`, rows: lines.length - 1 };
}

async function workspaceWith(api: ApiClient, path: string, text: string): Promise<string> {
  const { workspace_id } = (await api.post("/v1/workspaces", { name: "made" })).as("Workspace");
  const response = await api.post(`/v1/workspaces/${workspace_id}/files`, undefined, {
    raw: text,
    query: { path },
    headers: { "content-type": "text/csv" },
  });
  response.as("WorkspaceFile");
  return workspace_id;
}

/** The bytes of a run's own files, by their paths. */
async function filesOf(api: ApiClient, runId: string): Promise<Map<string, Uint8Array>> {
  const { data } = (await api.get(`/v1/runs/${runId}/files`)).as("RunFilePage");
  const files = new Map<string, Uint8Array>();
  for (const { path } of data) {
    const answer = await api.get(`/v1/runs/${runId}/files/content`, { query: { path } });
    expect(answer.status).toBe(200);
    files.set(path, answer.bytes);
  }
  return files;
}

/** The bytes of a run's artifacts, as whoever has their links gets them. */
async function download(api: ApiClient, runId: string): Promise<Map<string, Uint8Array>> {
  const run = await waitForRun(api, runId);
  const files = new Map<string, Uint8Array>();
  for (const { name, url } of run.result?.artifacts ?? []) {
    const answer = await fetch(new URL(url, api.baseUrl));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment/);
    files.set(name, new Uint8Array(await answer.arrayBuffer()));
  }
  return files;
}

const CLEAN = `
const seen = new Set();
const rows = [];
for (const row of readTable("sales.csv")) {
  if (seen.has(row.id) || row.amount === null) continue;
  seen.add(row.id);
  rows.push({ ...row, region: row.region.trim().toLowerCase() });
}
const sums = {};
for (const { region, amount } of rows) sums[region] = (sums[region] || 0) + amount;
const summary = Object.entries(sums).map(([region, amount]) => ({ region, amount }));
const spec = { type: "bar", x: "region", y: "amount", title: "Sales by region" };
await write.xlsx("clean.xlsx", { sheets: [
  { name: "Summary", rows: summary, chart: spec }, { name: "Data", rows }] });
await write.png("sales.png", chart({ ...spec, data: summary }));
await write.csv("clean.csv", rows);
await write.pdf("report.pdf", { title: "Sales", max_pages: 1, markdown:
  "Of " + rows.length + " rows.\\n\\n![Sales by region](sales.png)\\n\\n| Region | Amount \
|\\n|---|--:|\\n" +
  summary.map(({ region, amount }) => "| " + region + " | " + amount + " |").join("\\n") });
return { rows: rows.length, summary };`;

test("a CSV of 5 MB becomes a charted workbook and a PDF, as LibreOffice reads", async ({
  api,
  script,
  modelUrl,
}, testInfo) => {
  // Its own time is some seconds; a busy machine gives it a part of them.
  const agent = await createAgent(api, modelUrl, { config: { limits: { code_seconds: 120 } } });
  const { csv } = untidyCsv();
  const workspace = await workspaceWith(api, "sales.csv", csv);
  const answers = [
    { tool_calls: [{ name: "run_javascript", args: { code: CLEAN } }] },
    {
      tool_calls: ["run:clean.xlsx", "run:report.pdf"].map((from) => ({
        name: "artifacts",
        args: { from },
      })),
    },
    END,
  ];
  expect(JSON.stringify(answers).length).toBeLessThan(ANSWER_MAX_CHARACTERS);
  const one = await script(...answers);
  const stream = await RunStream.start(api, {
    input: {
      text: `Clean this 5 MB CSV and give me an XLSX with a chart and a one-page PDF. ${one.mark}`,
    },
    agent_id: agent.agent_id,
    workspace_id: workspace,
  });
  await stream.readAll();
  expect(expectWholeLog(stream.lines).type).toBe("run.completed");
  const calls = await one.calls();
  expect(calls.length).toBeLessThanOrEqual(TURNS_MAX);
  const told = toolResultOf(calls[1]);
  expect(told).toContain('"pages":1');
  expect(told).toContain("run:report.pdf");
  const announced = stream.lines.filter((line) => line.type === "artifact.created");
  expect(announced).toHaveLength(2);
  const files = await download(api, stream.runId);
  const workbook = unzipSync(files.get("clean.xlsx") ?? new Uint8Array());
  const part = (name: string) => strFromU8(workbook[name] ?? new Uint8Array());
  const rows = Number(/"rows":(\d+)/.exec(told)?.[1]);
  expect(rows).toBeGreaterThan(50_000);
  expect(part("xl/worksheets/sheet2.xml").match(/<row /g)).toHaveLength(rows + 1);
  expect(part("xl/charts/chart1.xml")).toContain("Sales by region");
  expect(strFromU8((files.get("report.pdf") ?? new Uint8Array()).subarray(0, 5))).toBe("%PDF-");
  const made = await filesOf(api, stream.runId);
  expect([...made.keys()].sort()).toEqual(["clean.csv", "clean.xlsx", "report.pdf", "sales.png"]);

  if (LIBRE_OFFICE === null) {
    testInfo.annotations.push({ type: "skipped", description: NO_LIBRE_OFFICE });
    return;
  }
  const three = new Map([...files, ["clean.csv", made.get("clean.csv") ?? new Uint8Array()]]);
  const opened = await openInLibreOffice(three, "png");
  expect([...opened.keys()].sort()).toEqual(["clean.csv", "clean.xlsx", "report.pdf"]);
  const seen = (name: string) => readPng(opened.get(name) ?? new Uint8Array());
  for (const name of ["clean.xlsx", "report.pdf"]) {
    expect(seen(name).shareOf(BARS), name).toBeGreaterThan(0.01);
    expect(seen(name).hasWhiteEdge(), name).toBe(true);
  }
  expect(seen("clean.csv").shareOf("#ffffff")).toBeLessThan(0.99);
});

test("code makes every type of file, and a later call reads what an earlier one saved", async ({
  api,
  script,
}) => {
  const rows = [
    { month: "Jan", sales: 3 },
    { month: "Feb", sales: 4 },
  ];
  const code = `const rows = ${JSON.stringify(rows)};
const spec = { type: "line", data: rows, x: "month", y: "sales", title: "Sales" };
const svg = chart(spec);
save("c.svg", svg);
await write.csv("a.csv", rows);
await write.xlsx("b.xlsx", { sheets: [{ name: "Sales", rows, chart: { ...spec, data: undefined } \
}] });
await write.png("run:d.png", svg);
await write.docx("e.docx", { markdown: "# H\\n\\n![Sales](d.png)" });
await write.pdf("f.pdf", { markdown: "# H\\n\\n![Sales](c.svg)" });
await write.pptx("g.pptx", { slides: [{ title: "S", markdown: "- a\\n\\n![Sales](d.png)" }] });
save("h.bin", new Uint8Array([1, 2, 255])); save("i.txt", "one\\ntwo");
return (await write.zip("j.zip", ["a.csv", "b.xlsx", "run:d.png"])).path`;
  const later =
    'const text = files["i.txt"]; await write.zip("k.zip", ["run:i.txt", "f.pdf"]); return ' +
    'readTable("a.csv").length + text';
  const javascript = (source: string) => ({
    tool_calls: [{ name: "run_javascript", args: { code: source } }],
  });
  const one = await script(javascript(code), javascript(later), END);
  const stream = await RunStream.start(api, { input: { text: one.mark } });
  await stream.readAll();
  expect(expectWholeLog(stream.lines).type).toBe("run.completed");
  expect(toolResultOf((await one.calls()).at(-1))).toContain("2one");
  const files = await filesOf(api, stream.runId);
  expect([...files.keys()].sort()).toEqual(
    "a.csv b.xlsx c.svg d.png e.docx f.pdf g.pptx h.bin i.txt j.zip k.zip".split(" "),
  );
  const names = (path: string) =>
    Object.keys(unzipSync(files.get(path) ?? new Uint8Array())).sort();
  expect(names("j.zip")).toEqual("a.csv b.xlsx d.png".split(" "));
  expect(names("k.zip")).toEqual("f.pdf i.txt".split(" "));
  expect(names("e.docx").filter((name) => name.startsWith("word/media/"))).toHaveLength(1);
  expect(files.get("h.bin")).toEqual(new Uint8Array([1, 2, 255]));
});

test("a file that cannot be made is an error of the code, which may catch it", async ({
  api,
  script,
}) => {
  const bad = 'await write.xlsx("b.xlsx", [{ a: { formula: "WEBSERVICE(A1)" } }])';
  const javascript = (code: string) => ({
    tool_calls: [{ name: "run_javascript", args: { code } }],
  });
  const one = await script(
    javascript(`await write.csv("a.csv", [{ a: 1 }]); ${bad}; return 7`),
    javascript(
      `await write.csv("c.csv", [{ a: 1 }]); try { ${bad} } catch (e) { return e.message }`,
    ),
    END,
  );
  const stream = await RunStream.start(api, { input: { text: one.mark } });
  await stream.readAll();
  const calls = await one.calls();
  expect(toolResultOf(calls[1])).toContain("A2 is refused");
  expect(toolResultOf(calls[2])).toContain('"path":"run:c.csv"');
  expect([...(await filesOf(api, stream.runId)).keys()]).toEqual(["c.csv"]);
});

test("an agent's config says how long its code may compute", async ({ api, script, modelUrl }) => {
  const agent = await createAgent(api, modelUrl, {
    config: { tools: { builtin: ["run_javascript"] }, limits: { code_seconds: 1 } },
  });
  const one = await script(
    { tool_calls: [{ name: "run_javascript", args: { code: "for (;;) {}" } }] },
    END,
  );
  const stream = await RunStream.start(api, {
    agent_id: agent.agent_id,
    input: { text: one.mark },
  });
  await stream.readAll();
  expect(toolResultOf((await one.calls()).at(-1))).toContain("within 1 second");
});

test("Python keeps variables for the next call, reads files and saves for other tools", async ({
  api,
  script,
  modelUrl,
}) => {
  const agent = await createAgent(api, modelUrl, {
    config: { tools: { builtin: ["run_python", "run_javascript"] } },
  });
  const workspace = await workspaceWith(api, "a.csv", "x,y\n1,2\n3,4\n");
  const python = (code: string) => ({ tool_calls: [{ name: "run_python", args: { code } }] });
  const one = await script(
    python("import csv, io\nrows = list(csv.DictReader(io.StringIO(files['a.csv'])))\nlen(rows)"),
    python(
      "save('sum.json', str(sum(int(row['y']) for row in rows)))\nsave('b.bin', b'\\x00\\xff')",
    ),
    { tool_calls: [{ name: "run_javascript", args: { code: "files['sum.json'] * 7" } }] },
    python("import urllib.request\nurllib.request.urlopen('http://127.0.0.1:1/')"),
    python("[files['run:sum.json'], list(read('b.bin'))]"),
    END,
  );
  const stream = await RunStream.start(api, {
    agent_id: agent.agent_id,
    workspace_id: workspace,
    input: { text: one.mark },
  });
  await stream.readAll();
  expect(expectWholeLog(stream.lines).type).toBe("run.completed");
  const calls = await one.calls();
  expect(toolResultOf(calls[1])).toContain('"fresh":true');
  expect(toolResultOf(calls[2])).not.toContain("fresh");
  expect(toolResultOf(calls[2])).toContain("run:sum.json");
  expect(toolResultOf(calls[3])).toContain("42");
  expect(toolResultOf(calls[4])).toContain('"error"');
  expect(toolResultOf(calls[5])).toContain('["6",[0,255]]');
  const files = await filesOf(api, stream.runId);
  expect([...files.keys()].sort()).toEqual(["b.bin", "sum.json"]);
});

test("an agent that lists no tools has no Python", async ({ api, script }) => {
  const one = await script(END);
  const stream = await RunStream.start(api, { input: { text: one.mark } });
  await stream.readAll();
  const [call] = await one.calls();
  const names = (call?.body.tools ?? []).map((tool) => tool.function.name);
  expect(names).toContain("run_javascript");
  expect(names).not.toContain("run_python");
});
