import { stringify } from "yaml";

/** A part of the document that may stand elsewhere in it. */
interface ApiReference {
  $ref?: string;
}

/** JSON Schema, as far as the document uses it. */
export interface ApiSchema extends ApiReference {
  type?: string | string[];
  title?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  writeOnly?: boolean;
  required?: string[];
  properties?: Record<string, ApiSchema>;
  additionalProperties?: ApiSchema | boolean;
  items?: ApiSchema;
  anyOf?: ApiSchema[];
  oneOf?: ApiSchema[];
  allOf?: ApiSchema[];
  discriminator?: { propertyName: string };
}

interface ApiExample extends ApiReference {
  summary?: string;
  value?: unknown;
}

type ApiContent = Record<string, { schema?: ApiSchema; examples?: Record<string, ApiExample> }>;

export interface ApiParameter extends ApiReference {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description?: string;
  schema?: ApiSchema;
  example?: unknown;
}

export interface ApiResponse extends ApiReference {
  description?: string;
  headers?: Record<string, ApiReference & { description?: string }>;
  content?: ApiContent;
}

interface ApiOperation {
  operationId: string;
  tags?: string[];
  summary?: string;
  description?: string;
  security?: Record<string, string[]>[];
  parameters?: ApiParameter[];
  requestBody?: ApiReference & { description?: string; required?: boolean; content?: ApiContent };
  responses: Record<string, ApiResponse>;
}

/** `/v1/openapi.json`, in so far as the reference reads it. */
export interface ApiDocument {
  info: { title: string; version: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, ApiOperation>>;
  webhooks: Record<string, Record<string, ApiOperation>>;
  components: { schemas: Record<string, ApiSchema> };
}

/** What stands where a part of the document points to; the part itself when it points nowhere. */
export function followReference<T extends ApiReference>(document: ApiDocument, part: T): T {
  if (part.$ref === undefined) return part;
  const target = part.$ref
    .split("/")
    .slice(1)
    .reduce((at: unknown, key) => (at as Record<string, unknown>)[key], document);
  return followReference(document, target as T); // a reference points to a part of its own kind
}

export type ApiMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Whose key an operation takes. */
export type ApiKeyKind = "account" | "app" | "none";

/** An operation with where it stands. */
export interface ReferenceOperation {
  id: string;
  method: ApiMethod;
  path: string;
  tag: string;
  summary: string;
  key: ApiKeyKind;
  source: ApiOperation;
}

const METHODS: readonly string[] = ["get", "post", "put", "patch", "delete"];

/** The operations of the document, tag by tag in the order of the tags. */
export function listOperations(document: ApiDocument): ReferenceOperation[] {
  const all = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, source]) => ({
        id: source.operationId,
        method: method.toUpperCase() as ApiMethod, // one of METHODS
        path,
        tag: source.tags?.[0] ?? "",
        summary: source.summary ?? source.operationId,
        key: keyOf(source),
        source,
      })),
  );
  return document.tags.flatMap(({ name }) => all.filter(({ tag }) => tag === name));
}

/** Without a word of its own an operation takes the document's default, an account key. */
function keyOf({ security }: ApiOperation): ApiKeyKind {
  if (security?.length === 0) return "none";
  return security?.some((scheme) => "appKey" in scheme) ? "app" : "account";
}

export type ExampleBody =
  | { kind: "json"; value: unknown }
  | { kind: "text"; mediaType: string; text: string; value: unknown }
  /** A form with one file of the reader's, which lies beside the code. */
  | { kind: "form"; fields: Record<string, string>; fileName: string };

/** A request that the document's first examples make, to be written down in any language. */
export interface ExampleCall {
  operationId: string;
  method: ApiMethod;
  /** With its places, such as `/v1/runs/{run_id}`. */
  path: string;
  places: Record<string, string>;
  /** What the query must have. */
  query?: Record<string, string>;
  headers: Record<string, string>;
  body: ExampleBody | null;
  answer: "json" | "lines" | "text" | "bytes" | "none";
  /** The answer is a page of rows, with a cursor to the next. */
  isList: boolean;
  key: ApiKeyKind;
  /** To stand in the code itself; without one the reader's environment has it. */
  apiKey?: string | null;
  /** Where the service is, without a slash at its end. */
  baseUrl: string;
}

/** The example of an operation. */
export function exampleCall(
  document: ApiDocument,
  operation: ReferenceOperation,
  baseUrl: string,
): ExampleCall {
  const { id, method, path, key, source } = operation;
  const parameters = (source.parameters ?? []).map((parameter) =>
    followReference(document, parameter),
  );
  const success =
    Object.entries(source.responses).find(([status]) => status.startsWith("2"))?.[1] ?? {};
  const content = followReference(document, success).content ?? {};
  const needed = parameters.filter((each) => each.in === "query" && each.required);
  return {
    operationId: id,
    method,
    path,
    places: Object.fromEntries(
      parameters
        .filter((each) => each.in === "path")
        .map((each) => [each.name, String(exampleOf(each))]),
    ),
    ...(needed.length > 0 && {
      query: Object.fromEntries(needed.map((each) => [each.name, String(exampleOf(each))])),
    }),
    headers: {},
    body: bodyOf(document, followReference(document, source.requestBody ?? {}).content ?? {}),
    answer: answerOf(Object.keys(content)[0]),
    isList:
      method === "GET" &&
      parameters.some((each) => each.in === "query" && each.name === "cursor") &&
      isPage(document, content),
    key,
    baseUrl,
  };
}

function exampleOf({ example, name }: ApiParameter): unknown {
  return example ?? name.toUpperCase();
}

function bodyOf(document: ApiDocument, content: ApiContent): ExampleBody | null {
  const [first] = Object.entries(content);
  if (!first) return null;
  const [mediaType, { examples = {} }] = first;
  const [example = {}] = Object.values(examples);
  const { value } = followReference(document, example);
  if (mediaType === "application/json") return { kind: "json", value: value ?? {} };
  if (mediaType !== "multipart/form-data")
    return {
      kind: "text",
      mediaType,
      text: typeof value === "string" ? value : stringify(value),
      value,
    };
  // The fields of a form are texts.
  const { file: _file, ...fields } = (value ?? {}) as Record<string, string>;
  return { kind: "form", fields, fileName: fields.path?.split("/").at(-1) ?? "file.txt" };
}

function answerOf(mediaType: string | undefined): ExampleCall["answer"] {
  if (mediaType === undefined) return "none";
  if (mediaType === "application/x-ndjson") return "lines";
  if (mediaType === "application/json") return "json";
  return mediaType === "*/*" ? "bytes" : "text";
}

function isPage(document: ApiDocument, content: ApiContent): boolean {
  const schema = content["application/json"]?.schema;
  const properties = schema && followReference(document, schema).properties;
  return properties !== undefined && "data" in properties && "next_cursor" in properties;
}
