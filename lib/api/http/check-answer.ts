import "server-only";
import { declaredErrors } from "@/lib/api/http/declared-errors";
import type { Operation, Reply, ResponseSpec } from "@/lib/api/http/operation";
import { isRequiredHeader } from "@/lib/api/http/response-headers";
import { ServiceError } from "@/lib/model/errors";
import { log } from "@/lib/platform/log";

/**
 * In tests (`CHECK_RESPONSES`) each answer is held against the document: status, media type, headers and body. A difference is a failure of the
 * service, not of the caller.
 * @throws Error for an answer that the document does not describe
 */
export function checkReply(operation: Operation, reply: Reply): void {
  const headers = new Headers(reply.headers);
  const hasBody = "lines" in reply || (reply.body !== undefined && reply.body !== null);
  const type = (headers.get("content-type") ?? (hasBody ? "application/json" : "")).split(";")[0]?.trim() ?? "";
  const spec = operation.responses.find((candidate) => candidate.status === reply.status && fits(candidate, type, hasBody));
  if (!spec) throw differs(operation, `no answer ${reply.status} ${type}`);
  const missing = (spec.headers ?? []).filter((name) => isRequiredHeader(name) && !headers.has(name));
  if (missing.length > 0) throw differs(operation, `answer ${reply.status} without ${missing.join(", ")}`);
  if (!(reply instanceof Response) && !("lines" in reply)) checkBody(operation, spec, reply.body);
}

/** In tests a refusal with a code that the operation does not declare becomes a failure of the service. `operation` null: the request reached none. */
export function undeclaredAsFailure(operation: Operation | null, error: unknown): unknown {
  if (!operation || !(error instanceof ServiceError) || declaredErrors(operation).includes(error.code)) return error;
  return differs(operation, `no error ${error.code}`);
}

/** The answer to HEAD has a media type and no body; so has 304. */
function fits(spec: ResponseSpec, type: string, hasBody: boolean): boolean {
  const promised = spec.contentType ?? (spec.schema ? "application/json" : null);
  return promised === null ? !hasBody : promised === "*/*" || promised === type;
}

function checkBody(operation: Operation, spec: ResponseSpec, body: unknown): void {
  if (!spec.schema) return;
  const value = typeof body === "string" ? JSON.parse(body) : JSON.parse(JSON.stringify(body ?? null));
  const { error } = spec.schema.safeParse(value);
  if (error) throw differs(operation, `another body: ${JSON.stringify(error.issues)}`);
}

function differs(operation: Operation, promise: string): Error {
  log.error({ operation: operation.operationId, promise }, "an answer does not fit the document");
  return new Error(`the document promises of ${operation.operationId} ${promise}`);
}
