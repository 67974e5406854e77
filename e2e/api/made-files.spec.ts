import { strFromU8, unzipSync } from "fflate";
import { createAgent } from "../support/agents";
import type { ApiClient } from "../support/api-client";
import { toolResultOf } from "../support/model-script";
import { expectWholeLog, RunStream } from "../support/run-log";
import { waitForRun } from "../support/runs";
import { expect, test } from "../support/test";

const END = { text: "Done: clean.xlsx and report.pdf." };
const CSV_CHARACTERS = 5 * 1024 * 1024;
const REGIONS = ["North", "south ", "EAST", "west"];

/** Five mebibytes as people have them: spaces, cases, doubles and gaps. */
function untidyCsv(): { csv: string; rows: number } {
  const lines = ["id,date,region,product,amount,note"];
  let characters = 0;
  for (let at = 0; characters < CSV_CHARACTERS; at += 1) {
    const amount = at % 97 === 0 ? "NA" : String((at % 1000) / 4);
    const line = `${at},2026-0${1 + (at % 9)}-15,${REGIONS[at % 4]},Product ${at % 40},${amount},"a, ""note"" of row ${at}"`;
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

/** The bytes of a run's files, as whoever has their links gets them. */
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
const chart = { type: "bar", x: "region", y: "amount", title: "Sales by region" };
make.xlsx("clean.xlsx", { sheets: { Summary: { rows: summary, chart }, Data: rows } });
make.pdf("report.pdf", { title: "Sales", max_pages: 1, content: [
  "Of " + rows.length + " rows.", { chart: { ...chart, data: summary } }, { table: summary } ] });
return { rows: rows.length, summary };`;

test("a CSV of 5 MB becomes a workbook with a chart and a PDF of one page in two turns, whose data the model types nowhere", async ({
  api,
  script,
}) => {
  const { csv } = untidyCsv();
  const workspace = await workspaceWith(api, "sales.csv", csv);
  const one = await script(
    { tool_calls: [{ name: "run_javascript", args: { code: CLEAN, files: ["sales.csv"] } }] },
    END,
  );
  const stream = await RunStream.start(api, {
    input: { text: one.mark },
    workspace_id: workspace,
  });
  await stream.readAll();
  expect(expectWholeLog(stream.lines).type).toBe("run.completed");
  const told = toolResultOf((await one.calls()).at(-1));
  expect(told).toContain('"pages":1');
  expect(told).toContain("report.pdf");
  const announced = stream.lines.filter((line) => line.type === "artifact.created");
  expect(announced).toHaveLength(2);
  const files = await download(api, stream.runId);
  const workbook = unzipSync(files.get("clean.xlsx") ?? new Uint8Array());
  const part = (name: string) => strFromU8(workbook[name] ?? new Uint8Array());
  const rows = Number(/"rows":(\d+)/.exec(told)?.[1]);
  expect(part("xl/worksheets/sheet2.xml").match(/<row /g)).toHaveLength(rows + 1);
  expect(part("xl/charts/chart1.xml")).toContain("Sales by region");
  expect(strFromU8((files.get("report.pdf") ?? new Uint8Array()).subarray(0, 5))).toBe("%PDF-");
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
const chart = { type: "line", data: rows, x: "month", y: "sales", title: "Sales" };
make.csv("a.csv", rows); make.xlsx("b", rows); make.svg("c.svg", chart); make.png("d.png", chart);
make.docx("e.docx", { title: "T", content: ["# H", { image: "d.png" }, { chart }] });
make.pdf("f.pdf", { content: ["# H", { chart }] });
make.pptx("g.pptx", { title: "T", slides: [{ title: "S", content: ["- a", { chart }] }] });
save("h.bin", new Uint8Array([1, 2, 255])); save("i.txt", "one\\ntwo");
make.zip("j.zip", ["a.csv", "b.xlsx", "d.png"]);`;
  const one = await script(
    { tool_calls: [{ name: "run_javascript", args: { code } }] },
    {
      tool_calls: [
        {
          name: "run_javascript",
          args: { code: "readTable('a.csv').length + files['i.txt']", files: ["a.csv", "i.txt"] },
        },
      ],
    },
    END,
  );
  const stream = await RunStream.start(api, { input: { text: one.mark } });
  await stream.readAll();
  expect(expectWholeLog(stream.lines).type).toBe("run.completed");
  expect(toolResultOf((await one.calls()).at(-1))).toContain("2one");
  const files = await download(api, stream.runId);
  expect([...files.keys()].sort()).toEqual(
    "a.csv b.xlsx c.svg d.png e.docx f.pdf g.pptx h.bin i.txt j.zip".split(" "),
  );
  expect(Object.keys(unzipSync(files.get("j.zip") ?? new Uint8Array())).sort()).toEqual(
    "a.csv b.xlsx d.png".split(" "),
  );
  expect(files.get("h.bin")).toEqual(new Uint8Array([1, 2, 255]));
});

test("a file that cannot be made is told to the model, with the ones that were", async ({
  api,
  script,
}) => {
  const code =
    'make.csv("a.csv", [{ a: 1 }]); make.xlsx("b.xlsx", [{ a: { formula: "WEBSERVICE(A1)" } }]); return 7';
  const one = await script({ tool_calls: [{ name: "run_javascript", args: { code } }] }, END);
  const stream = await RunStream.start(api, { input: { text: one.mark } });
  await stream.readAll();
  const told = toolResultOf((await one.calls()).at(-1));
  expect(told).toContain("b.xlsx was not made");
  expect(told).toContain('"path":"a.csv"');
  expect([...(await download(api, stream.runId)).keys()]).toEqual(["a.csv"]);
});

test("an agent's config says how long its code may compute", async ({ api, script, modelUrl }) => {
  const agent = await createAgent(api, modelUrl, {
    config: { tools: { builtin: ["run_javascript"], code: { timeout_seconds: 1 } } },
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

test("Python keeps its variables for the run's next call, reads files and hands out what it writes", async ({
  api,
  script,
  modelUrl,
}) => {
  const agent = await createAgent(api, modelUrl, {
    config: { tools: { builtin: ["run_python", "run_javascript"] } },
  });
  const workspace = await workspaceWith(api, "a.csv", "x,y\n1,2\n3,4\n");
  const python = (code: string, files: string[] = []) => ({
    tool_calls: [{ name: "run_python", args: { code, files } }],
  });
  const one = await script(
    python("import csv\nrows = list(csv.DictReader(open('a.csv')))\nlen(rows)", ["a.csv"]),
    python("open('sum.json', 'w').write(str(sum(int(row['y']) for row in rows)))"),
    {
      tool_calls: [
        { name: "run_javascript", args: { code: "files['sum.json'] * 7", files: ["sum.json"] } },
      ],
    },
    python("import urllib.request\nurllib.request.urlopen('http://127.0.0.1:1/')"),
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
  expect(toolResultOf(calls[3])).toContain("42");
  expect(toolResultOf(calls[4])).toContain('"error"');
  const files = await download(api, stream.runId);
  expect([...files.keys()]).toEqual(["sum.json"]);
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
