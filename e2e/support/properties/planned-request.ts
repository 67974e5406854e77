import type { DocumentedOperation } from "../api-document";
import type { ObjectPool } from "./object-pool";

/** Whose key a request carries; `poor` has no credits and no hourly writes. */
export type Credential = "own" | "stranger" | "poor" | "other-surface" | "unknown" | "none";

/**
 * A request as fast-check makes it: objects are named by tokens of the pool, which stand for real
 * ids when it is sent.
 */
export interface PlannedRequest {
  operation: DocumentedOperation;
  method: string;
  /** Percent-encoded, without the query. */
  path: string;
  /** Percent-encoded, without the question mark. */
  query: string;
  headers: readonly (readonly [string, string])[];
  body: string | Uint8Array | null;
  credential: Credential;
  /** What was broken, or aimed at somebody else's; null for a request that the document allows. */
  fault: string | null;
  /** The contract refuses this one, although the document's schemas cannot say so. */
  mustRefuse: boolean;
}

/** One thing done to a request; the outcome says what in `fault`. */
export type Breakage = (request: PlannedRequest) => PlannedRequest;

/** A request as it goes over the wire. */
export interface FilledRequest {
  method: string;
  /** Path and query. */
  target: string;
  headers: [string, string][];
  body: Uint8Array | null;
}

const UPPER = /~UPPER~(.*?)~REPPU~/g;

/** Puts real ids in the place of tokens, and the key that belongs to the credential. */
export function fillRequest(
  request: PlannedRequest,
  pool: ObjectPool,
  keys: Record<Credential, string | null>,
): FilledRequest {
  const path = pool
    .fill(request.path)
    .replace(
      UPPER,
      (_, place: string) =>
        place.slice(0, place.lastIndexOf("/")) + place.slice(place.lastIndexOf("/")).toUpperCase(),
    );
  const query = pool.fill(request.query);
  const key = keys[request.credential];
  const headers = request.headers.map(([name, value]): [string, string] => [
    name,
    pool.fill(value),
  ]);
  if (key !== null && !headers.some(([name]) => name.toLowerCase() === "authorization"))
    headers.push(["authorization", `Bearer ${key}`]);
  return {
    method: request.method,
    target: query === "" ? path : `${path}?${query}`,
    headers,
    body:
      typeof request.body === "string"
        ? new TextEncoder().encode(pool.fill(request.body))
        : request.body,
  };
}

const BODY_SHOWN_BYTES = 4000;

/** The request as a command to copy; keys are replaced by `$KEY`. */
export function toCurl(baseUrl: string, { method, target, headers, body }: FilledRequest): string {
  const shown = headers.map(
    ([name, value]) =>
      `-H ${quote(`${name}: ${value.replace(/^Bearer (svc_sk|appapi)_\w{20,}$/, "Bearer $KEY")}`)}`,
  );
  const data = body === null || body.length === 0 ? [] : [`--data-binary ${dataOf(body)}`];
  return [
    "curl -sS -i --path-as-is",
    method === "HEAD" ? "-I" : `-X ${method}`,
    ...shown,
    ...data,
    quote(`${baseUrl}${target}`),
  ].join(" ");
}

function dataOf(body: Uint8Array): string {
  const text = Buffer.from(body).toString("latin1");
  const cut =
    text.length > BODY_SHOWN_BYTES
      ? `${text.slice(0, BODY_SHOWN_BYTES)}…(${text.length} bytes)`
      : text;
  if (/^[\x20-\x7e\n]*$/.test(cut)) return quote(cut);
  return (
    "$'" +
    cut.replace(/[^\x20-\x7e]|['\\]/g, (letter) =>
      letter === "…" ? letter : `\\x${letter.charCodeAt(0).toString(16).padStart(2, "0")}`,
    ) +
    "'"
  );
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
