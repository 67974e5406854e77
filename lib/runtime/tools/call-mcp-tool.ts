import "server-only";
import { z } from "zod";
import type { McpServer } from "@/lib/model/agent-config/effective-config";
import type { JsonObject, JsonValue } from "@/lib/model/json-schema/json-value";
import type { ConnectorPort } from "./connector-port";
import type { McpDefinition } from "./mcp-definition";
import { withMcpServer } from "./mcp-session";
import { parseAnswerJson } from "./read-answer";
import type { ToolContext, ToolOutcome } from "./tool";
import { ToolFailure } from "./tool-failure";

const CALL_TIMEOUT_MS = 60_000;

const resultSchema = z.object({
  content: z.array(z.looseObject({ type: z.string() })).catch([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().catch(false),
});

/** One call of a tool of an MCP server, on a connection of its own; it carries the idempotency key of its call. */
export async function callMcpTool(
  server: McpServer,
  definition: McpDefinition,
  args: unknown,
  port: ConnectorPort,
  context: ToolContext,
): Promise<ToolOutcome> {
  const headers = { "idempotency-key": `${context.runId}:${context.toolCallId}` };
  const answer = await withMcpServer(
    server,
    port,
    { timeoutMs: CALL_TIMEOUT_MS, signal: context.signal, headers },
    async (client, abortSignal) => {
      const tool = client.toolsFromDefinitions({ tools: [definition] })[definition.name];
      if (!tool) throw new ToolFailure("The MCP server no longer has this tool.");
      return tool.execute(args, { toolCallId: context.toolCallId, messages: [], abortSignal });
    },
  );
  return toOutcome(resultSchema.parse(answer));
}

function toOutcome({ content, structuredContent, isError }: z.infer<typeof resultSchema>): ToolOutcome {
  const output: JsonObject = { content: content.map(toPart) };
  const data = structuredContent === undefined ? undefined : toPlainJson(structuredContent);
  if (data !== undefined) output.data = data;
  return { succeeded: !isError, output };
}

/** Texts are shown; of pictures and files only what they are. */
function toPart(part: { type: string; [key: string]: unknown }): JsonValue {
  if (part.type === "text") return String(part.text ?? "");
  const resource = typeof part.resource === "object" && part.resource !== null ? (part.resource as Record<string, unknown>) : part; // an object, as just seen
  const shown: JsonObject = { type: part.type };
  if (typeof resource.uri === "string") shown.uri = resource.uri;
  if (typeof part.mimeType === "string") shown.media_type = part.mimeType;
  if (typeof resource.text === "string") shown.text = resource.text;
  return shown;
}

/** Whatever the server sent, as JSON of a depth that can be kept. */
function toPlainJson(value: unknown): JsonValue | undefined {
  try {
    return parseAnswerJson(JSON.stringify(value));
  } catch {
    return undefined;
  }
}
