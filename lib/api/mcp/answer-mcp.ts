import "server-only";
import { createMcpHandler, isLegacyRequest, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { z } from "zod";
import { errorAnswer } from "@/lib/api/http/answer";
import { bearerKey, keyRefusal, noteCaller } from "@/lib/api/http/bearer-key";
import { baseUrl } from "@/lib/api/http/dispatch";
import { hostOf, isAccountHost, isAppHost } from "@/lib/api/http/open-hosts";
import { readJson } from "@/lib/api/http/read-body";
import { requestIdOf, withOrigin } from "@/lib/api/http/request";
import { noSuchRoute } from "@/lib/api/http/router";
import { createAgentServer } from "@/lib/api/mcp/agent-server";
import { requireOwnOrigin, resourceMetadataUrl } from "@/lib/api/mcp/resource-metadata";
import { authenticateKey } from "@/lib/domain/keys/authenticate-key";
import type { Budget } from "@/lib/domain/limits/request-budgets";
import { type Principal, requireProven } from "@/lib/domain/principal";
import { invalidInput, ServiceError } from "@/lib/model/errors";
import { isUuid } from "@/lib/model/uuid";
import { API_KEY_PREFIX, looksLikeApiKey } from "@/lib/platform/crypto/api-key";
import { newId } from "@/lib/platform/ids";

const SESSION_HEADER = "mcp-session-id";

/** One message of JSON-RPC, as far as it decides what it costs and whom it is for. */
const messageSchema = z.looseObject({
  method: z.string().optional(),
  id: z.union([z.string(), z.number()]).optional().catch(undefined),
});

/**
 * `/mcp`: the account's agents as the tools of an MCP server over streamable HTTP, by the official
 * SDK, in the revisions 2026-07-28 and those up to 2025-11-25. Each POST is answered by a server of
 * its own, so any process may answer any of them; the id of an older client's session is only a
 * name, under which a later notification finds the call that it cancels. There is no stream of the
 * server's own (GET), and nothing to end (DELETE): 405. Never throws.
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
  requireOwnOrigin(request);
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
  if (!entry) throw keyRefusal(request, family, challenge(request));
  noteCaller(
    { authorization: request.headers.get("authorization"), cookie: null },
    entry.principal.accountId,
  );
  entered.budget = entry.budget;
  requireBudget(entry.budget);
  requireProven(entry.principal);
  if (method === "subscriptions/listen") return nothingToListenTo(body);
  return handOver(request, body, withOrigin(entry.principal, request.headers));
}

/**
 * This server announces no changes. The SDK would hold a stream open for each client that asks, for
 * nothing.
 */
function nothingToListenTo(body: unknown): Response {
  const id = messageSchema.safeParse(body).data?.id ?? null;
  const error = { code: ProtocolErrorCode.MethodNotFound, message: "Method not found" };
  return Response.json({ jsonrpc: "2.0", id, error }, { status: 404 });
}

/**
 * Which kind of key it is; one that cannot be any is refused before a byte of the body is read.
 * @throws ServiceError AUTHENTICATION_REQUIRED
 */
function familyOf(request: Request): "account" | "app" {
  const key = bearerKey(request);
  const family = key.startsWith(API_KEY_PREFIX.app) ? "app" : "account";
  if (!looksLikeApiKey(key, family)) throw keyRefusal(request, family, challenge(request));
  return family;
}

/** Where a client reads on that was refused (RFC 9728 §5.1). */
function challenge(request: Request): string {
  return `Bearer resource_metadata="${resourceMetadataUrl(request)}"`;
}

function requireBudget({ exceeded, limit, resetSeconds }: Budget): void {
  if (!exceeded) return;
  const message =
    `This account may make ${limit} of these requests a minute. Try again in ${resetSeconds} ` +
    "seconds.";
  throw new ServiceError("RATE_LIMITED", message, {}, { "Retry-After": String(resetSeconds) });
}

async function handOver(request: Request, body: unknown, principal: Principal): Promise<Response> {
  const isModern = !(await isLegacyRequest(request, body));
  const method = messageSchema.safeParse(body).data?.method;
  const isFirst = !isModern && method === "initialize";
  const session = isFirst ? newId() : isModern ? null : uuidOf(request.headers.get(SESSION_HEADER));
  const handler = createMcpHandler(
    () =>
      createAgentServer({
        principal,
        session,
        repeatKey: isModern ? request.headers.get("idempotency-key") : null,
        endsWithClient: isModern,
        baseUrl: baseUrl(hostOf(request)),
        signal: request.signal,
      }),
    // A run takes minutes: as a stream its answer is kept open, by comments, through proxies.
    { responseMode: method === "tools/call" ? "sse" : "auto" },
  );
  const response = await handler.fetch(request, { parsedBody: body });
  if (session !== null && isFirst && response.ok) response.headers.set(SESSION_HEADER, session);
  return response;
}

function uuidOf(text: string | null): string | null {
  return text !== null && isUuid(text) ? text.toLowerCase() : null;
}
