import { stringify } from "yaml";
import type { ApiContent, ApiDocument, ApiParameter } from "@/lib/console/reference/api-document";
import { followReference } from "@/lib/console/reference/follow-reference";
import type { ApiKeyKind, ApiMethod, ReferenceOperation } from "@/lib/console/reference/list-operations";

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
export function exampleCall(document: ApiDocument, operation: ReferenceOperation, baseUrl: string): ExampleCall {
  const { id, method, path, key, source } = operation;
  const parameters = (source.parameters ?? []).map((parameter) => followReference(document, parameter));
  const success = Object.entries(source.responses).find(([status]) => status.startsWith("2"))?.[1] ?? {};
  const content = followReference(document, success).content ?? {};
  return {
    operationId: id,
    method,
    path,
    places: Object.fromEntries(parameters.filter((each) => each.in === "path").map((each) => [each.name, String(exampleOf(each))])),
    headers: {},
    body: bodyOf(document, followReference(document, source.requestBody ?? {}).content ?? {}),
    answer: answerOf(Object.keys(content)[0]),
    isList: method === "GET" && isPage(document, content),
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
    return { kind: "text", mediaType, text: typeof value === "string" ? value : stringify(value), value };
  const { file: _file, ...fields } = (value ?? {}) as Record<string, string>; // the fields of a form are texts
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
