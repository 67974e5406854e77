import "server-only";
import { ProtocolError, ProtocolErrorCode, Server, type Tool } from "@modelcontextprotocol/server";
import {
  type CallerSession,
  callAgent,
  callKey,
  type ReportProgress,
} from "@/lib/api/mcp/call-agent";
import {
  findRunnableAgent,
  listRunnableAgents,
  type RunnableAgent,
} from "@/lib/domain/agents/runnable-agents";
import { cancelAcceptedRun } from "@/lib/domain/runs/cancel-accepted-run";
import { ServiceError } from "@/lib/model/errors";
import { trimBoth } from "@/lib/model/text/trim";

const PAGE_ROWS = 50;
/** Agents change seldom; a client that has missed a change is told so by its next call. */
const LIST_FRESH_MS = 60_000;
const DISCOVERY_FRESH_MS = 3_600_000;
const SLUG_MAX_CHARACTERS = 24;
const DESCRIPTION_MAX_CHARACTERS = 1_024;
/** Within the 64 characters that clients put their own prefix before. */
const TOOL_NAME = /^(?:[a-z0-9_]*_)?([0-9a-f]{12})$/;

/**
 * An MCP server for one caller: every active agent is a tool, and a call of it is a run that is
 * followed to its end.
 */
export function createAgentServer(caller: CallerSession): Server {
  const { principal } = caller;
  const server = new Server(
    { name: "lathe", title: "Lathe agents", version: "1.0.0" },
    {
      capabilities: { tools: {} },
      cacheHints: {
        "tools/list": { ttlMs: LIST_FRESH_MS, cacheScope: "private" },
        "server/discover": { ttlMs: DISCOVERY_FRESH_MS, cacheScope: "private" },
      },
      instructions: "Each tool is an agent. A call runs it to its end, which may take minutes.",
    },
  );
  server.setRequestHandler("tools/list", async ({ params }) => {
    const page = await listRunnableAgents(principal, {
      limit: PAGE_ROWS,
      cursor: params?.cursor ?? null,
    }).catch(asInvalidParams);
    return {
      tools: page.data.map(toTool),
      ...(page.nextCursor !== null && { nextCursor: page.nextCursor }),
    };
  });
  server.setRequestHandler(
    "tools/call",
    async ({ params }, { mcpReq: { id: requestId, notify, signal } }) => {
      const idEnd = TOOL_NAME.exec(params.name)?.[1];
      const agent = idEnd === undefined ? null : await findRunnableAgent(principal, idEnd);
      if (!agent)
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          `There is no tool ${params.name.slice(0, 100)}: list the tools anew.`,
        );
      const progressToken = params._meta?.progressToken;
      const report: ReportProgress = async (progress, message) => {
        if (progressToken === undefined) return;
        await notify({
          method: "notifications/progress",
          params: { progressToken, progress, message },
        });
      };
      return callAgent(caller, agent, params.arguments ?? {}, {
        requestId,
        report,
        signal: AbortSignal.any([signal, caller.signal]),
      });
    },
  );
  server.setNotificationHandler("notifications/cancelled", async ({ params }) => {
    const { requestId } = params;
    if (caller.session !== null && requestId !== undefined)
      await cancelAcceptedRun(principal, callKey(caller.session, requestId));
  });
  return server;
}

/**
 * The name ends in the random part of the agent's id, by which it is found: it stays the same tool
 * when the agent is renamed.
 */
function toTool(agent: RunnableAgent): Tool {
  return {
    name: [slugOf(agent.name), agent.id.slice(-12)].filter((part) => part !== "").join("_"),
    title: agent.name,
    description: (agent.description?.trim() || `Runs the agent ${agent.name}.`)
      .slice(0, DESCRIPTION_MAX_CHARACTERS)
      .toWellFormed(),
    inputSchema: { ...(agent.inputs ?? PLAIN_INPUT), type: "object" },
    ...(agent.output_schema && {
      outputSchema: { ...agent.output_schema, type: "object" as const },
    }),
  } as Tool; // a config's schemas are JSON Schemas of objects, checked when they were stored
}

/** What an agent without `inputs` is asked. */
const PLAIN_INPUT = {
  type: "object",
  properties: {
    request: { type: "string", description: "What the agent is to do, in plain language." },
  },
  required: ["request"],
};

function slugOf(name: string): string {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_");
  return trimBoth(plain.slice(0, SLUG_MAX_CHARACTERS), "_");
}

/** @throws ProtocolError in place of a refusal of what was asked for; whatever else it is given */
function asInvalidParams(error: unknown): never {
  if (error instanceof ServiceError && error.code === "INVALID_INPUT")
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
  throw error;
}
