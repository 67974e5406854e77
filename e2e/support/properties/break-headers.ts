import fc from "fast-check";
import type { Breakage, Credential, PlannedRequest } from "./planned-request";

const TAGS = ["*", '"x"', 'W/"x"', '"', "x", '"a", "b"', ",", "", '"\u00e9"', `"${"x".repeat(3000)}"`, '*, "x"', '"x" "y"'];
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
const KEYS = ["a", "k".repeat(255), "k".repeat(256), "", " ", "\u00ff", "a,b", "k\tk", "__proto__", "' OR 1=1"];
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
export function breakHeaders(): fc.Arbitrary<Breakage> {
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
  const credential = fc.constantFrom<Credential>("stranger", "poor", "other-door", "unknown", "none").map(
    (whose): Breakage =>
      (request) => ({ ...request, credential: whose, fault: `the key: ${whose}` }),
  );
  return fc.oneof(
    { weight: 3, arbitrary: credential },
    { weight: 2, arbitrary: named("authorization", AUTHORIZATIONS) },
    { weight: 2, arbitrary: fc.constantFrom("if-match", "if-none-match", "if-range").chain((name) => named(name, TAGS)) },
    { weight: 3, arbitrary: named("range", RANGES) },
    { weight: 2, arbitrary: named("idempotency-key", KEYS) },
    { weight: 2, arbitrary: named("accept", ACCEPTS) },
    { weight: 3, arbitrary: other },
  );
}

function withHeader(request: PlannedRequest, name: string, value: string): PlannedRequest {
  const headers = [...request.headers.filter(([old]) => old.toLowerCase() !== name), [name, value] as const];
  return { ...request, headers, fault: `${name}: ${value.slice(0, 60)}` };
}
