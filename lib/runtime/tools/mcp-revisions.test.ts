import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { McpServer as OldMcpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { createMcpHandler, McpServer as NewMcpServer } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { McpServer } from "@/lib/model/agent-config/effective-config";
import { createRedactor } from "@/lib/platform/crypto/redact";
import { listMcpDefinitions, toMcpTools } from "@/lib/runtime/tools/list-mcp-tools";
import { executeTool, type ToolContext } from "@/lib/runtime/tools/tool";
import type { ConnectorPort, McpRevision } from "@/lib/runtime/tools/tool-ports";

// Servers by the official packages of both lines, which speak one revision each.

type Answer = (request: Request) => Promise<Response>;

let server: Server;
let config: McpServer;
let answer: Answer;
let executed = 0;
const requests: string[] = [];
const sentHeaders: Headers[] = [];

beforeAll(async () => {
  server = createServer((incoming, response) => void handOn(incoming, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`; // listens on TCP
  config = { name: "hub", url, tools: null, read_only: [] };
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  requests.length = 0;
  sentHeaders.length = 0;
  executed = 0;
});

async function handOn(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  // A request without an encoding yields buffers.
  for await (const part of incoming) parts.push(part as Buffer);
  const body = Buffer.concat(parts).toString();
  // None of these comes twice.
  const headers = new Headers(incoming.headers as Record<string, string>);
  // The client's JSON-RPC.
  const message = body === "" ? {} : (JSON.parse(body) as { method?: string });
  requests.push(message.method ?? incoming.method ?? "");
  sentHeaders.push(headers);
  const { method } = incoming;
  const answered = await answer(
    new Request(config.url, { method, headers, ...(body !== "" && { body }) }),
  );
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  response.end(Buffer.from(await answered.arrayBuffer()));
}

const echo = ({ text }: { text: string }) => {
  executed += 1;
  return { content: [{ type: "text" as const, text: `You said ${text}.` }] };
};

/** Speaks 2026-07-28 alone. */
function modern(): Answer {
  const handler = createMcpHandler(
    () => {
      const made = new NewMcpServer({ name: "new", version: "1" });
      const inputSchema = z.object({ text: z.string().meta({ "x-mcp-header": "Text" }) });
      made.registerTool("echo", { inputSchema }, echo);
      return made;
    },
    { legacy: "reject" },
  );
  return (request) => handler.fetch(request);
}

function oldServer(): OldMcpServer {
  const made = new OldMcpServer({ name: "old", version: "1" });
  made.registerTool("echo", { inputSchema: { text: z.string() } }, echo);
  return made;
}

/** Speaks 2025-11-25, and keeps nothing from one request to the next. */
const sessionless: Answer = async (request) => {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await oldServer().connect(transport);
  return transport.handleRequest(request);
};

/** Speaks 2025-11-25, and to whoever has begun a session with it alone. */
function sessions(): Answer {
  const open = new Map<string, WebStandardStreamableHTTPServerTransport>();
  return async (request) => {
    const known = open.get(request.headers.get("mcp-session-id") ?? "");
    if (known) return known.handleRequest(request);
    const transport: WebStandardStreamableHTTPServerTransport =
      new WebStandardStreamableHTTPServerTransport({
        enableJsonResponse: true,
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => void open.set(id, transport),
      });
    await oldServer().connect(transport);
    return transport.handleRequest(request);
  };
}

function port(): ConnectorPort {
  const known = new Map<string, McpRevision>();
  return {
    reach: { allow: [new URL(config.url).host] },
    openSecret: async () => "",
    accessToken: async () => "",
    revisions: {
      find: async ({ url }) => known.get(url) ?? null,
      keep: async ({ url }, revision) => void known.set(url, revision),
    },
  };
}

const nothing = createRedactor([]);
const signal = new AbortController().signal;

async function list(at: ConnectorPort) {
  const options = { timeoutMs: 10_000, signal, redactor: nothing };
  return listMcpDefinitions(config, at, options);
}

/** One call, and the requests that it took. */
async function call(at: ConnectorPort, tools: Awaited<ReturnType<typeof list>>, text = "hello") {
  requests.length = 0;
  const [tool] = toMcpTools(config, tools.definitions, at, nothing);
  // The tools use nothing else of it.
  const context = { runId: "run", toolCallId: "call", signal } as ToolContext;
  const outcome = tool && (await executeTool(tool, { text }, context));
  return { outcome, requests: [...requests] };
}

const said = (text = "hello") => ({ succeeded: true, output: { content: [`You said ${text}.`] } });

describe("requests to a server", () => {
  it("of 2026-07-28: one for its revision, then one for each listing and call", async () => {
    answer = modern();
    const at = port();
    const listed = await list(at);
    expect(requests).toEqual(["server/discover", "tools/list"]);
    for (const text of ["one", "two"])
      expect(await call(at, listed, text)).toEqual({
        outcome: said(text),
        requests: ["tools/call"],
      });
    requests.length = 0;
    await list(at);
    expect(requests).toEqual(["tools/list"]);
  });

  it("of 2025-11-25 without sessions: the handshake once, then one for each call", async () => {
    answer = sessionless;
    const at = port();
    const listed = await list(at);
    expect(requests).toEqual([
      "server/discover",
      "initialize",
      "notifications/initialized",
      "tools/list",
    ]);
    for (const text of ["one", "two"])
      expect(await call(at, listed, text)).toEqual({
        outcome: said(text),
        requests: ["tools/call"],
      });
    requests.length = 0;
    expect(await list(at)).toEqual({ definitions: listed.definitions, ttlMs: null });
    expect(requests).toEqual(["tools/list"]);
    expect(sentHeaders.at(-1)?.get("mcp-protocol-version")).toBe("2025-11-25");
    expect(sentHeaders.at(-1)?.has("mcp-session-id")).toBe(false);
  });

  it("of 2025-11-25 with sessions: a session for each call, which is ended", async () => {
    answer = sessions();
    const at = port();
    const listed = await list(at);
    expect(await call(at, listed)).toEqual({
      outcome: said(),
      requests: ["initialize", "notifications/initialized", "tools/call", "DELETE"],
    });
  });
});

describe("a server that speaks another revision than it did", () => {
  it("is asked anew, and the call is done once", async () => {
    const at = port();
    answer = modern();
    const listed = await list(at);
    answer = sessions();
    expect((await call(at, listed)).outcome).toEqual(said());
    expect(executed).toBe(1);
    expect((await call(at, listed)).requests).toEqual([
      "initialize",
      "notifications/initialized",
      "tools/call",
      "DELETE",
    ]);
    answer = modern();
    expect((await call(at, listed)).outcome).toEqual(said());
    expect(executed).toBe(3);
    expect((await call(at, listed)).requests).toEqual(["tools/call"]);
  });

  it("is given the handshake again once it keeps sessions", async () => {
    const at = port();
    answer = sessionless;
    const listed = await list(at);
    answer = sessions();
    expect((await call(at, listed)).outcome).toEqual(said());
    expect((await call(at, listed)).requests[0]).toBe("initialize");
    expect(executed).toBe(2);
  });

  it("is not asked anew for a refusal of its tool", async () => {
    const at = port();
    answer = modern();
    const { definitions, ttlMs } = await list(at);
    const gone = definitions.map((definition) => ({ ...definition, name: "gone" }));
    const { outcome, requests: sent } = await call(at, { definitions: gone, ttlMs });
    expect([outcome?.succeeded, sent]).toEqual([false, ["tools/call"]]);
  });
});

describe("arguments that a server wants in headers", () => {
  it("are sent there too, by whatever characters they have", async () => {
    answer = modern();
    const at = port();
    const listed = await list(at);
    expect((await call(at, listed, "grüß")).outcome).toEqual(said("grüß"));
    expect(sentHeaders.at(-1)?.get("mcp-param-text")).toMatch(/^=\?base64\?/);
    expect(sentHeaders.at(-1)?.get("mcp-name")).toBe("echo");
  });
});
