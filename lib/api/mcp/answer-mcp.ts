import "server-only";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { z } from "zod";
import { errorAnswer } from "@/lib/api/http/answer";
import { bearerKey, keyRefusal, noteCaller } from "@/lib/api/http/bearer-key";
import { baseUrl } from "@/lib/api/http/dispatch";
import { readJson } from "@/lib/api/http/read-body";
import { requestIdOf, withOrigin } from "@/lib/api/http/request";
import { createAgentServer } from "@/lib/api/mcp/create-agent-server";
import { authenticateKey } from "@/lib/domain/keys/authenticate-key";
import type { Budget } from "@/lib/domain/limits/request-budgets";
import type { Principal } from "@/lib/domain/principal";
import { invalidInput, ServiceError } from "@/lib/model/errors";
import { isUuid } from "@/lib/model/uuid";
import { API_KEY_PREFIX, looksLikeApiKey } from "@/lib/platform/crypto/api-key";
import { newId } from "@/lib/platform/ids";

const SESSION_HEADER = "mcp-session-id";

/** One message of JSON-RPC, as far as it decides what it costs and whom it is for. */
const messageSchema = z.looseObject({ method: z.string().optional() });

/**
 * `/mcp`: the account's agents as the tools of an MCP server over streamable HTTP, by the official SDK. Each POST is answered by a server of its own, so any
 * process may answer any of them; the session's id is only a name, under which a later notification finds the call that it cancels. There is no stream of the
 * server's own (GET), and nothing to end (DELETE): 405. Never throws.
 */
export async function answerMcp(request: Request): Promise<Response> {
  const requestId = requestIdOf(request);
  const entered: { budget: Budget | null } = { budget: null };
  const response = await answer(request, entered).catch((error: unknown) => errorAnswer(error, requestId));
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
  if (request.method !== "POST") throw new ServiceError("METHOD_NOT_ALLOWED", "This path takes POST.", {}, { Allow: "POST" });
  const family = familyOf(request);
  const body = await readJson(request);
  if (Array.isArray(body)) throw invalidInput("", "Send one JSON-RPC message a request: batches are not taken.");
  const method = messageSchema.safeParse(body).data?.method;
  const entry = await authenticateKey(bearerKey(request), family, method === "tools/call" ? "run" : "read");
  if (!entry) throw keyRefusal(request, family);
  noteCaller({ authorization: request.headers.get("authorization"), cookie: null }, entry.principal.accountId);
  entered.budget = entry.budget;
  requireBudget(entry.budget);
  return handOver(request, body, withOrigin(entry.principal, request.headers), method === "initialize");
}

/** Which kind of key it is; one that cannot be any is refused before a byte of the body is read. @throws ServiceError AUTHENTICATION_REQUIRED */
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

async function handOver(request: Request, body: unknown, principal: Principal, isFirst: boolean): Promise<Response> {
  const given = request.headers.get(SESSION_HEADER);
  const session = isFirst ? newId() : given !== null && isUuid(given) ? given.toLowerCase() : null;
  const transport = new WebStandardStreamableHTTPServerTransport();
  const host = request.headers.get("host") ?? new URL(request.url).host;
  const server = createAgentServer({ principal, session, baseUrl: baseUrl(host), signal: request.signal });
  await server.connect(transport);
  // What the caller has left goes on as a run; only what waits for it here ends.
  request.signal.addEventListener("abort", () => void server.close(), { once: true });
  const response = await transport.handleRequest(request, { parsedBody: body });
  if (isFirst && session !== null && response.ok) response.headers.set(SESSION_HEADER, session);
  return response;
}
