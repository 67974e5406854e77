import { z } from "zod";
import type { ApiClient } from "./api-client";

const schemaShape = z.looseObject({ $ref: z.string().optional(), properties: z.record(z.string(), z.looseObject({})).optional() });
const operationShape = z.looseObject({
  operationId: z.string(),
  security: z.array(z.record(z.string(), z.array(z.string()))).optional(),
  parameters: z.array(z.looseObject({ in: z.string(), name: z.string() })).optional(),
  requestBody: z.looseObject({ content: z.record(z.string(), z.looseObject({ schema: schemaShape })) }).optional(),
  responses: z.record(z.string(), z.looseObject({ description: z.string() })),
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
}

/** The operations as the running service documents them, so that a test over all of them cannot forget a new one. */
export async function readApiDocument(anonymous: ApiClient): Promise<DocumentedOperation[]> {
  const document = documentShape.parse((await anonymous.get("/v1/openapi.json")).json());
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
        codes: Object.values(operation.responses).flatMap(({ description }) => description.match(/(?<=`)[A-Z][A-Z_]+(?=`)/g) ?? []),
      };
    }),
  );
}

/** Without a word of its own an operation takes the document's default, an account key. */
function keyOf(security: Record<string, string[]>[] | undefined): DocumentedOperation["key"] {
  if (security?.length === 0) return "none";
  return security?.some((scheme) => "appKey" in scheme) ? "app" : "account";
}
