import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { McpServer } from "@/lib/model/agent-config/effective-config";
import { memoryFiles } from "@/lib/offline-model/test/offline-run";
import { createRedactor } from "@/lib/platform/crypto/redact";
import { listMcpDefinitions, readListed, toMcpTools } from "@/lib/runtime/tools/list-mcp-tools";
import { executeTool, type RuntimeTool, type ToolContext } from "@/lib/runtime/tools/tool";
import type { ConnectorPort, McpRevision } from "@/lib/runtime/tools/tool-ports";

const READ = {
  name: "get_issue",
  description: "Reads an issue.",
  inputSchema: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
  annotations: { readOnlyHint: true },
};
const WRITE = { name: "merge.now", inputSchema: { type: "object" } };

let server: Server;
let url: string;
let tools: unknown[] = [];
let isStream = false;
let isSilent = false;
let result: unknown = { content: [{ type: "text", text: "Issue 7" }] };
const requests: {
  method: string;
  rpc: string;
  headers: Record<string, unknown>;
  text: string;
}[] = [];

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    // A request without an encoding yields buffers.
    for await (const part of request) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString();
    // Our own client's JSON-RPC.
    const message = text === "" ? {} : (JSON.parse(text) as { id?: number; method?: string });
    requests.push({
      method: request.method ?? "",
      rpc: message.method ?? "",
      headers: request.headers,
      text,
    });
    if (isSilent) return;
    if (message.id === undefined) return void response.writeHead(202).end();
    if (message.method === "server/discover") return void response.writeHead(400).end();
    const answers: Record<string, unknown> = {
      initialize: {
        protocolVersion: "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "test", version: "1" },
      },
      "tools/list": { tools },
      "tools/call": result,
    };
    const answer = JSON.stringify({
      jsonrpc: "2.0",
      id: message.id,
      result: answers[message.method ?? ""],
    });
    if (isStream)
      response
        .writeHead(200, { "content-type": "text/event-stream" })
        .end(`event: message\ndata: ${answer}\n\n`);
    else response.writeHead(200, { "content-type": "application/json" }).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`; // listens on TCP
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  tools = [READ, WRITE];
  isStream = false;
  isSilent = false;
  result = { content: [{ type: "text", text: "Issue 7" }] };
  requests.length = 0;
});

/** A port that remembers, as long as it is used. */
function port(allowed = url): ConnectorPort & { known: Map<string, McpRevision> } {
  const known = new Map<string, McpRevision>();
  return {
    reach: { allow: [new URL(allowed).host] },
    openSecret: async () => "s3cret",
    accessToken: async () => "t0ken",
    known,
    revisions: {
      find: async (server) => known.get(server.url) ?? null,
      keep: async (server, revision) => void known.set(server.url, revision),
    },
  };
}

const nothing = createRedactor([]);

async function listMcpTools(
  server: McpServer,
  at: ConnectorPort,
  signal: AbortSignal,
): Promise<RuntimeTool[]> {
  const options = { timeoutMs: 10_000, signal, redactor: nothing };
  return toMcpTools(
    server,
    (await listMcpDefinitions(server, at, options)).definitions,
    at,
    nothing,
  );
}
const config = (more: Partial<McpServer> = {}): McpServer => ({
  name: "hub",
  url,
  tools: null,
  read_only: [],
  ...more,
});
const never = new AbortController().signal;
// The tools use nothing else of it.
const context = (signal = never, files = memoryFiles({})) =>
  ({ runId: "run", toolCallId: "call", signal, files }) as ToolContext; // what these tools use

describe("tools of an MCP server", () => {
  it("come under the server's name, guarded unless trusted and annotated read-only", async () => {
    const listed = await listMcpTools(
      config({ read_only: ["get_issue", "merge.now"] }),
      port(),
      never,
    );
    expect(listed.map(({ name, kind, server: from }) => [name, kind, from])).toEqual([
      ["hub__get_issue", "read", "hub"],
      ["hub__merge_now", "guarded", "hub"],
    ]);
    const untrusted = await listMcpTools(config(), port(), never);
    expect(untrusted.map(({ kind }) => kind)).toEqual(["guarded", "guarded"]);
    expect(
      (await listMcpTools(config({ tools: ["merge.now"] }), port(), never)).map(({ name }) => name),
    ).toEqual(["hub__merge_now"]);
  });

  it.each([false, true])(
    "are called with the secret and the call's key, and give their texts (as a stream: %s)",
    async (stream) => {
      isStream = stream;
      const [tool] = await listMcpTools(config({ auth_secret: "TOKEN" }), port(), never);
      requests.length = 0;
      expect(tool && (await executeTool(tool, { id: 7 }, context()))).toEqual({
        succeeded: true,
        output: { content: ["Issue 7"] },
      });
      const called = requests.find(({ rpc }) => rpc === "tools/call");
      expect(called?.headers).toMatchObject({
        authorization: "Bearer s3cret",
        "idempotency-key": "run:call",
      });
      expect(requests.map(({ method }) => method)).not.toContain("GET");
    },
  );

  it("refuse arguments that do not fit the server's schema, without a request", async () => {
    const [tool] = await listMcpTools(config(), port(), never);
    requests.length = 0;
    expect(tool && (await executeTool(tool, { id: "7" }, context()))).toMatchObject({
      succeeded: false,
    });
    expect(requests).toEqual([]);
  });

  it("tell a server's error as one, and store pictures and files in the run", async () => {
    const [tool] = await listMcpTools(config(), port(), never);
    result = {
      isError: true,
      content: [
        { type: "text", text: "no such issue" },
        { type: "image", data: "QUJD", mimeType: "image/png" },
        { type: "resource", resource: { uri: "x:y", blob: "AAEC", mimeType: "audio/wav" } },
      ],
    };
    const files = memoryFiles({});
    expect(tool && (await executeTool(tool, { id: 7 }, context(never, files)))).toEqual({
      succeeded: false,
      output: {
        content: [
          "no such issue",
          {
            type: "image",
            media_type: "image/png",
            file: { path: "run:downloads/get_issue-call-2.png", size_bytes: 3 },
          },
          {
            type: "resource",
            uri: "x:y",
            media_type: "audio/wav",
            file: { path: "run:downloads/get_issue-call-3.wav", size_bytes: 3 },
          },
        ],
      },
    });
    expect([...(await files.readBytes("run:downloads/get_issue-call-3.wav", 9))]).toEqual([
      0, 1, 2,
    ]);
  });

  it("are sent a file of the run where they want base64 and may write", async () => {
    const schema = {
      type: "object" as const,
      properties: { data: { type: "string", contentEncoding: "base64" } },
    };
    tools = [
      { ...WRITE, inputSchema: schema },
      { ...READ, inputSchema: schema },
    ];
    const listed = await listMcpTools(config({ read_only: [READ.name] }), port(), never);
    const files = memoryFiles({ "run:a.bin": new Uint8Array([0, 255]) });
    result = { content: [] };
    const sent: unknown[] = [];
    for (const tool of listed) {
      requests.length = 0;
      await executeTool(tool, { data: "run:a.bin" }, context(never, files));
      sent.push(JSON.stringify(requests).includes("AP8="));
    }
    expect(listed.map(({ kind }) => kind)).toEqual(["guarded", "read"]);
    expect(sent).toEqual([true, false]);
    expect(listed[0]?.sentFiles?.({ data: "run:a.bin" })).toEqual(["run:a.bin"]);
    expect(listed[0]?.sentFiles?.({ data: "QUJD" })).toEqual([]);
  });

  it("are bounded in number and size, and loose where a schema is unusable", async () => {
    const deep = { type: "object", properties: { a: { type: "nonsense" } } };
    tools = [
      { ...READ, description: "x".repeat(5_000) },
      { ...WRITE, inputSchema: deep },
      { ...WRITE, name: "n".repeat(80) },
      ...Array.from({ length: 150 }, (_, index) => ({ ...WRITE, name: `t${index}` })),
    ];
    const listed = await listMcpTools(config(), port(), never);
    expect(listed).toHaveLength(99);
    expect(listed[0]?.description).toHaveLength(1_024);
    expect(listed[1]?.inputSchema).toEqual({ type: "object", properties: {} });
  });

  it("of a server that is not public, or that answers too much, are not to be had", async () => {
    await expect(
      listMcpTools(config({ url: "http://10.0.0.1/mcp" }), port(), never),
    ).rejects.toThrow("public http or https address");
    tools = [{ ...READ, description: "x".repeat(600_000) }];
    await expect(listMcpTools(config(), port(), never)).rejects.toThrow("hub could not be used");
  });

  it("end with the run that calls them", async () => {
    const [tool] = await listMcpTools(config(), port(), never);
    isSilent = true;
    const ending = new AbortController();
    const call = tool && executeTool(tool, { id: 7 }, context(ending.signal));
    setTimeout(() => ending.abort(new Error("the run was cancelled")), 50);
    await expect(call).rejects.toThrow("the run was cancelled");
  });
});

it("a listing of other things is refused for the first, and read as far as it fits", () => {
  const error = (() => {
    try {
      return readListed(
        Array.from({ length: 1_000 }, () => ({})),
        null,
        100,
      );
    } catch (thrown) {
      return thrown;
    }
  })();
  expect(error).toBeInstanceOf(Error);
  expect(String(error).match(/"name"/g)).toHaveLength(1);
  const tool = (name: string) => ({ name, inputSchema: { type: "object" as const } });
  const names = (wanted: string[] | null, room: number) =>
    readListed([tool("a"), tool("b"), tool("c"), {}], wanted, room).map(({ name }) => name);
  expect(names(null, 2)).toEqual(["a", "b"]);
  expect(names(["c"], 1)).toEqual(["c"]);
  expect(() => names(["c"], 2)).toThrow();
});
