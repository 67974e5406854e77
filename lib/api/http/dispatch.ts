import "server-only";
import {
  type Answer,
  discard,
  isRequiredHeader,
  toErrorAnswer,
  toResponse,
} from "@/lib/api/http/answer";
import { noteCaller } from "@/lib/api/http/bearer-key";
import { deprecationHeaders } from "@/lib/api/http/deprecation";
import {
  type Budget,
  type Call,
  declaredErrors,
  type Method,
  type Operation,
  type Reply,
  type ResponseSpec,
} from "@/lib/api/http/operation";
import { parseWith, readQuery } from "@/lib/api/http/parse-with";
import { readJson } from "@/lib/api/http/read-body";
import { type ApiRequest, isPlainHost, requestIdOf, withOrigin } from "@/lib/api/http/request";
import { type Match, noSuchRoute, type Router } from "@/lib/api/http/router";
import { type Principal, requireProven, requireSecondFactor } from "@/lib/domain/principal";
import { env } from "@/lib/env";
import { invalidInput, ServiceError } from "@/lib/model/errors";
import {
  BEFORE_SIGN_IN_BODY_MAX_BYTES,
  type Creates,
  IDEMPOTENCY_KEY_MAX_CHARACTERS,
  JSON_BODY_MAX_BYTES,
} from "@/lib/model/limits";
import { log } from "@/lib/platform/log";
import { publicBaseUrl } from "@/lib/platform/public-base-url";

/** Who may enter by a surface, and how it is found out. */
export interface ApiSurface {
  router: Router;
  /**
   * Asked of every request that has an operation, before anything else of it is looked at, also
   * where no sign-in is needed.
   * @throws ServiceError for a request that may not come in by this surface
   */
  admit?(request: ApiRequest, operation: Operation): void;
  /** @throws ServiceError AUTHENTICATION_REQUIRED */
  authenticate(
    request: ApiRequest,
    operation: Operation,
    params: Record<string, string>,
  ): Promise<{ principal: Principal; budget: Budget | null }>;
  /** The path that the router knows. */
  toPath(pathname: string): string;
  /** Whether the surface is open on the host that was called; absent: on every host. */
  isOpenOn?(host: string): boolean;
  /** What pages of other origins may do by it; absent: nothing. */
  crossOrigin?: CrossOrigin;
}

/** What a surface tells browsers about requests of other origins' pages. */
export interface CrossOrigin {
  /**
   * The headers of the answer to a browser that asks whether it may send one of these methods; null
   * for a request that asks no such thing.
   */
  preflight(request: ApiRequest, methods: readonly Method[]): Record<string, string> | null;
  /** What every other answer says, refusals too. Names in lower case. */
  headers(request: ApiRequest): Record<string, string>;
}

const JSON_TYPE = "application/json; charset=utf-8";

const NOBODY: Principal = {
  accountId: "",
  agentId: null,
  via: "system",
  userId: null,
  isAdmin: false,
  blocked: false,
  superAgentAccess: false,
  writePerHour: null,
  actor: { kind: "anonymous", id: null, label: null, address: null, userAgent: null },
};

/** Answers a request that Next was handed, as `answerRequest` does. */
export async function dispatch(surface: ApiSurface, request: Request): Promise<Response> {
  return toResponse(await answerRequest(surface, request));
}

/**
 * Answers one request that came from outside: path → method → key → budget → allowlist → body →
 * handler → response check → headers (contract §1). Limits by address stand before it, in the
 * listener. Never throws; whatever fails becomes the contract's error answer.
 */
export async function answerRequest(surface: ApiSurface, request: ApiRequest): Promise<Answer> {
  const requestId = requestIdOf(request);
  let budget: Budget | null = null;
  let operation: Operation | null = null;
  let answer: Answer;
  try {
    const url = new URL(request.url);
    const match =
      surface.isOpenOn?.(request.headers.get("host") ?? url.host) === false
        ? null
        : surface.router.find(surface.toPath(url.pathname));
    const preflight = answerPreflight(surface, match, request, requestId);
    if (preflight) return preflight;
    operation = await findOperation(surface, match, request);
    surface.admit?.(request, operation);
    const entry = await enter(surface, operation, request, match?.params ?? {});
    budget = entry.budget;
    requireBudget(budget);
    requireAccess(operation, entry.principal);
    const principal = withOrigin(entry.principal, request.headers);
    const call = await readCall(operation, request, url, match?.params ?? {}, principal, requestId);
    // Parsed by the operation's own schemas.
    answer = toAnswer(operation, await operation.handle(call as Call<never, never, never>));
  } catch (error) {
    answer = toErrorAnswer(
      env().CHECK_RESPONSES ? undeclaredAsFailure(operation, error) : error,
      requestId,
    );
  }
  addHeaders(answer.headers, requestId, budget);
  Object.assign(answer.headers, surface.crossOrigin?.headers(request));
  if (operation?.deprecation)
    Object.assign(answer.headers, deprecationHeaders(operation.deprecation));
  if (request.method === "HEAD") {
    // A stream that nobody reads would stay open.
    discard(answer.body);
    answer.body = null;
  }
  return answer;
}

/** A browser asks before it sends a page's request, without what the page would send. */
function answerPreflight(
  surface: ApiSurface,
  match: Match | null,
  request: ApiRequest,
  requestId: string,
): Answer | null {
  if (!match || request.method !== "OPTIONS") return null;
  const headers = surface.crossOrigin?.preflight(request, [...match.operations.keys()]);
  if (!headers) return null;
  addHeaders(headers, requestId, null);
  return { status: 204, headers, body: null };
}

async function enter(
  surface: ApiSurface,
  operation: Operation,
  request: ApiRequest,
  params: Record<string, string>,
): ReturnType<ApiSurface["authenticate"]> {
  if (operation.auth === "none") return { principal: NOBODY, budget: null };
  const entry = await surface.authenticate(request, operation, params);
  noteCaller(
    { authorization: request.headers.get("authorization"), cookie: request.headers.get("cookie") },
    entry.principal.accountId,
  );
  return entry;
}

async function findOperation(
  surface: ApiSurface,
  match: Match | null,
  request: ApiRequest,
): Promise<Operation> {
  if (!match) throw noSuchRoute(surface.toPath(new URL(request.url).pathname));
  const operation = match.operations.get(
    (request.method === "HEAD" ? "GET" : request.method) as Method,
  ); // an unknown method finds nothing
  if (operation) return operation;
  await requireMayKnow(surface, match, request);
  const allowed = [...match.operations.keys()].join(", ");
  throw new ServiceError(
    "METHOD_NOT_ALLOWED",
    `This path takes ${allowed}.`,
    {},
    { Allow: allowed },
  );
}

/** That a path of admins is there at all is told to admins only (decision 0013). */
async function requireMayKnow(
  surface: ApiSurface,
  match: Match,
  request: ApiRequest,
): Promise<void> {
  const [operation] = match.operations.values();
  if (!operation?.admin) return;
  const entry = await enter(surface, operation, request, match.params).catch((error: unknown) => {
    // Whoever is not let in learns nothing; that the database is away is no matter of who asks.
    if (error instanceof ServiceError) return null;
    throw error;
  });
  if (!entry?.principal.isAdmin) throw noSuchRoute();
}

function requireBudget(budget: Budget | null): void {
  if (!budget?.exceeded) return;
  throw new ServiceError(
    "RATE_LIMITED",
    `${budget.whose ?? "This account"} may make ${budget.limit} of these requests a minute. Try ` +
      `again in ${budget.resetSeconds} seconds.`,
    {},
    {
      "Retry-After": String(budget.resetSeconds),
    },
  );
}

/** @throws ServiceError for an operation that is not this principal's */
export function requireAccess(operation: Operation, principal: Principal): void {
  if (operation.provenOnly || principal.via === "key") requireProven(principal);
  if (operation.provenOnly) requireSecondFactor(principal);
  if (operation.superAgent && !principal.superAgentAccess) {
    throw new ServiceError(
      "SUPER_AGENT_ACCESS_DENIED",
      "This account is not on the super-agent's allowlist. Ask the operator of the service.",
    );
  }
  if (operation.admin && !principal.isAdmin) throw noSuchRoute();
}

async function readCall(
  operation: Operation,
  request: ApiRequest,
  url: URL,
  rawParams: Record<string, string>,
  principal: Principal,
  requestId: string,
): Promise<Call<unknown, unknown, unknown>> {
  const maxBytes = operation.auth === "none" ? BEFORE_SIGN_IN_BODY_MAX_BYTES : JSON_BODY_MAX_BYTES;
  const json = operation.body ? await readJson(request, maxBytes) : undefined;
  const examples = Object.values(operation.examples ?? {});
  const params = operation.params ? parseWith(operation.params, rawParams) : undefined;
  const query = operation.query
    ? parseWith(operation.query, readQuery(url.searchParams))
    : undefined;
  const body = operation.body
    ? parseWith(
        operation.body,
        json === undefined && operation.bodyOptional ? {} : requireBody(json),
        { examples },
      )
    : undefined;
  const idempotencyKey = operation.idempotent ? readIdempotencyKey(request) : null;
  if (!operation.idempotent) refuseIdempotencyKey(operation, request);
  return {
    principal,
    params,
    query,
    body,
    request,
    requestId,
    baseUrl: baseUrl(request.headers.get("host") ?? url.host),
    idempotencyKey,
  };
}

function requireBody(json: unknown): unknown {
  if (json === undefined) throw invalidInput("", "This request needs a JSON body.");
  return json;
}

function readIdempotencyKey(request: ApiRequest): string | null {
  const key = request.headers.get("idempotency-key");
  if (key === null) return null;
  if (key.length < 1 || key.length > IDEMPOTENCY_KEY_MAX_CHARACTERS)
    throw invalidInput("Idempotency-Key", "must have 1 to 255 characters");
  return key;
}

/**
 * What a repeated POST makes a second one of. Of files and secrets it cannot: their path or name is
 * taken by the first.
 */
const DOUBLED: readonly Creates[] = ["agents", "conversations", "schedules", "workspaces"];

/**
 * Whoever sends a key will send the request again under it: where that would make a second thing,
 * they learn so from the first.
 */
function refuseIdempotencyKey(operation: Operation, request: ApiRequest): void {
  if (operation.method !== "POST" || !operation.creates.some((made) => DOUBLED.includes(made)))
    return;
  if (request.headers.get("idempotency-key") === null) return;
  throw invalidInput(
    "Idempotency-Key",
    "this operation keeps no Idempotency-Key, and would do its work again: leave it out. It " +
      "holds on POST /v1/runs, /v1/runs/{run_id}/replay, /v1/runs/{run_id}/messages, " +
      "/v1/agents, /v1/agents/{agent_id}/edits, " +
      "/v1/agents/{agent_id}/schedules/{schedule_id}/run, /v1/super-agent/runs, " +
      "/v1/super-agent/runs/{run_id}/messages and the app path's /runs and " +
      "/runs/{runId}/messages",
  );
}

/**
 * Scheme and host under which this deployment is reached: the operator's, else the one that was
 * called, without a slash at its end.
 */
export function baseUrl(host: string): string {
  return publicBaseUrl(isPlainHost(host) ? host : "localhost");
}

function toAnswer(operation: Operation, reply: Reply): Answer {
  if (env().CHECK_RESPONSES) checkReply(operation, reply);
  const { status } = reply;
  if (reply instanceof Response)
    return { status, headers: Object.fromEntries(reply.headers), body: reply.body };
  if ("lines" in reply) return { status, headers: { ...reply.headers }, body: reply.lines };
  const headers: Record<string, string> = {};
  for (const name in reply.headers) headers[name.toLowerCase()] = reply.headers[name] ?? "";
  if (reply.body === undefined) return { status, headers, body: null };
  const body = typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body);
  headers["content-type"] ??= JSON_TYPE;
  headers["content-length"] = String(Buffer.byteLength(body));
  return { status, headers, body };
}

function addHeaders(
  headers: Record<string, string>,
  requestId: string,
  budget: Budget | null,
): void {
  headers["x-request-id"] = requestId;
  headers["cache-control"] ??= "no-store";
  headers["x-content-type-options"] = "nosniff";
  if (!budget) return;
  headers["ratelimit-policy"] = `"minute";q=${budget.limit};w=60`;
  headers.ratelimit = `"minute";r=${budget.remaining};t=${budget.resetSeconds}`;
  headers["x-ratelimit-limit"] = String(budget.limit);
  headers["x-ratelimit-remaining"] = String(budget.remaining);
  headers["x-ratelimit-reset"] = String(budget.resetSeconds);
}

/**
 * In tests (`CHECK_RESPONSES`) each answer is held against the document: status, media type,
 * headers and body. A difference is a failure of the service, not of the caller.
 * @throws Error for an answer that the document does not describe
 */
export function checkReply(operation: Operation, reply: Reply): void {
  const headers = new Headers(reply.headers);
  const hasBody = "lines" in reply || (reply.body !== undefined && reply.body !== null);
  const type =
    (headers.get("content-type") ?? (hasBody ? "application/json" : "")).split(";")[0]?.trim() ??
    "";
  const spec = operation.responses.find(
    (candidate) => candidate.status === reply.status && fits(candidate, type, hasBody),
  );
  if (!spec) throw differs(operation, `no answer ${reply.status} ${type}`);
  const missing = (spec.headers ?? []).filter(
    (name) => isRequiredHeader(name) && !headers.has(name),
  );
  if (missing.length > 0)
    throw differs(operation, `answer ${reply.status} without ${missing.join(", ")}`);
  if (!(reply instanceof Response) && !("lines" in reply)) checkBody(operation, spec, reply.body);
}

/**
 * In tests a refusal with a code that the operation does not declare becomes a failure of the
 * service. `operation` null: the request reached none. Who is let into no operation at all is told
 * so whichever was asked for.
 */
export function undeclaredAsFailure(operation: Operation | null, error: unknown): unknown {
  if (!operation || !(error instanceof ServiceError) || error.code === "FORBIDDEN") return error;
  if (declaredErrors(operation).includes(error.code)) return error;
  return differs(operation, `no error ${error.code}`);
}

/** The answer to HEAD has a media type and no body; so has 304. */
function fits(spec: ResponseSpec, type: string, hasBody: boolean): boolean {
  const promised = spec.contentType ?? (spec.schema ? "application/json" : null);
  return promised === null ? !hasBody : promised === "*/*" || promised === type;
}

function checkBody(operation: Operation, spec: ResponseSpec, body: unknown): void {
  if (!spec.schema) return;
  const value =
    typeof body === "string" ? JSON.parse(body) : JSON.parse(JSON.stringify(body ?? null));
  const { error } = spec.schema.safeParse(value);
  if (error) throw differs(operation, `another body: ${JSON.stringify(error.issues)}`);
}

function differs(operation: Operation, promise: string): Error {
  log.error({ operation: operation.operationId, promise }, "an answer does not fit the document");
  return new Error(`the document promises of ${operation.operationId} ${promise}`);
}
