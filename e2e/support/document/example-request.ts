import type { RequestOptions } from "../api-client";
import type { DocumentOperation, DocumentParameter } from "./api-document";
import { type Bindings, bindNames, boundTo } from "./bind-names";

export interface ExampleRequest {
  name: string;
  path: string;
  options: RequestOptions;
}

/**
 * The requests that the document's examples make of an operation: each example of a body, or one without; then, where there are optional parameters, the
 * first of them again with every parameter that has an example.
 */
export function exampleRequests(operation: DocumentOperation, bindings: Bindings): ExampleRequest[] {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(pathValue(operation, name, bindings)));
  const bodies = operation.requests.length > 0 ? operation.requests : [null];
  const required = operation.parameters.filter((parameter) => parameter.required);
  const optional = operation.parameters.filter((parameter) => parameter.in !== "path" && parameter.example !== undefined);
  // Raw bytes say in the query where they go.
  const plain = bodies.map((body) => ({
    name: body?.name ?? "plain",
    path,
    options: optionsOf(body, body?.mediaType === "application/octet-stream" ? optional : required, bindings),
  }));
  if (optional.length === 0) return plain;
  return [...plain, { name: "with every parameter", path, options: optionsOf(bodies[0] ?? null, optional, bindings) }];
}

function pathValue(operation: DocumentOperation, name: string, bindings: Bindings): string {
  const parameter = operation.parameters.find((each) => each.in === "path" && each.name === name);
  return boundTo(bindings, name) ?? String(parameter?.example);
}

function optionsOf(
  body: DocumentOperation["requests"][number] | null,
  parameters: DocumentParameter[],
  bindings: Bindings,
): RequestOptions {
  const query: Record<string, string> = {};
  const headers: Record<string, string> = {};
  for (const { in: place, name, example } of parameters) {
    if (place === "header") headers[name] = String(example);
    if (place !== "query") continue;
    if (typeof example === "object" && example !== null)
      for (const [key, value] of Object.entries(example)) query[`${name}[${key}]`] = String(value);
    else query[name] = boundTo(bindings, name) ?? String(example);
  }
  if (!body) return { query, headers };
  const value = bindNames(body.value, bindings);
  if (body.mediaType === "application/json") return { query, headers, json: value };
  if (body.mediaType === "multipart/form-data") return { query, headers, raw: toForm(value) };
  // JSON is YAML too; bytes are given as text.
  const raw = typeof value === "string" ? value : JSON.stringify(value);
  return { query, headers: { ...headers, "content-type": body.mediaType }, raw };
}

function toForm(value: unknown): FormData {
  const form = new FormData();
  for (const [name, text] of Object.entries(value as Record<string, string>)) {
    if (name === "file") form.set(name, new Blob([text]), "example.csv");
    else form.set(name, text);
  }
  return form;
}
