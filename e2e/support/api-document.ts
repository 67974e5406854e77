import { z } from "zod";
import type { ApiClient } from "./api-client";

const schemaShape = z.looseObject({ $ref: z.string().optional(), properties: z.record(z.string(), z.looseObject({})).optional() });
const refusalShape = z.looseObject({ value: z.looseObject({ error: z.string().optional() }) });
const mediaShape = z.looseObject({ schema: schemaShape.optional(), examples: z.record(z.string(), z.unknown()).optional() });
const contentShape = z.record(z.string(), mediaShape);
const operationShape = z.looseObject({
  operationId: z.string(),
  security: z.array(z.record(z.string(), z.array(z.string()))).optional(),
  parameters: z.array(z.looseObject({ in: z.string(), name: z.string() })).optional(),
  requestBody: z.looseObject({ content: contentShape }).optional(),
  responses: z.record(z.string(), z.looseObject({ content: contentShape.optional() })),
  "x-account-caps": z.record(z.string(), z.number()).optional(),
});
const documentShape = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operationShape)),
  components: z.looseObject({ schemas: z.record(z.string(), schemaShape) }),
});

/** What the tests need to know of one operation of `/v1/openapi.json`. */
export interface DocumentedOperation {
  id: string;
  method: string;
  path: string;
  /** Whose key it takes. */
  key: "account" | "app" | "none";
  /** The names of its path's places, in order. */
  places: string[];
  /** The query keys that it knows. */
  queries: string[];
  /** The request headers that it heeds beyond those of every operation. */
  headers: string[];
  /** The fields of its JSON body. */
  bodyFields: string[];
  /** Those that hold the id of another object. */
  bodyIds: string[];
  takesJson: boolean;
  /** Every error code that an answer of it may carry. */
  codes: string[];
  /** The caps of the account that it counts against, by their names. */
  caps: string[];
}

/** The operations as the running service documents them, so that a test over all of them cannot forget a new one. */
export async function readApiDocument(anonymous: ApiClient): Promise<DocumentedOperation[]> {
  const written = (await anonymous.get("/v1/openapi.json")).json() as Json; // parsed by its shape below
  const document = documentShape.parse({ ...written, paths: followShared(written.paths, written) });
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const schema = operation.requestBody?.content["application/json"]?.schema;
      const named = schema?.$ref ? document.components.schemas[schema.$ref.split("/").at(-1) ?? ""] : schema;
      const bodyFields = Object.keys(named?.properties ?? {});
      const parametersIn = (where: string) => (operation.parameters ?? []).flatMap((each) => (each.in === where ? [each.name] : []));
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        key: keyOf(operation.security),
        places: [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? ""),
        queries: parametersIn("query"),
        headers: parametersIn("header"),
        bodyFields,
        bodyIds: bodyFields.filter((name) => /(_id|Id)$/.test(name)),
        takesJson: schema !== undefined,
        codes: Object.entries(operation.responses).flatMap(([status, { content }]) => (Number(status) < 400 ? [] : codesOf(content))),
        caps: Object.keys(operation["x-account-caps"] ?? {}),
      };
    }),
  );
}

/** Without a word of its own an operation takes the document's default, an account key. */
function keyOf(security: Record<string, string[]>[] | undefined): DocumentedOperation["key"] {
  if (security?.length === 0) return "none";
  return security?.some((scheme) => "appKey" in scheme) ? "app" : "account";
}

/** Each refusal has an example of every code that it may carry. */
function codesOf(content: z.infer<typeof contentShape> | undefined): string[] {
  const examples = Object.values(content?.["application/json"]?.examples ?? {});
  return examples.flatMap((example) => refusalShape.parse(example).value.error ?? []);
}

type Json = Record<string, unknown>;

/** Puts what the document shares (parameters, responses) where it is referred to; schemas stay references, for they may hold themselves. */
function followShared(part: unknown, document: Json): unknown {
  if (Array.isArray(part)) return part.map((item) => followShared(item, document));
  if (typeof part !== "object" || part === null) return part;
  const { $ref } = part as { $ref?: string };
  if ($ref && !$ref.startsWith("#/components/schemas/")) return followShared(partAt(document, $ref), document);
  return Object.fromEntries(Object.entries(part).map(([name, item]) => [name, followShared(item, document)]));
}

function partAt(document: Json, reference: string): unknown {
  return reference
    .split("/")
    .slice(1)
    .reduce<unknown>((part, name) => (part as Json)[name], document);
}
