import fc from "fast-check";
import type { Breakage, PlannedRequest } from "./planned-request";

const NUMBERS = [
  "0",
  "-1",
  "-0",
  "101",
  "100.0",
  "1e1",
  "+5",
  " 5",
  "5 ",
  "0x10",
  "05",
  "007",
  "1e400",
  "NaN",
  "Infinity",
  "9".repeat(400),
  "１",
  "2,3",
  "true",
];
const TIMES = [
  "0000-01-01T00:00:00Z",
  "0000-12-31T23:59:59.999Z",
  "0001-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999Z",
  "+010000-01-01T00:00:00Z",
  "-000001-01-01T00:00:00Z",
  "10000-01-01T00:00:00Z",
  "2026-02-29T00:00:00Z",
  "2024-02-29T23:59:59+23:59",
  "0000-01-01T00:00:00+23:59",
  "9999-12-31T23:59:59-23:59",
  "2026-01-01",
  "2026-01-01T24:00:00Z",
  "2026-01-01T00:00:60Z",
  "2026-01-01t00:00:00z",
  "2026-01-01T00:00:00",
  "2026-01-01T00:00:00.1234567890123456789Z",
  "2026-01-01T00:00Z",
  "now",
  "1767225600",
];
const TEXTS = [
  "",
  "%",
  "\u0000",
  "a\u0000b",
  "__proto__",
  "constructor",
  "pending,",
  ",pending",
  "pending,pending",
  "PENDING",
  "pending,lost",
  "null",
  "[]",
  "{}",
  "x".repeat(256),
  "x".repeat(1025),
  "x".repeat(6000),
  "\ufeff",
  "\u{10ffff}",
  "\\",
  "'",
  "%_%_%_%_%_%_%_%_%_%_a",
  "..",
  "01900000-0000-7000-8000-00000000000",
  "01900000-0000-7000-8000-000000000000",
];
const CURSORS = [
  "x",
  "=",
  "e30=",
  "bnVsbA==",
  "W10",
  "eyJpZCI6MX0",
  "eyJhIjoiMDAwMCJ9",
  "A".repeat(200),
  "A".repeat(201),
  "-1",
  "0",
  "1e9",
  "2026-01-01T00:00:00.000Z",
  "01900000-0000-7000-8000-000000000000",
];
/** Parts of a query that are no encoding, or that name something else than it seems. */
const RAW_PARTS = [
  "%zz",
  "limit=%zz",
  "limit=%",
  "q=%00",
  "q=%ff",
  "q=%ed%a0%80",
  "=",
  "&&&",
  "a",
  "limit",
  "limit[]=5",
  "limit=5&limit=x",
  "limit=x&limit=5",
  "cursor=a&cursor=",
  "__proto__=1",
  "__proto__[a]=1",
  "constructor[prototype][a]=1",
  "metadata=1",
  "metadata[a]=1&metadata[a]=2",
  "metadata[__proto__]=x",
  "metadata[constructor]=x",
  "metadata[]=x",
  "metadata[a][b]=x",
  "metadata[%00]=x",
  "metadata[a]=%00",
  "toString=1",
  "hasOwnProperty=1",
  "unknown=1",
  "UNKNOWN[0]=1",
  "q=+%2B+",
  "status=%70ending",
  "raw_output=TRUE",
  "raw_output=1",
  "replace=yes",
  "starting_after=-2",
  "starting_after=999999999",
  "starting_after=9999999999",
  "starting_after=1.5",
  "\u00e9=\u00e9",
  `${"a=b&".repeat(1500)}`,
  Array.from({ length: 17 }, (_, index) => `metadata[k${index}]=v`).join("&"),
];

/** A known parameter with a bad or doubtful value, or parts that no parameter has. */
export function breakQuery(request: PlannedRequest): fc.Arbitrary<Breakage> {
  const names = request.operation.parameters
    .filter((parameter) => parameter.in === "query")
    .map(({ name }) => name);
  const raw = fc.constantFrom(...RAW_PARTS).map(
    (part): Breakage =>
      (given) =>
        withPart(given, part, null),
  );
  if (names.length === 0) return raw;
  const value = fc.oneof(
    fc.constantFrom(...NUMBERS),
    fc.constantFrom(...TIMES),
    fc.constantFrom(...TEXTS),
    fc.constantFrom(...CURSORS),
    fc.string({ unit: "binary", maxLength: 30 }),
  );
  const known = fc.tuple(fc.constantFrom(...names), value).map(
    ([name, text]): Breakage =>
      (given) =>
        withPart(given, `${name}=${encodeURIComponent(text.toWellFormed())}`, name),
  );
  const cursor = fc
    .tuple(
      fc.constantFrom(
        "listRuns",
        "listAgents",
        "listFiles",
        "listSkills",
        "getConversation",
        "listRunEvents",
      ),
      fc.nat(9),
    )
    .map(
      ([list, index]): Breakage =>
        (given) =>
          withPart(given, `cursor=~cursor.${list}.${index}~`, "cursor"),
    );
  return fc.oneof(
    { weight: 5, arbitrary: known },
    { weight: 3, arbitrary: raw },
    { weight: 1, arbitrary: cursor },
  );
}

/** The request with the part in place of the parameter's own. */
function withPart(request: PlannedRequest, part: string, name: string | null): PlannedRequest {
  const others = request.query
    .split("&")
    .filter((old) => old !== "" && (name === null || old.split("=")[0] !== name));
  return {
    ...request,
    query: [...others, part].join("&"),
    fault: `the query ${part.slice(0, 60)}`,
  };
}
