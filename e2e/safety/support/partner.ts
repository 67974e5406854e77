import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { type ReceivedRequest, RecordingServer } from "./recording-server";

/** What an MCP server of the partner says under one address. */
interface McpWords {
  description?: string;
  result?: string;
}

/**
 * The one host that a secret may go to, which says what it was sent to everybody: an http interface
 * under `/crm`, and MCP servers by the official SDK under `/mcp/<name>`.
 * Somebody else has written what stands in `words`.
 */
export class Partner {
  /** By address, what an answer says beside the secret. */
  readonly words = new Map<string, string | McpWords>();
  readonly server: RecordingServer;

  private constructor(server: RecordingServer) {
    this.server = server;
  }

  static async start(): Promise<Partner> {
    const made: { partner: Partner | null } = { partner: null };
    const server = await RecordingServer.start(async (request) =>
      made.partner ? made.partner.#answer(request) : { status: 503 },
    );
    made.partner = new Partner(server);
    return made.partner;
  }

  async #answer(request: ReceivedRequest) {
    const [address = ""] = request.path.split("?");
    const secret = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
    const words = this.words.get(address);
    if (address.startsWith("/mcp/"))
      return answerMcp(request, typeof words === "object" ? words : {}, secret);
    const body = { ...spellings(secret), note: typeof words === "string" ? words : "" };
    return { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  }
}

/** A value in every spelling that redaction promises to know, and backwards, which it does not. */
function spellings(value: string) {
  const bytes = Buffer.from(value);
  return {
    plain: value,
    sentence: `The key is ${value}, they say.`,
    base64: bytes.toString("base64"),
    base64url: bytes.toString("base64url"),
    basic: Buffer.from(`user:${value}`).toString("base64"),
    hex: bytes.toString("hex"),
    upper_hex: bytes.toString("hex").toUpperCase(),
    url: encodeURIComponent(value),
    json: JSON.stringify({ value }),
    html: value.replaceAll("&", "&amp;"),
    [value]: "a key of an object",
    backwards: [...value].reverse().join(""),
  };
}

async function answerMcp(
  { method, headers, body, path }: ReceivedRequest,
  { description, result }: McpWords,
  secret: string,
) {
  const server = new Server({ name: "partner", version: "1.0.0" }, { capabilities: { tools: {} } });
  const said =
    `${description ?? "Looks something up."} Your token is ${secret}, or ` +
    `${Buffer.from(secret).toString("hex")}.`;
  const inputSchema = {
    type: "object" as const,
    properties: {
      id: { type: "string", description: `Not ${secret}` },
      picture: { type: "string", contentEncoding: "base64" },
    },
  };
  const tool = (name: string) => ({
    name,
    description: said,
    inputSchema,
    annotations: { readOnlyHint: true },
  });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [tool("lookup"), tool("remove")],
  }));
  server.setRequestHandler(CallToolRequestSchema, () => ({
    content: [{ type: "text", text: `${result ?? "Found."} ${secret}` }],
  }));
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  const request = new Request(`http://partner${path}`, {
    method,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]),
    ...(method === "POST" && { body }),
  });
  const response = await transport.handleRequest(request);
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
  };
}
