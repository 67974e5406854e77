import type { RequestOptions } from "../api-client";
import type { DocumentedOperation, DocumentedParameter } from "../api-document";

/** What the names of ids, secrets and addresses stand for in a test, in `snake_case`. */
export type Bindings = Record<string, string>;

/** The real thing of a name, whichever way it is written: `agent_id` and `agentId` are one. */
export function boundTo(bindings: Bindings, name: string): string | undefined {
  return bindings[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
}

/** An example with the real things in place of those that it names. */
function bindNames(example: unknown, bindings: Bindings): unknown {
  if (Array.isArray(example)) return example.map((item) => bindNames(item, bindings));
  if (typeof example !== "object" || example === null) return example;
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => [
      name,
      typeof value === "string" ? (boundTo(bindings, name) ?? value) : bindNames(value, bindings),
    ]),
  );
}

export interface ExampleRequest {
  name: string;
  path: string;
  options: RequestOptions;
}

/**
 * The requests that the document's examples make of an operation: each example of a body, or one
 * without; then, where there are optional parameters, the first of them again with every parameter
 * that has an example.
 */
export function exampleRequests(
  operation: DocumentedOperation,
  bindings: Bindings,
): ExampleRequest[] {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(pathValue(operation, name, bindings)),
  );
  const examples = (operation.body?.content ?? []).flatMap(({ mediaType, examples: each }) =>
    each.map((example) => ({ mediaType, ...example })),
  );
  const bodies = examples.length > 0 ? examples : [null];
  const required = operation.parameters.filter((parameter) => parameter.required);
  const optional = operation.parameters.filter(
    (parameter) => parameter.in !== "path" && parameter.example !== undefined,
  );
  // Raw bytes say in the query where they go.
  const plain = bodies.map((body) => ({
    name: body?.name ?? "plain",
    path,
    options: optionsOf(
      body,
      body?.mediaType === "application/octet-stream" ? optional : required,
      bindings,
    ),
  }));
  if (optional.length === 0) return plain;
  return [
    ...plain,
    {
      name: "with every parameter",
      path,
      options: optionsOf(bodies[0] ?? null, optional, bindings),
    },
  ];
}

function pathValue(operation: DocumentedOperation, name: string, bindings: Bindings): string {
  const parameter = operation.parameters.find((each) => each.in === "path" && each.name === name);
  return boundTo(bindings, name) ?? String(parameter?.example);
}

function optionsOf(
  body: { mediaType: string; value: unknown } | null,
  parameters: DocumentedParameter[],
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
