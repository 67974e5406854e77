import { type ScriptTurn, toolResultOf } from "../support/model-script";
import { startRun, waitForRun } from "../support/runs";
import { expect, test } from "../support/test";

// Files between connectors and a run: what they send becomes files of the run, and they are sent
// such files, without a byte of it in what the model says.

const END = { text: "Done." };
const call = (name: string, args: Record<string, unknown>): ScriptTurn => ({
  tool_calls: [{ name, args }],
});
/** Bytes that are no text, and a text that is too long to be shown. */
const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const LONG = Array.from({ length: 40_000 }, (_, at) => `line ${at} of a long export`).join("\n");

const tool = (name: string, method: string, url: string, more: object = {}) => ({
  ...{ name, method, url, input_schema: { type: "object", properties: {} } },
  ...more,
});
const SENDS_FILE = {
  type: "object",
  properties: { title: { type: "string" }, file: { type: "string", format: "binary" } },
  required: ["file"],
};

test("an http tool's bytes and long texts become the run's files, for code and the person", async ({
  api,
  inbox,
  newAgent,
  script,
}) => {
  const agent = await newAgent({
    config: {
      tools: {
        builtin: ["run_javascript", "artifacts"],
        http: [
          tool("get_picture", "GET", `${inbox.url}/picture`),
          tool("get_export", "GET", `${inbox.url}/export`),
        ],
      },
    },
  });
  const answer = (type: string) => ({ status: 200, headers: { "content-type": type } });
  await inbox.answerWith([
    { ...answer("image/png"), body_base64: PICTURE.toString("base64") },
    { ...answer("text/csv"), body: LONG },
  ]);
  const one = await script(call("get_picture", {}), call("get_export", {}), END);
  const first = await startRun(api, { agent_id: agent.agent_id, input: { text: one.mark } });
  await waitForRun(api, first.run_id);
  const { data } = (await api.get(`/v1/runs/${first.run_id}/files`)).as("RunFilePage");
  expect(data.map(({ content_type }) => content_type).sort()).toEqual(["image/png", "text/csv"]);
  const told = JSON.stringify((await one.calls()).at(-1)?.body.messages);
  expect(told).not.toContain("line 39999 of");
  const pathOf = (type: string) => data.find(({ content_type: one }) => one === type)?.path ?? "";
  const picture = await api.get(`/v1/runs/${first.run_id}/files/content`, {
    query: { path: pathOf("image/png") },
  });
  expect(Buffer.from(picture.bytes)).toEqual(PICTURE);

  // A later run of the conversation finds them.
  const { conversation_id } = await waitForRun(api, first.run_id);
  const later = await script(
    call("run_javascript", {
      code:
        `return [files["run:${pathOf("text/csv")}"].split("\\n").length, ` +
        `read("run:${pathOf("image/png")}").length]`,
    }),
    call("artifacts", { from: `run:${pathOf("image/png")}` }),
    END,
  );
  const second = await startRun(api, {
    ...{ agent_id: agent.agent_id, conversation_id, input: { text: later.mark } },
  });
  const run = await waitForRun(api, second.run_id);
  expect(toolResultOf((await later.calls())[1])).toContain(`[40000,${PICTURE.length}]`);
  expect(run.result?.artifacts).toMatchObject([{ type: "image/png" }]);
});

test("files of a run go out by http as a form, raw, and as base64, and nowhere else", async ({
  api,
  inbox,
  newAgent,
  script,
}) => {
  const sends = (name: string, body?: string) =>
    tool(name, "POST", `${inbox.url}/${name}`, {
      input_schema: SENDS_FILE,
      ...(body && { body }),
    });
  const http = [
    sends("as_form", "multipart"),
    sends("as_bytes", "raw"),
    sends("as_base64", "json"),
  ];
  const agent = await newAgent({ config: { tools: { builtin: ["run_javascript"], http } } });
  const save = `save("out/raw.bin", new Uint8Array([0, 1, 2, 255])); return 1`;
  const file = "run:out/raw.bin";
  const one = await script(
    call("run_javascript", { code: save }),
    call("as_form", { title: "Raw", file }),
    call("as_bytes", { file }),
    call("as_base64", { title: "Raw", file }),
    call("as_bytes", { file: "run:none.bin" }),
    END,
  );
  const { run_id } = await startRun(api, { agent_id: agent.agent_id, input: { text: one.mark } });
  expect((await waitForRun(api, run_id)).status).toBe("completed");
  const bytes = Buffer.from([0, 1, 2, 255]);
  const [form, raw, json, ...others] = (await inbox.received()).map((each) => ({
    ...{ path: each.path, type: each.headers["content-type"] ?? "" },
    sent: Buffer.from(each.body_base64, "base64"),
  }));
  expect(others).toEqual([]);
  expect(form?.type).toMatch(/^multipart\/form-data; boundary=/);
  expect(form?.sent.includes(bytes)).toBe(true);
  expect(form?.sent.toString("latin1")).toContain('filename="raw.bin"');
  expect(raw?.sent).toEqual(bytes);
  expect(JSON.parse(json?.sent.toString() ?? "")).toEqual({
    title: "Raw",
    file: bytes.toString("base64"),
  });
  expect(toolResultOf((await one.calls()).at(-1))).toContain("There is no file");
});

test("a picture of an MCP server becomes the run's file, told to the model by name alone", async ({
  api,
  inbox,
  newAgent,
  script,
}) => {
  const data = PICTURE.toString("base64");
  await inbox.answerWith([
    {
      mcp: {
        tools: [{ name: "screenshot", inputSchema: { type: "object" } }],
        result: { content: [{ type: "image", data, mimeType: "image/png" }] },
      },
    },
  ]);
  const mcp = [{ name: "browser", url: inbox.url, read_only: ["screenshot"] }];
  const agent = await newAgent({ config: { tools: { builtin: ["files_read"], mcp } } });
  const one = await script(call("browser__screenshot", {}), END);
  const { run_id } = await startRun(api, { agent_id: agent.agent_id, input: { text: one.mark } });
  expect((await waitForRun(api, run_id)).status).toBe("completed");
  const { data: files } = (await api.get(`/v1/runs/${run_id}/files`)).as("RunFilePage");
  expect(files.map(({ content_type }) => content_type)).toEqual(["image/png"]);
  const told = toolResultOf((await one.calls()).at(-1));
  expect(told).toContain(files[0]?.path ?? "nothing");
  expect(told).not.toContain(data);
});
