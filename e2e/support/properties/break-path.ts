import fc from "fast-check";
import { MALFORMED_IDS } from "../nowhere-id";
import type { ApiDocument } from "./api-document";
import type { Surroundings } from "./known-values";
import { matchOperation } from "./match-operation";
import type { Breakage, PlannedRequest } from "./planned-request";

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
const WRONG_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "TRACE", "PROPFIND", "QUERY", "M-SEARCH", "PURGE"];
/** What stands where a uuid is wanted and is one. */
const OTHER_UUIDS = [
  "00000000-0000-0000-0000-000000000000",
  "ffffffff-ffff-ffff-ffff-ffffffffffff",
  "6fa459ea-ee8a-3ca4-894e-db77e160355e",
  "017f22e2-79b0-8cc3-98c4-dc0c0c07398f",
];

/** Another path or method: malformed ids, somebody else's objects, objects that are not there, what no route has. */
export function breakPath({ document, pool }: Surroundings, request: PlannedRequest): fc.Arbitrary<Breakage> {
  const template = pool.templateOf(request.operation.path);
  const rest = request.operation.path.slice(template?.length ?? 0);
  const changes: fc.Arbitrary<Breakage>[] = [methods(document, request), suffixes()];
  if (template !== null) {
    const parent = template.slice(0, template.lastIndexOf("/"));
    const start = pool.templateOf(parent);
    const before = start === null ? parent : pool.token("kept", start, 0, "path") + parent.slice(start.length);
    const last = (segment: string, fault: string, mustRefuse: boolean) => (given: PlannedRequest) => ({
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
        mustRefuse: true,
      })),
      fc.constant((given) => ({
        ...given,
        path: pool.token("nowhere", template, 0, "path") + rest,
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

/** Only methods that the path does not have: another operation's would be a valid request of that one. */
function methods(document: ApiDocument, { operation }: PlannedRequest): fc.Arbitrary<Breakage> {
  const { ofPath } = matchOperation(document.operations, operation.method, operation.path);
  const own = new Set(ofPath.map(({ method }) => method));
  const wrong = WRONG_METHODS.filter((method) => !own.has(method));
  return fc.constantFrom(...wrong).map((method) => (request) => ({ ...request, method, fault: `the method ${method}`, mustRefuse: false }));
}

function suffixes(): fc.Arbitrary<Breakage> {
  const ends = ["/", "//", "/.", "/nothing", "%20", "%00", ";a=b", ".json", "/%2e%2e/nothing", "\u00e4", "~", "/x".repeat(2000)];
  return fc
    .constantFrom(...ends)
    .map((end) => (request) => ({ ...request, path: request.path + end, fault: `the path's end ${end.slice(0, 20)}`, mustRefuse: false }));
}
