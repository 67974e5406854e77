import fc from "fast-check";
import type { ApiDocument } from "../api-document";
import { MALFORMED_IDS } from "../unknown-ids";
import { matchOperation } from "./answer-faults";
import { breakBody } from "./break-body";
import { breakQuery } from "./break-query";
import type { Breakage, Credential, PlannedRequest } from "./planned-request";
import type { Surroundings } from "./schema-values";

/** Requests with exactly one thing wrong, odd or foreign about them. */
export function brokenRequests(
  around: Surroundings,
  valid: fc.Arbitrary<PlannedRequest>,
): fc.Arbitrary<PlannedRequest> {
  return valid.chain((request) => {
    const kinds = [
      { weight: 3, arbitrary: breakPath(around, request) },
      {
        weight: request.operation.parameters.some((parameter) => parameter.in === "query") ? 4 : 1,
        arbitrary: breakQuery(request),
      },
      { weight: 3, arbitrary: breakHeaders() },
      { weight: request.body === null ? 1 : 7, arbitrary: breakBody(around, request) },
    ];
    return fc.oneof(...kinds).map((breakage) => breakage(request));
  });
}

const TAGS = [
  "*",
  '"x"',
  'W/"x"',
  '"',
  "x",
  '"a", "b"',
  ",",
  "",
  '"\u00e9"',
  `"${"x".repeat(3000)}"`,
  '*, "x"',
  '"x" "y"',
];
const RANGES = [
  "bytes=0-0",
  "bytes=0-",
  "bytes=-1",
  "bytes=-0",
  "bytes=1-0",
  "bytes=5-99999999999999999999",
  "bytes=99999999999999999999-",
  "bytes=-99999999999999999999",
  "bytes=0-0,2-3",
  "bytes=",
  "bytes=-",
  "bytes = 0-1",
  "Bytes=0-1",
  "items=0-1",
  "bytes=a-b",
  "bytes=0x0-0x1",
  "bytes=1e3-",
  "bytes=+0-1",
  "bytes=--1",
  "bytes=0-1-2",
  "0-1",
  "",
];
const KEYS = [
  "a",
  "k".repeat(255),
  "k".repeat(256),
  "",
  " ",
  "\u00ff",
  "a,b",
  "k\tk",
  "__proto__",
  "' OR 1=1",
];
const ACCEPTS = [
  "*/*",
  "application/json",
  "application/x-ndjson",
  "text/html",
  "application/json;q=0",
  "x".repeat(3000),
  "application/json, application/x-ndjson",
  ",",
  "\u00e9",
  "",
];
/** Headers that some part of a server heeds although nobody should. */
const OTHERS: readonly (readonly [string, string])[] = [
  ["transfer-encoding", "chunked"],
  ["x-http-method-override", "DELETE"],
  ["x-forwarded-for", "not an address"],
  ["x-forwarded-host", "evil.invalid"],
  ["x-forwarded-proto", "gopher"],
  ["forwarded", "for=_x;host=a"],
  ["host", "evil.invalid"],
  ["host", "[::1"],
  ["host", ""],
  ["host", "a:b:c"],
  ["cookie", "a=b; __proto__=c; =; ;;"],
  ["content-encoding", "gzip"],
  ["expect", "100-continue"],
  ["x-request-id", "mine"],
  ["origin", "null"],
  ["te", "trailers"],
  ["accept-encoding", "br;q=x, gzip"],
  ["if-modified-since", "yesterday"],
  ["if-unmodified-since", "0"],
  ["x-lathe-client-address", "1.2.3.4"],
  ["x-long", "x".repeat(9000)],
  ["referer", "\u00e9"],
  ["upgrade", "h2c"],
  ["x-middleware-subrequest", "proxy:proxy:proxy:proxy:proxy"],
  ["rsc", "1"],
  ["next-action", "x"],
  ["accept-language", "x".repeat(500)],
  ["content-language", "\u00ff"],
  ["max-forwards", "-1"],
  ["via", "1.1 a"],
];
const AUTHORIZATIONS = [
  "",
  "Bearer",
  "Bearer ",
  "Basic dXNlcjpwYXNz",
  "Bearer nonsense",
  `Bearer svc_sk_${"A".repeat(49)}`,
  `Bearer ${"0".repeat(9000)}`,
  "Bearer \u00e9",
  "bearer a b",
  "Bearer svc_sk_' --",
  "Bearer __proto__",
];

/** Another key or none, or a header with an odd value. */
function breakHeaders(): fc.Arbitrary<Breakage> {
  const named = (name: string, values: readonly string[]) =>
    fc.constantFrom(...values).map(
      (value): Breakage =>
        (request) =>
          withHeader(request, name, value),
    );
  const other = fc.constantFrom(...OTHERS).map(
    ([name, value]): Breakage =>
      (request) =>
        withHeader(request, name, value),
  );
  const credential = fc
    .constantFrom<Credential>("stranger", "poor", "other-surface", "unknown", "none")
    .map(
      (whose): Breakage =>
        (request) => ({ ...request, credential: whose, fault: `the key: ${whose}` }),
    );
  return fc.oneof(
    { weight: 3, arbitrary: credential },
    { weight: 2, arbitrary: named("authorization", AUTHORIZATIONS) },
    {
      weight: 2,
      arbitrary: fc
        .constantFrom("if-match", "if-none-match", "if-range")
        .chain((name) => named(name, TAGS)),
    },
    { weight: 3, arbitrary: named("range", RANGES) },
    { weight: 2, arbitrary: named("idempotency-key", KEYS) },
    { weight: 2, arbitrary: named("accept", ACCEPTS) },
    { weight: 3, arbitrary: other },
  );
}

function withHeader(request: PlannedRequest, name: string, value: string): PlannedRequest {
  const headers = [
    ...request.headers.filter(([old]) => old.toLowerCase() !== name),
    [name, value] as const,
  ];
  return { ...request, headers, fault: `${name}: ${value.slice(0, 60)}` };
}

/** Segments that are no id, whatever a decoder makes of them. */
const SEGMENTS = [
  ...MALFORMED_IDS,
  "%",
  "%zz",
  "%e0%a4",
  "%ff",
  "%c0%80",
  "%ed%a0%80",
  "%2f",
  "%5c",
  "%0d%0a",
  "%3f",
  "%23",
  "null",
  "undefined",
  "__proto__",
  "constructor",
  "toString",
  "*",
  "1e400",
  "-1",
  "%27%20or%201=1--",
  "a".repeat(4000),
  "%61".repeat(1000),
  "\u00e9",
  "%F0%9F%98%80",
  "0x7f",
  "{agent_id}",
  ":id",
  "%7B%7D",
];
const WRONG_METHODS = [
  "GET",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
  "HEAD",
  "TRACE",
  "PROPFIND",
  "QUERY",
  "M-SEARCH",
  "PURGE",
];
/** What stands where a uuid is wanted and is one. */
const OTHER_UUIDS = [
  "00000000-0000-0000-0000-000000000000",
  "ffffffff-ffff-ffff-ffff-ffffffffffff",
  "6fa459ea-ee8a-3ca4-894e-db77e160355e",
  "017f22e2-79b0-8cc3-98c4-dc0c0c07398f",
];

/**
 * Another path or method: malformed ids, somebody else's objects, objects that are not there, what
 * no route has.
 */
function breakPath(
  { document, pool }: Surroundings,
  request: PlannedRequest,
): fc.Arbitrary<Breakage> {
  const template = pool.templateOf(request.operation.path);
  const rest = request.operation.path.slice(template?.length ?? 0);
  const changes: fc.Arbitrary<Breakage>[] = [methods(document, request), suffixes()];
  // A person's name is any text, and each account has its own: it is no other's object.
  if (template !== null && !template.endsWith("{end_user}")) {
    const parent = template.slice(0, template.lastIndexOf("/"));
    const start = pool.templateOf(parent);
    const before =
      start === null ? parent : pool.token("kept", start, 0, "path") + parent.slice(start.length);
    const last =
      (segment: string, fault: string, mustRefuse: boolean) => (given: PlannedRequest) => ({
        ...given,
        path: `${before}/${segment}${rest}`,
        fault,
        mustRefuse,
      });
    changes.push(
      fc.constantFrom(...SEGMENTS).map((segment) => last(segment, "a malformed id", true)),
      fc.constantFrom(...OTHER_UUIDS).map((id) => last(id, "an id of another version", true)),
      fc.nat(20).map((index) => (given) => ({
        ...given,
        path: pool.token("foreign", template, index, "path") + rest,
        fault: "somebody else's object",
        // What is read without a key is nobody's.
        mustRefuse: request.operation.auth !== "none",
      })),
      fc.constant((given) => ({
        ...given,
        path: pool.token("unknown", template, 0, "path") + rest,
        fault: "an object that is not there",
        mustRefuse: true,
      })),
      fc.nat(20).map((index) => (given) => ({
        ...given,
        path: upperCaseId(pool.token("kept", template, index, "path")) + rest,
        fault: "an id in upper case",
        mustRefuse: false,
      })),
    );
  }
  return fc.oneof(...changes);
}

/** The case changes when the token is filled: see `fill-request.ts`. */
function upperCaseId(token: string): string {
  return `~UPPER~${token}~REPPU~`;
}

/**
 * Only methods that the path does not have: another operation's would be a valid request of that
 * one.
 */
function methods(document: ApiDocument, { operation }: PlannedRequest): fc.Arbitrary<Breakage> {
  const { ofPath } = matchOperation(document.operations, operation.method, operation.path);
  const own = new Set(ofPath.map(({ method }) => method));
  const wrong = WRONG_METHODS.filter((method) => !own.has(method));
  return fc.constantFrom(...wrong).map((method) => (request) => ({
    ...request,
    method,
    fault: `the method ${method}`,
    mustRefuse: false,
  }));
}

function suffixes(): fc.Arbitrary<Breakage> {
  const ends = [
    "/",
    "//",
    "/.",
    "/nothing",
    "%20",
    "%00",
    ";a=b",
    ".json",
    "/%2e%2e/nothing",
    "\u00e4",
    "~",
    "/x".repeat(2000),
  ];
  return fc.constantFrom(...ends).map((end) => (request) => ({
    ...request,
    path: request.path + end,
    fault: `the path's end ${end.slice(0, 20)}`,
    mustRefuse: false,
  }));
}
