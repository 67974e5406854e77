import "server-only";
import type { McpServer } from "@/lib/model/agent-config/effective-config";
import { checkSchema } from "@/lib/model/json-schema/check-schema";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { callMcpTool } from "./call-mcp-tool";
import { secretPreview } from "./connector-headers";
import type { ConnectorPort } from "./connector-port";
import type { McpDefinition } from "./mcp-definition";
import { withMcpServer } from "./mcp-session";
import type { RuntimeTool } from "./tool";

const LIST_TIMEOUT_MS = 10_000;
const TOOLS_MAX = 100;
const PAGES_MAX = 10;
const DESCRIPTION_MAX_CHARACTERS = 1_024;
const SCHEMA_MAX_CHARACTERS = 20_000;
/** What vendors of models take for a tool's name. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * The tools of an MCP server, as `<server>__<tool>`, bounded in number, size and time. What the server says of itself is not trusted further
 * than this: a tool is guarded unless the server calls it read-only and the agent's owner names it under `read_only`; one whose name or schema cannot be used is left out or taken loosely.
 * @throws ToolFailure when the server cannot be reached
 */
export async function listMcpTools(server: McpServer, port: ConnectorPort, signal: AbortSignal): Promise<RuntimeTool[]> {
  const definitions = await withMcpServer(server, port, { timeoutMs: LIST_TIMEOUT_MS, signal }, async (client, limited) => {
    const found: McpDefinition[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < PAGES_MAX && found.length < TOOLS_MAX; page++) {
      const answer = await client.listTools({ ...(cursor !== undefined && { params: { cursor } }), options: { signal: limited } });
      found.push(...answer.tools.filter((tool) => server.tools === null || server.tools.includes(tool.name)));
      cursor = answer.nextCursor;
      if (cursor === undefined) break;
    }
    return found.slice(0, TOOLS_MAX);
  });
  return definitions.flatMap((definition) => toRuntimeTool(server, definition, port));
}

function toRuntimeTool(server: McpServer, definition: McpDefinition, port: ConnectorPort): RuntimeTool[] {
  const name = `${server.name}__${definition.name.replace(/[^A-Za-z0-9_-]/g, "_")}`;
  if (!NAME.test(name)) return [];
  const description = (definition.description ?? definition.title ?? definition.name)
    .slice(0, DESCRIPTION_MAX_CHARACTERS)
    .replaceAll("\u0000", "")
    .toWellFormed();
  return [
    {
      name,
      description,
      inputSchema: toInputSchema(definition),
      kind: isReadOnly(server, definition) ? "read" : "guarded",
      server: server.name,
      target: `${definition.name} of ${server.url}`,
      definition: toPlainDefinition(server, definition),
      preview: () => ({ tool_kind: "mcp", method: definition.name, target: server.url, ...secretPreview(server) }),
      execute: (args, context) => callMcpTool(server, definition, args, port, context),
    },
  ];
}

/** A server that was taken over would call everything harmless, so its word alone does not count; neither does the owner's, once the server takes it back. */
function isReadOnly(server: McpServer, definition: McpDefinition): boolean {
  return definition.annotations?.readOnlyHint === true && server.read_only.includes(definition.name);
}

/** The tool as its server describes it, and where and as whom it is called. */
function toPlainDefinition({ url, auth_secret, auth_header }: McpServer, definition: McpDefinition): JsonObject {
  return JSON.parse(JSON.stringify({ url, auth_secret, auth_header, tool: definition })) as JsonObject; // it came as JSON
}

/** The server's schema where it is one that we can hold arguments against; else any object, which the server checks itself. */
function toInputSchema({ inputSchema }: McpDefinition): JsonObject {
  const { $schema: _, ...schema } = inputSchema;
  const isUsable = JSON.stringify(schema).length <= SCHEMA_MAX_CHARACTERS && checkSchema(schema).length === 0;
  // It came as JSON, and `checkSchema` found nothing wrong with it.
  return isUsable ? (schema as JsonObject) : { type: "object", properties: {} };
}
