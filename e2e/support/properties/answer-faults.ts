import { parse as parseYaml } from "yaml";
import type {
  DocumentedOperation,
  DocumentedParameter,
  DocumentedResponse,
  DocumentSchemas,
} from "../api-document";
import type { Answer } from "./object-pool";
import type { FilledRequest } from "./planned-request";

interface OperationMatch {
  /**
   * The operations of the path, whatever their method; empty when the document has no such path.
   */
  ofPath: DocumentedOperation[];
  /** The one that answers; null when the path has none for this method. */
  operation: DocumentedOperation | null;
  params: Record<string, string>;
}

/**
 * Finds what the document says about a request line, as RFC 3986 normalises its path. Fixed
 * segments win over parameters.
 */
export function matchOperation(
  operations: readonly DocumentedOperation[],
  method: string,
  path: string,
): OperationMatch {
  const parts = new URL(path, "http://service").pathname.split("/");
  const matches = operations.flatMap((operation) => {
    const params = matchPath(operation.path.split("/"), parts);
    return params ? [{ operation, params }] : [];
  });
  const least = Math.min(...matches.map(({ params }) => Object.keys(params).length));
  const best = matches.filter(({ params }) => Object.keys(params).length === least);
  const wanted = method === "HEAD" ? "GET" : method;
  const operation = best.find((match) => match.operation.method === wanted)?.operation ?? null;
  return { ofPath: best.map((match) => match.operation), operation, params: best[0]?.params ?? {} };
}

function matchPath(template: string[], parts: string[]): Record<string, string> | null {
  if (template.length !== parts.length) return null;
  const params: Record<string, string> = {};
  for (const [index, name] of template.entries()) {
    const part = parts[index] ?? "";
    if (name.startsWith("{") && part !== "") params[name.slice(1, -1)] = decode(part);
    else if (name !== part) return null;
  }
  return params;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * The table of the contract (§1) and the specification (§7): status → the codes that belong to it.
 */
const CODES: Record<number, RegExp> = {
  400: /^INVALID_INPUT$/,
  401: /^AUTHENTICATION_REQUIRED$/,
  402: /^INSUFFICIENT_CREDITS$/,
  403: /^(ACCOUNT_BLOCKED|SUPER_AGENT_ACCESS_DENIED)$/,
  404: /^((AGENT|APP|APPROVAL|CASE|CONNECTION|CONVERSATION|DELIVERY|END_USER|ENDPOINT|FILE|MEMORY|RUN|SCHEDULE|SECRET|SKILL|TEMPLATE|VERSION|WORKSPACE)_)?NOT_FOUND$/,
  405: /^METHOD_NOT_ALLOWED$/,
  408: /^REQUEST_TIMEOUT$/,
  409: /^(CONFLICT|CONVERSATION_BUSY|IDEMPOTENCY_CONFLICT|RUN_NOT_ACTIVE)$/,
  410: /^END_USER_ERASED$/,
  412: /^VERSION_CONFLICT$/,
  413: /^PAYLOAD_TOO_LARGE$/,
  416: /^RANGE_NOT_SATISFIABLE$/,
  429: /^RATE_LIMITED$/,
};
/** Headers that an answer needs by its status, whatever the document says. */
const NEEDED: Record<number, string[]> = {
  401: ["www-authenticate"],
  405: ["allow"],
  416: ["content-range"],
  429: ["retry-after"],
};
const RATE_HEADERS = [
  "ratelimit-policy",
  "ratelimit",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
];
/** Documented headers that every answer of the response has, marked so or not. */
const ALWAYS = new Set([
  "location",
  "etag",
  "allow",
  "retry-after",
  "content-range",
  "content-disposition",
]);
// What must never reach the outside: a stack frame, a source path, a query, a database's own words.
const INTERNALS =
  /\bat [\w.<>]+ \(|node_modules|\.tsx?\b|\.m?js:\d|SELECT |INSERT INTO|prisma|postgres|violates|\/(?:home|root|usr|var)\//i;

/** All that is wrong with an answer by the document and the contract; empty when nothing is. */
export function answerFaults(
  operations: readonly DocumentedOperation[],
  schemas: DocumentSchemas,
  method: string,
  target: string,
  answer: Answer,
  namesHost = false,
): string[] {
  // Bytes that no request line may have, and what is no host name, are refused by the listener,
  // whatever they name.
  const isHttp = /^[\x21-\x7e]*$/.test(target) && !(namesHost && answer.status === 400);
  const match = isHttp
    ? matchOperation(operations, method, target)
    : { ofPath: [], operation: null, params: {} };
  const faults = answer.status >= 500 || answer.status < 200 ? [`the status ${answer.status}`] : [];
  if (!answer.headers["x-request-id"]) faults.push("no X-Request-Id");
  const needed = [
    ...(NEEDED[answer.status] ?? []),
    ...(isPastTheKey(match, answer) ? RATE_HEADERS : []),
  ];
  faults.push(...missing(answer, needed));
  if (answer.status >= 400) faults.push(...errorFaults(method, answer));
  if (match.operation)
    return [...faults, ...documentedFaults(schemas, match.operation, method, answer)];
  const expected = !isHttp ? 400 : match.ofPath.length === 0 ? 404 : 405;
  if (answer.status !== expected)
    faults.push(
      `the status ${answer.status}, not ${expected}, where the document has no such path or method`,
    );
  return faults;
}

function isPastTheKey({ operation }: OperationMatch, { status }: Answer): boolean {
  return operation !== null && operation.auth !== "none" && status !== 401;
}

function missing(answer: Answer, names: Iterable<string>): string[] {
  return [...names]
    .filter((name) => answer.headers[name] === undefined)
    .map((name) => `no header ${name}`);
}

function errorFaults(method: string, answer: Answer): string[] {
  if (method === "HEAD") return [];
  const body = parsed(answer.body.toString("utf8"));
  if (typeof body !== "object" || body === null || !("error" in body) || !("message" in body))
    return ["an error that is no error body"];
  const faults = INTERNALS.test(String(body.message))
    ? [`internals in the message: ${String(body.message).slice(0, 200)}`]
    : [];
  if (!CODES[answer.status]?.test(String(body.error)))
    faults.push(`the code ${String(body.error)} with the status ${answer.status}`);
  if (
    answer.status === 400 &&
    !("details" in body && Array.isArray(body.details) && body.details.length > 0)
  )
    faults.push("a 400 without details");
  return faults;
}

function documentedFaults(
  schemas: DocumentSchemas,
  operation: DocumentedOperation,
  method: string,
  answer: Answer,
): string[] {
  const response = operation.responses.get(answer.status);
  if (!response) return [`the status ${answer.status}, which ${operation.id} does not document`];
  const headers = [...response.headers]
    .filter(([name, required]) => required || ALWAYS.has(name))
    .map(([name]) => name);
  const faults = missing(answer, headers);
  if (answer.status >= 400) faults.push(...undocumentedCode(response, answer, method));
  return [...faults, ...contentFaults(schemas, response, method, answer)];
}

/** Where the description lists codes, the answer's is one of them. */
function undocumentedCode(
  { description }: DocumentedResponse,
  answer: Answer,
  method: string,
): string[] {
  const code =
    method === "HEAD"
      ? undefined
      : (parsed(answer.body.toString("utf8")) as { error?: unknown } | undefined)?.error;
  const listed = [...description.matchAll(/`([A-Z_]+)`/g)].map((found) => found[1]);
  return code === undefined || listed.length === 0 || listed.includes(String(code))
    ? []
    : [`the code ${String(code)}, which is not documented here`];
}

function contentFaults(
  schemas: DocumentSchemas,
  { content }: DocumentedResponse,
  method: string,
  answer: Answer,
): string[] {
  const type = (answer.headers["content-type"] ?? "").split(";")[0]?.trim() ?? "";
  if (method === "HEAD") return answer.body.length > 0 ? ["a body in answer to HEAD"] : [];
  if (content.size === 0)
    return answer.body.length > 0 ? ["a body where the document has none"] : [];
  const documented = [type, "application/octet-stream", "*/*"].find((name) => content.has(name));
  if (documented === undefined)
    return [`the content type "${type}", where the document has ${[...content.keys()].join(", ")}`];
  const pointer = content.get(documented);
  if (!pointer) return [];
  return texts(type, answer).flatMap((text) => {
    const value = /yaml$/.test(type) ? parseYaml(text) : parsed(text);
    const fault = value === undefined ? "it cannot be parsed" : schemas.faultOf(pointer, value);
    return fault === null ? [] : [`a body that does not fit: ${fault} in ${text.slice(0, 300)}`];
  });
}

/**
 * The documents in an answer: its lines where it is a stream, the last one only when it came whole.
 */
function texts(type: string, answer: Answer): string[] {
  const text = answer.body.toString("utf8");
  if (type === "application/x-ndjson")
    return text
      .split("\n")
      .slice(0, -1)
      .filter((line) => line !== "");
  return /(json|yaml)$/.test(type) ? [text] : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Why the document does not allow a request, so that it must be refused; null when it does, or when
 * there is no telling.
 */
export function outsideDocument(
  schemas: DocumentSchemas,
  operation: DocumentedOperation,
  request: FilledRequest,
): string | null {
  const { params } = matchOperation([operation], operation.method, request.target);
  const query = new URLSearchParams(request.target.split("?").slice(1).join("?"));
  for (const parameter of operation.parameters) {
    const fault = parameterFault(
      schemas,
      operation,
      parameter,
      givenValue(parameter, params, query, request),
    );
    if (fault !== null) return `${parameter.name}: ${fault}`;
  }
  return bodyFault(schemas, operation, request);
}

/**
 * Undefined when it is left out; null when it stands there twice, or in parts, and there is no
 * telling which counts.
 */
function givenValue(
  { name, in: where }: DocumentedParameter,
  params: Record<string, string>,
  query: URLSearchParams,
  request: FilledRequest,
): string | undefined | null {
  if (where === "path") return params[name];
  if (where === "header")
    return request.headers.find(([given]) => given.toLowerCase() === name.toLowerCase())?.[1];
  const all = query.getAll(name);
  return all.length > 1 || [...query.keys()].some((key) => key.startsWith(`${name}[`))
    ? null
    : all[0];
}

function parameterFault(
  schemas: DocumentSchemas,
  operation: DocumentedOperation,
  { name, schema, required }: DocumentedParameter,
  text: string | undefined | null,
): string | null {
  if (text === null || text === undefined)
    return required && text === undefined ? "is missing" : null;
  return schemas.faultBySchema(`${operation.id} ${name}`, schema, asType(schema.type, text));
}

function asType(type: string | string[] | undefined, text: string): unknown {
  if ((type === "integer" || type === "number") && /^-?\d+$/.test(text)) return Number(text);
  if (type === "boolean" && /^(true|false)$/.test(text)) return text === "true";
  return text;
}

function bodyFault(
  schemas: DocumentSchemas,
  { body }: DocumentedOperation,
  request: FilledRequest,
): string | null {
  if (!body) return null;
  if (request.body === null || request.body.length === 0)
    return body.required && body.content.every(({ mediaType }) => /json$/.test(mediaType))
      ? "a body is missing"
      : null;
  const type = request.headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  const json = body.content.find(({ mediaType }) => mediaType === "application/json");
  if (!json || !/^application\/json\s*(;|$)/i.test(type)) return null;
  try {
    return schemas.faultOf(
      json.pointer,
      JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(request.body)),
    );
  } catch {
    return "the body is no JSON";
  }
}
