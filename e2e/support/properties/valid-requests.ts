import fc from "fast-check";
import { zipSync } from "fflate";
import type { DocumentedOperation, Schema } from "../api-document";
import { agentYamls, filePaths, skillTexts } from "./awkward-texts";
import type { ObjectPool, PlaceKind } from "./object-pool";
import type { PlannedRequest } from "./planned-request";
import { knownValues, type SchemaReader, type Surroundings, schemaValues } from "./schema-values";

interface Body {
  type: string;
  body: string | Uint8Array;
}

const BOUNDARY = "part-of-a-property-test";
/** Whose objects the operations of a method may touch, so that what others need stays. */
const PLACES: Record<string, PlaceKind[]> = {
  GET: ["kept", "kept", "spare"],
  POST: ["kept", "spare"],
  PATCH: ["spare"],
  PUT: ["spare", "kept"],
  DELETE: ["doomed"],
};

/** Requests of an operation that its documentation allows, aimed at objects of the account. */
export function validRequests(
  around: Surroundings,
  operation: DocumentedOperation,
): fc.Arbitrary<PlannedRequest> {
  const reader: SchemaReader = {
    resolve: (schema) => around.document.resolve(schema),
    known: knownValues(around),
  };
  return fc
    .tuple(
      paths(around, operation),
      queries(reader, operation),
      headers(reader, operation),
      bodies(reader, operation),
    )
    .map(([path, query, named, body]) => ({
      operation,
      method: operation.method,
      path,
      query,
      headers: body === null ? named : [...named, ["content-type", body.type] as const],
      body: body?.body ?? null,
      credential: "own" as const,
      fault: null,
      mustRefuse: false,
    }));
}

function paths({ pool }: Surroundings, operation: DocumentedOperation): fc.Arbitrary<string> {
  const template = pool.templateOf(operation.path);
  if (template === null) return fc.constant(operation.path);
  if (operation.method === "PUT" && operation.path === template) return pairings(pool, template);
  const kinds = PLACES[operation.path.endsWith("/cancel") ? "PUT" : operation.method] ?? [];
  return fc
    .tuple(fc.constantFrom(...kinds), fc.nat(30))
    .map(
      ([kind, index]) =>
        pool.token(kind, template, index, "path") + operation.path.slice(template.length),
    );
}

/** A PUT below an object may name any other one of its kind: not only what stands there already. */
function pairings(pool: ObjectPool, template: string): fc.Arbitrary<string> {
  const cut = template.lastIndexOf("/");
  const outer = pool.templateOf(template.slice(0, cut));
  const inner = pool.templateNamed(template.slice(cut + 2, -1));
  return fc.tuple(fc.constantFrom<PlaceKind>("spare", "kept"), fc.nat(30)).map(([kind, index]) => {
    if (outer === null || inner === null) return pool.token(kind, template, index, "path");
    const before = pool.token("kept", outer, index, "path") + template.slice(outer.length, cut);
    return `${before}/${pool.token(kind, inner, index, "id")}`;
  });
}

function queries(reader: SchemaReader, operation: DocumentedOperation): fc.Arbitrary<string> {
  const parts = operation.parameters
    .filter((parameter) => parameter.in === "query")
    .map(({ name, schema, required }) => {
      const values = name === "cursor" ? cursors(operation) : schemaValues(reader, schema, name);
      const part = values.map((value) => pairs(name, value));
      return required
        ? part
        : fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: part });
    });
  return fc.tuple(...parts).map((all) => all.flat().join("&"));
}

function cursors(operation: DocumentedOperation): fc.Arbitrary<string> {
  return fc.nat(20).map((index) => `~cursor.${operation.id}.${index}~`);
}

/** An object becomes `name[key]=value`. */
function pairs(name: string, value: unknown): string[] {
  if (typeof value !== "object" || value === null)
    return [`${name}=${encodeURIComponent(String(value))}`];
  return Object.entries(value).map(
    ([key, inner]) => `${name}[${encodeURIComponent(key)}]=${encodeURIComponent(String(inner))}`,
  );
}

function headers(
  reader: SchemaReader,
  operation: DocumentedOperation,
): fc.Arbitrary<[string, string][]> {
  const parts = operation.parameters
    .filter((parameter) => parameter.in === "header")
    .map(({ name, schema }) => {
      const values = schemaValues(reader, schema, name).map((value): [string, string][] => [
        [name, headerValue(String(value))],
      ]);
      return fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: values });
    });
  return fc.tuple(...parts).map((all) => all.flat());
}

/** What can stand in a header at all. */
function headerValue(text: string): string {
  return text.replace(/[^\t\x20-\x7e\x80-\xff]/g, "?");
}

function bodies(
  reader: SchemaReader,
  { body, id }: DocumentedOperation,
): fc.Arbitrary<Body | null> {
  if (!body) return fc.constant(null);
  const kinds = body.content.map(({ mediaType, schema }) => bodyOf(reader, mediaType, schema, id));
  const given: fc.Arbitrary<Body | null> = fc.oneof(...kinds);
  return body.required ? given : fc.oneof(fc.constant(null), given);
}

function bodyOf(
  reader: SchemaReader,
  mediaType: string,
  schema: Schema,
  operationId: string,
): fc.Arbitrary<Body> {
  const of =
    (type: string) =>
    (body: string | Uint8Array): Body => ({ type, body });
  if (/json$/.test(mediaType))
    return schemaValues(reader, schema)
      .map((value) => JSON.stringify(value))
      .map(of("application/json"));
  if (mediaType === "multipart/form-data")
    return forms(/skill/i.test(operationId)).map(of(`multipart/form-data; boundary=${BOUNDARY}`));
  if (/yaml$/.test(mediaType))
    return fc
      .oneof(
        { weight: 2, arbitrary: agentDocuments(reader) },
        { weight: 1, arbitrary: agentYamls() },
      )
      .map(of(mediaType));
  return fc.uint8Array({ maxLength: 300 }).map(of(mediaType));
}

function agentDocuments(reader: SchemaReader): fc.Arbitrary<string> {
  const known = (name: string) => reader.known(name, { type: "object" }) ?? fc.constant({});
  return fc
    .tuple(
      fc.string({ minLength: 1, maxLength: 40, unit: "grapheme" }),
      known("config"),
      fc.constantFrom(undefined, null),
    )
    .map(([name, config, dashboard_template]) => {
      const skill_content = "# Text\n";
      const agent = { kind: "agent", format: 1, name, skill_content, config, dashboard_template };
      return `${JSON.stringify(agent)}\n`;
    });
}

function forms(isSkill: boolean): fc.Arbitrary<Uint8Array> {
  if (isSkill)
    return skillTexts().map((text) =>
      form([
        part(
          "file",
          zipSync({ "SKILL.md": Buffer.from(text), "more/a.csv": Buffer.from("a,b\n") }),
          "skill.zip",
        ),
      ]),
    );
  return fc
    .tuple(filePaths(), fc.boolean(), fc.uint8Array({ maxLength: 300 }))
    .map(([path, named, bytes]) =>
      form([
        ...(named ? [part("path", Buffer.from(path))] : []),
        part("file", bytes, "upload.bin"),
      ]),
    );
}

function part(name: string, bytes: Uint8Array, fileName?: string): Uint8Array {
  const file =
    fileName === undefined
      ? ""
      : `; filename="${fileName}"\r\nContent-Type: application/octet-stream`;
  return Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`),
    bytes,
    Buffer.from("\r\n"),
  ]);
}

function form(parts: Uint8Array[]): Uint8Array {
  return Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}
