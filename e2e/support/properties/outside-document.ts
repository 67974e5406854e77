import type { DocumentedOperation, DocumentedParameter } from "./api-document";
import type { DocumentSchemas } from "./document-schemas";
import type { FilledRequest } from "./fill-request";
import { matchOperation } from "./match-operation";

/** Why the document does not allow a request, so that it must be refused; null when it does, or when there is no telling. */
export function outsideDocument(schemas: DocumentSchemas, operation: DocumentedOperation, request: FilledRequest): string | null {
  const { params } = matchOperation([operation], operation.method, request.target);
  const query = new URLSearchParams(request.target.split("?").slice(1).join("?"));
  for (const parameter of operation.parameters) {
    const fault = parameterFault(schemas, operation, parameter, givenValue(parameter, params, query, request));
    if (fault !== null) return `${parameter.name}: ${fault}`;
  }
  return bodyFault(schemas, operation, request);
}

/** Undefined when it is left out; null when it stands there twice, or in parts, and there is no telling which counts. */
function givenValue(
  { name, in: where }: DocumentedParameter,
  params: Record<string, string>,
  query: URLSearchParams,
  request: FilledRequest,
): string | undefined | null {
  if (where === "path") return params[name];
  if (where === "header") return request.headers.find(([given]) => given.toLowerCase() === name.toLowerCase())?.[1];
  const all = query.getAll(name);
  return all.length > 1 || [...query.keys()].some((key) => key.startsWith(`${name}[`)) ? null : all[0];
}

function parameterFault(
  schemas: DocumentSchemas,
  operation: DocumentedOperation,
  { name, schema, required }: DocumentedParameter,
  text: string | undefined | null,
): string | null {
  if (text === null || text === undefined) return required && text === undefined ? "is missing" : null;
  return schemas.faultBySchema(`${operation.id} ${name}`, schema, asType(schema.type, text));
}

function asType(type: string | string[] | undefined, text: string): unknown {
  if ((type === "integer" || type === "number") && /^-?\d+$/.test(text)) return Number(text);
  if (type === "boolean" && /^(true|false)$/.test(text)) return text === "true";
  return text;
}

function bodyFault(schemas: DocumentSchemas, { body }: DocumentedOperation, request: FilledRequest): string | null {
  if (!body) return null;
  if (request.body === null || request.body.length === 0)
    return body.required && body.content.every(({ mediaType }) => /json$/.test(mediaType)) ? "a body is missing" : null;
  const type = request.headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  const json = body.content.find(({ mediaType }) => mediaType === "application/json");
  if (!json || !/^application\/json\s*(;|$)/i.test(type)) return null;
  try {
    return schemas.faultOf(json.pointer, JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(request.body)));
  } catch {
    return "the body is no JSON";
  }
}
