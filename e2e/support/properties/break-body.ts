import fc from "fast-check";
import type { Schema } from "../api-document";
import { breakJson } from "./break-json";
import type { PlaceKind } from "./object-pool";
import type { Breakage, PlannedRequest } from "./planned-request";
import type { Surroundings } from "./schema-values";

const BODY_MAX_BYTES = 1_048_576;
const encode = (text: string) => new TextEncoder().encode(text);

/** A text of JSON made into something that is not. */
const TEXT_CHANGES: Record<string, (text: string) => string | Uint8Array> = {
  "no body": () => "",
  "a body cut short": (text) => text.slice(0, -1),
  "more after the body": (text) => `${text}{}`,
  "a trailing comma": (text) => text.replace(/\}$/, ",}").replace(/^\{,\}$/, "{,}"),
  "single quotes": () => "{'a': 1}",
  "a comment": (text) => `/* */${text}`,
  "a byte order mark in the middle": (text) => `${text}\ufeff`,
  NaN: () => '{"a": NaN}',
  "a raw control character": () => '{"a": "\u0001"}',
  "a list": (text) => `[${text}]`,
  null: () => "null",
  "a text": () => '"text"',
  "a number": () => "1e400",
  "100,000 levels": () => "[".repeat(100_000),
  "100,000 closed levels": () => "[".repeat(100_000) + "]".repeat(100_000),
  "bytes that are no UTF-8": () => new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  "an encoded surrogate": () =>
    new Uint8Array([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
  "UTF-16": (text) => Buffer.from(`\ufeff${text}`, "utf16le"),
  "a body over 1 MiB": (text) => text.padEnd(BODY_MAX_BYTES + 1, " "),
};
const JSON_TYPES_REFUSED = [
  "text/plain",
  "application/x-www-form-urlencoded",
  "application/jsonx",
  "multipart/form-data",
  "json",
  "",
  "application/problem+json",
  "application/octet-stream",
];
const JSON_TYPES_TAKEN = [
  "application/json; charset=utf-8",
  "APPLICATION/JSON",
  "application/json ;a=b",
  "application/json; charset=\u00e9",
];
const FORM_TYPES = [
  "multipart/form-data",
  "multipart/form-data; boundary=",
  `multipart/form-data; boundary=${"b".repeat(500)}`,
  'multipart/form-data; boundary="',
  "multipart/mixed; boundary=x",
  "text/plain",
  "",
];
const FORMS = [
  "",
  "--x",
  "--x--\r\n",
  "--x\r\n\r\n\r\n--x--\r\n",
  '--x\r\nContent-Disposition: form-data; name="file"\r\n\r\nabc\r\n--x--\r\n',
  '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
  '--x\r\nContent-Disposition: form-data; name="file"; filename="../../a"\r\n\r\nabc\r\n--x--\r\n',
  '--x\r\nContent-Disposition: form-data; name="__proto__"; filename="a"\r\n\r\nabc\r\n--x--\r\n',
  '--x\r\nContent-Disposition: form-data; name="path"\r\n\r\na.txt\r\n--x--\r\n',
  `--x\r\n${"A: b\r\n".repeat(3000)}\r\nabc\r\n--x--\r\n`,
  '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n1\r\n--x\r\n' +
    'Content-Disposition: form-data; name="file"; filename="b"\r\n\r\n2\r\n--x--\r\n',
  '--x\r\nContent-Disposition: form-data; name="file"; filename="\u0000"\r\n' +
    "Content-Type: \u0000/\u0001\r\n\r\nabc\r\n--x--\r\n",
  "PK\u0003\u0004 no zip",
];

/** Another body, or another name for its type. */
export function breakBody(around: Surroundings, request: PlannedRequest): fc.Arbitrary<Breakage> {
  const type = typeOf(request);
  if (request.body === null) return strayBodies();
  if (/^application\/json/.test(type))
    return fc.oneof(
      { weight: 4, arbitrary: jsonValues(around, request) },
      { weight: 1, arbitrary: foreignIds(around, request) },
      { weight: 2, arbitrary: jsonTexts() },
      { weight: 1, arbitrary: jsonTypes() },
    );
  return fc.oneof(
    fc.constantFrom(...FORMS).map(
      (body): Breakage =>
        (given) =>
          withBody(given, body, "multipart/form-data; boundary=x", "a broken form", false),
    ),
    fc.constantFrom(...FORM_TYPES).map(
      (other): Breakage =>
        (given) =>
          withBody(given, given.body ?? "", other, `the type ${other.slice(0, 40)}`, false),
    ),
    fc.uint8Array({ maxLength: 400 }).map(
      (bytes): Breakage =>
        (given) =>
          withBody(given, bytes, typeOf(given), "random bytes", false),
    ),
    jsonTexts(),
  );
}

function typeOf(request: PlannedRequest): string {
  return request.headers.find(([name]) => name === "content-type")?.[1] ?? "";
}

function jsonValues(
  around: Surroundings,
  { body, operation }: PlannedRequest,
): fc.Arbitrary<Breakage> {
  const schema: Schema =
    operation.body?.content.find(({ mediaType }) => /json$/.test(mediaType))?.schema ?? {};
  return breakJson(around.document, schema, JSON.parse(String(body))).map(
    ({ text, fault, mustRefuse }): Breakage =>
      (request) =>
        withBody(request, text, "application/json", fault, mustRefuse),
  );
}

/** Somebody else's object, or none, where the body names one. */
function foreignIds(
  { document, pool }: Surroundings,
  request: PlannedRequest,
): fc.Arbitrary<Breakage> {
  const schema = document.resolve(request.operation.body?.content[0]?.schema ?? {});
  const fields = Object.keys(schema.properties ?? {}).flatMap((name) => {
    const template = pool.templateNamed(name);
    return template === null ? [] : [{ name, template }];
  });
  if (fields.length === 0) return jsonTexts();
  return fc
    .tuple(
      fc.constantFrom(...fields),
      fc.constantFrom<PlaceKind>("foreign", "foreign", "unknown"),
      fc.nat(9),
    )
    .map(
      ([{ name, template }, kind, index]): Breakage =>
        (given) => {
          const body = JSON.stringify({
            ...JSON.parse(String(given.body)),
            [name]: pool.token(kind, template, index, "id"),
          });
          return withBody(given, body, typeOf(given), `a ${kind} ${name}`, true);
        },
    );
}

function jsonTexts(): fc.Arbitrary<Breakage> {
  return fc.constantFrom(...Object.entries(TEXT_CHANGES)).map(
    ([fault, change]): Breakage =>
      (request) => {
        const isJson =
          request.operation.body?.content.every(({ mediaType }) => /json$/.test(mediaType)) ===
          true;
        const mustRefuse =
          isJson && (fault !== "no body" || request.operation.body?.required === true);
        return withBody(
          request,
          change(typeof request.body === "string" ? request.body : "{}"),
          typeOf(request),
          fault,
          mustRefuse,
        );
      },
  );
}

function jsonTypes(): fc.Arbitrary<Breakage> {
  const refused = fc.constantFrom(...JSON_TYPES_REFUSED).map(
    (type): Breakage =>
      (given) =>
        withBody(given, given.body ?? "", type, `the type ${type}`, true),
  );
  const taken = fc.constantFrom(...JSON_TYPES_TAKEN).map(
    (type): Breakage =>
      (given) =>
        withBody(given, given.body ?? "", type, `the type ${type}`, false),
  );
  return fc.oneof(refused, taken);
}

/** Bodies for operations that take none. */
function strayBodies(): fc.Arbitrary<Breakage> {
  return fc.constantFrom("{", "{}", "\u0000", "x".repeat(100_000)).map(
    (body): Breakage =>
      (request) =>
        withBody(request, body, "application/json", "a body that nobody asked for", false),
  );
}

function withBody(
  request: PlannedRequest,
  body: string | Uint8Array,
  type: string,
  fault: string,
  mustRefuse: boolean,
): PlannedRequest {
  const headers = [
    ...request.headers.filter(([name]) => name !== "content-type"),
    ...(type === "" ? [] : [["content-type", type] as const]),
  ];
  return {
    ...request,
    body: typeof body === "string" && !/~/.test(body) ? encode(body) : body,
    headers,
    fault,
    mustRefuse,
  };
}
