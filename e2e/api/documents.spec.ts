import type { ApiClient } from "../support/api-client";
import { makeDocx, makePdf, makePng, makePptx, makeXlsx } from "../support/make-documents";
import { type ModelScript, toolResultOf } from "../support/model-script";
import { startRun, waitForRun } from "../support/runs";
import { expect, test } from "../support/test";

const END = { text: "Done." };

const reading = (args: Record<string, unknown>, name = "files_read") => ({
  tool_calls: [{ name, args }],
});

async function upload(
  api: ApiClient,
  files: Record<string, Uint8Array<ArrayBuffer> | string>,
): Promise<string> {
  const { workspace_id } = (await api.post("/v1/workspaces", { name: "documents" })).as(
    "Workspace",
  );
  for (const [path, raw] of Object.entries(files)) {
    const headers = { "content-type": "application/octet-stream" };
    (
      await api.post(`/v1/workspaces/${workspace_id}/files`, undefined, {
        raw,
        query: { path },
        headers,
      })
    ).as("WorkspaceFile");
  }
  return workspace_id;
}

/** Runs the script to its end, and gives what the model was told of each of its calls. */
async function tellings(
  api: ApiClient,
  one: ModelScript,
  workspaceId: string,
  body: Record<string, unknown> = {},
): Promise<string[]> {
  const run = await startRun(api, {
    input: { text: one.mark },
    workspace_id: workspaceId,
    ...body,
  });
  expect(await waitForRun(api, run.run_id)).toMatchObject({ status: "completed" });
  return (await one.calls()).slice(1).map(toolResultOf);
}

test("a model reads page 2 of a PDF, a range of cells, a slide and a Word text", async ({
  api,
  script,
}) => {
  const workspace = await upload(api, {
    "policy.pdf": await makePdf(["Cover", "Invoices are paid within thirty days.", "End"]),
    "sales.xlsx": makeXlsx({
      Notes: [["none"]],
      Sales: [
        ["Region", "Units"],
        ["North", 12],
        ["South", 30],
      ],
    }),
    "plan.pptx": makePptx([{ lines: ["Start"] }, { lines: ["Ship it"], notes: "Softly" }]),
    "terms.docx": makeDocx(["# Terms", "Net sixty."]),
  });
  const one = await script(
    reading({ path: "policy.pdf", pages: "2" }),
    reading({ path: "sales.xlsx", sheet: "Sales", range: "A2:B3" }),
    reading({ path: "plan.pptx", pages: "2" }),
    reading({ path: "terms.docx" }),
    END,
  );
  const told = await tellings(api, one, workspace);
  const texts = told.map((each) => JSON.parse(each));
  expect(texts).toMatchObject([
    { type: "pdf", pages: 3, text: "[page 2]\nInvoices are paid within thirty days." },
    { type: "xlsx", text: "[sheet Sales!A2:B3]\n,A,B\n2,North,12\n3,South,30" },
    { type: "pptx", slides: 2, text: "[slide 2]\nShip it\nNotes: Softly" },
    { type: "docx", text: expect.stringContaining("Net sixty.") },
  ]);
});

test("a search finds words in documents with their page and cells, in the newest version", async ({
  api,
  script,
}) => {
  const workspace = await upload(api, {
    "policy.pdf": await makePdf(["Cover", "Invoices are paid late."]),
    "sales.xlsx": makeXlsx({ Sales: [["State"], ["invoice sent"]] }),
    "old.txt": "an invoice",
  });
  const search = reading({ query: "invoice" }, "files_search");
  const one = await script(
    search,
    reading({ path: "old.txt", content: "a receipt" }, "files_write"),
    search,
    END,
  );
  const [first, , second] = (await tellings(api, one, workspace)).map((each) => JSON.parse(each));
  expect(first.matches).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        path: "policy.pdf",
        reference: "page 2",
        text: "Invoices are paid late.",
      }),
      expect.objectContaining({
        path: "sales.xlsx",
        reference: "sheet Sales!A1:A2",
        text: "2,invoice sent",
      }),
      expect.objectContaining({ path: "old.txt", line: 1 }),
    ]),
  );
  expect(first).not.toHaveProperty("not_searched");
  expect(second.matches.map(({ path }: { path: string }) => path).sort()).toEqual([
    "policy.pdf",
    "sales.xlsx",
  ]);
});

test("code computes on a workbook's sheets", async ({ api, script }) => {
  const workspace = await upload(api, {
    "sales.xlsx": makeXlsx({ Sales: [["units"], [12], [30]], Costs: [["sum"], [7]] }),
  });
  const code =
    'return readTable("sales.xlsx")[1].units * 100 + parseCsv(files["sales.xlsx#Costs"])[0].sum;';
  const [told] = await tellings(
    api,
    await script(reading({ code, files: ["sales.xlsx"] }, "run_javascript"), END),
    workspace,
  );
  expect(told).toContain("3007");
});

test("a picture reaches a model that sees, as vision, and another is told what it is", async ({
  api,
  script,
}) => {
  const png = makePng(640, 480);
  const workspace = await upload(api, { "chart.png": png });
  const read = reading({ path: "chart.png" });
  const one = await script(read, { ...END, usage: { input: 777, output: 3 } });
  const run = await startRun(api, {
    input: { text: one.mark },
    workspace_id: workspace,
    model: "compatible/eye-model",
  });
  const { usage } = await waitForRun(api, run.run_id);
  const calls = await one.calls();
  const shown = `data:image/png;base64,${Buffer.from(png).toString("base64")}`;
  expect(calls[1]?.body.messages.at(-1)).toEqual({
    role: "user",
    content: [
      { type: "text", text: 'The picture "chart.png", which you have read:' },
      { type: "image_url", image_url: { url: shown } },
    ],
  });
  expect(toolResultOf(calls[1])).not.toContain("base64");
  expect(usage?.breakdown).toContainEqual(
    expect.objectContaining({ capability: "vision", input_tokens: 777 }),
  );
  const [told] = await tellings(api, await script(read, END), workspace);
  expect(JSON.parse(told ?? "")).toMatchObject({
    type: "image/png",
    width: 640,
    height: 480,
    note: expect.stringContaining("cannot see"),
  });
});

test("bytes that are no text, and broken documents, are told in a sentence, never as text", async ({
  api,
  script,
}) => {
  const workspace = await upload(api, {
    "data.bin": new Uint8Array([0, 1, 2, 255, 254]),
    "broken.pdf": "%PDF-1.7\nnothing",
  });
  const one = await script(reading({ path: "data.bin" }), reading({ path: "broken.pdf" }), END);
  const [binary, broken] = (await tellings(api, one, workspace)).map((each) => JSON.parse(each));
  expect(binary).toEqual({
    path: "data.bin",
    offset: 0,
    type: expect.any(String),
    size_bytes: 5,
    note: expect.stringContaining("nothing here reads"),
  });
  expect(broken).toEqual({
    error: expect.stringMatching(/^broken\.pdf cannot be read\. It is no PDF/),
  });
});
