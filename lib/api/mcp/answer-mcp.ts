import "server-only";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
  CallToolRequestSchema,
  CancelledNotificationSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { errorAnswer } from "@/lib/api/http/answer";
import { bearerKey, keyRefusal, noteCaller } from "@/lib/api/http/bearer-key";
import { baseUrl } from "@/lib/api/http/dispatch";
import { hostOf, isAccountHost, isAppHost } from "@/lib/api/http/open-hosts";
import { readJson } from "@/lib/api/http/read-body";
import { requestIdOf, withOrigin } from "@/lib/api/http/request";
import { noSuchRoute } from "@/lib/api/http/router";
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
import { authenticateKey } from "@/lib/domain/keys/authenticate-key";
import type { Budget } from "@/lib/domain/limits/request-budgets";
import { type Principal, requireProven } from "@/lib/domain/principal";
import { cancelAcceptedRun } from "@/lib/domain/runs/cancel-accepted-run";
import { invalidInput, ServiceError } from "@/lib/model/errors";
import { trimBoth } from "@/lib/model/text/trim";
import { isUuid } from "@/lib/model/uuid";
import { API_KEY_PREFIX, looksLikeApiKey } from "@/lib/platform/crypto/api-key";
import { newId } from "@/lib/platform/ids";

const SESSION_HEADER = "mcp-session-id";

/** One message of JSON-RPC, as far as it decides what it costs and whom it is for. */
const messageSchema = z.looseObject({ method: z.string().optional() });

/**
 * `/mcp`: the account's agents as the tools of an MCP server over streamable HTTP, by the official SDK. Each POST is answered by a server of its own, so any
 * process may answer any of them; the session's id is only a name, under which a later notification
 * finds the call that it cancels. There is no stream of the server's own (GET), and nothing to end
 * (DELETE): 405. Never throws.
 */
export async function answerMcp(request: Request): Promise<Response> {
  const requestId = requestIdOf(request);
  const entered: { budget: Budget | null } = { budget: null };
  const response = await answer(request, entered).catch((error: unknown) =>
    errorAnswer(error, requestId),
  );
  response.headers.set("x-request-id", requestId);
  response.headers.set("cache-control", "no-store");
  response.headers.set("x-content-type-options", "nosniff");
  if (entered.budget) {
    const { limit, remaining, resetSeconds } = entered.budget;
    response.headers.set("ratelimit-policy", `"minute";q=${limit};w=60`);
    response.headers.set("ratelimit", `"minute";r=${remaining};t=${resetSeconds}`);
  }
  return response;
}

async function answer(request: Request, entered: { budget: Budget | null }): Promise<Response> {
  const open = { account: isAccountHost(hostOf(request)), app: isAppHost(hostOf(request)) };
  if (!open.account && !open.app) throw noSuchRoute();
  if (request.method !== "POST")
    throw new ServiceError("METHOD_NOT_ALLOWED", "This path takes POST.", {}, { Allow: "POST" });
  const family = familyOf(request);
  // Each kind of key on the host of its own surface.
  if (!open[family]) throw noSuchRoute();
  const body = await readJson(request);
  if (Array.isArray(body))
    throw invalidInput("", "Send one JSON-RPC message a request: batches are not taken.");
  const method = messageSchema.safeParse(body).data?.method;
  const entry = await authenticateKey(
    bearerKey(request),
    family,
    method === "tools/call" ? "run" : "read",
  );
  if (!entry) throw keyRefusal(request, family);
  noteCaller(
    { authorization: request.headers.get("authorization"), cookie: null },
    entry.principal.accountId,
  );
  entered.budget = entry.budget;
  requireBudget(entry.budget);
  requireProven(entry.principal);
  return handOver(
    request,
    body,
    withOrigin(entry.principal, request.headers),
    method === "initialize",
  );
}

/**
 * Which kind of key it is; one that cannot be any is refused before a byte of the body is read.
 * @throws ServiceError AUTHENTICATION_REQUIRED
 */
function familyOf(request: Request): "account" | "app" {
  const key = bearerKey(request);
  const family = key.startsWith(API_KEY_PREFIX.app) ? "app" : "account";
  if (!looksLikeApiKey(key, family)) throw keyRefusal(request, family);
  return family;
}

function requireBudget({ exceeded, limit, resetSeconds }: Budget): void {
  if (!exceeded) return;
  const message = `This account may make ${limit} of these requests a minute. Try again in ${resetSeconds} seconds.`;
  throw new ServiceError("RATE_LIMITED", message, {}, { "Retry-After": String(resetSeconds) });
}

async function handOver(
  request: Request,
  body: unknown,
  principal: Principal,
  isFirst: boolean,
): Promise<Response> {
  const given = request.headers.get(SESSION_HEADER);
  const session = isFirst ? newId() : given !== null && isUuid(given) ? given.toLowerCase() : null;
  const transport = new WebStandardStreamableHTTPServerTransport();
  const server = createAgentServer({
    principal,
    session,
    baseUrl: baseUrl(hostOf(request)),
    signal: request.signal,
  });
  await server.connect(transport);
  // What the caller has left goes on as a run; only what waits for it here ends.
  request.signal.addEventListener("abort", () => void server.close(), { once: true });
  const response = await transport.handleRequest(request, { parsedBody: body });
  if (isFirst && session !== null && response.ok) response.headers.set(SESSION_HEADER, session);
  return response;
}

const PAGE_ROWS = 50;
const SLUG_MAX_CHARACTERS = 24;
const DESCRIPTION_MAX_CHARACTERS = 1_024;
/** Within the 64 characters that clients put their own prefix before. */
const TOOL_NAME = /^(?:[a-z0-9_]*_)?([0-9a-f]{12})$/;

/**
 * An MCP server for one caller: every active agent is a tool, and a call of it is a run that is
 * followed to its end.
 */
function createAgentServer(caller: CallerSession): Server {
  const { principal } = caller;
  const server = new Server(
    { name: "lathe", title: "Lathe agents", version: "1.0.0" },
    {
      capabilities: { tools: {} },
      instructions: "Each tool is an agent. A call runs it to its end, which may take minutes.",
    },
  );
  server.setRequestHandler(ListToolsRequestSchema, async ({ params }) => {
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
    CallToolRequestSchema,
    async ({ params }, { requestId, sendNotification, signal }) => {
      const idEnd = TOOL_NAME.exec(params.name)?.[1];
      const agent = idEnd === undefined ? null : await findRunnableAgent(principal, idEnd);
      if (!agent)
        throw new McpError(
          ErrorCode.InvalidParams,
          `There is no tool ${params.name.slice(0, 100)}: list the tools anew.`,
        );
      const progressToken = params._meta?.progressToken;
      const report: ReportProgress = async (progress, message) => {
        if (progressToken === undefined) return;
        await sendNotification({
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
  server.setNotificationHandler(CancelledNotificationSchema, async ({ params }) => {
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

/** @throws McpError in place of a refusal of what was asked for; whatever else it is given */
function asInvalidParams(error: unknown): never {
  if (error instanceof ServiceError && error.code === "INVALID_INPUT")
    throw new McpError(ErrorCode.InvalidParams, error.message);
  throw error;
}
