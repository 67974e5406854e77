import { resolve, schemaChanges } from "./schema-changes.mjs";

/**
 * What is read of an OpenAPI 3.1 document.
 * @typedef {import("./schema-changes.mjs").Schema} Schema
 * @typedef {import("./schema-changes.mjs").Direction} Direction
 * @typedef {import("./schema-changes.mjs").Documents} Documents
 * @typedef {Record<string, { schema?: Schema }>} Content by media type
 * @typedef {{ required?: boolean, content?: Content }} Body
 * @typedef {{ $ref?: string, headers?: Record<string, unknown>, content?: Content }} Answer
 * @typedef {{ $ref?: string, in: string, name: string, required?: boolean, schema?: Schema }}
 * Parameter
 * @typedef {{ security?: unknown[], parameters?: Parameter[], requestBody?: Body, responses?:
 * Record<string, Answer> }} Operation
 * @typedef {{ paths?: Record<string, Record<string, Operation>>, webhooks?: Record<string,
 * Record<string, Operation>> }} Document
 */

const METHODS = ["get", "put", "post", "patch", "delete"];

/**
 * What of `after` would break a client that was written for `before`, both OpenAPI 3.1, a sentence
 * each (docs/versioning.md).
 * @param {Document} before
 * @param {Document} after
 * @returns {string[]}
 */
export function breakingChanges(before, after) {
  /** @type {Documents} */
  const documents = { before, after, busy: new Set() };
  const operations = entries(before.paths).flatMap(([path, item]) =>
    entries(item).flatMap(([method, operation]) => {
      if (!METHODS.includes(method)) return [];
      const name = `${method.toUpperCase()} ${path}`;
      const now = after.paths?.[path]?.[method];
      return now ? operationChanges(documents, name, operation, now) : [`${name} is gone`];
    }),
  );
  const webhooks = entries(before.webhooks).flatMap(([name, item]) => {
    const now = after.webhooks?.[name]?.post;
    return now
      ? bodyChanges(documents, `webhook ${name}`, item.post?.requestBody, now.requestBody, "out")
      : [`webhook ${name} is gone`];
  });
  return [...new Set([...operations, ...webhooks])];
}

/**
 * @param {Documents} documents
 * @param {string} name
 * @param {Operation} before
 * @param {Operation} after
 */
function operationChanges(documents, name, before, after) {
  const keyless =
    before.security?.length === 0 && after.security?.length !== 0
      ? [`${name} needs a key now`]
      : [];
  return [
    ...keyless,
    ...parameterChanges(
      documents,
      name,
      (before.parameters ?? []).map((parameter) => resolve(documents.before, parameter)),
      (after.parameters ?? []).map((parameter) => resolve(documents.after, parameter)),
    ),
    ...bodyChanges(documents, `${name} request`, before.requestBody, after.requestBody, "in"),
    ...answerChanges(documents, name, before.responses ?? {}, after.responses ?? {}),
  ];
}

/**
 * @param {Documents} documents
 * @param {string} name
 * @param {Parameter[]} before
 * @param {Parameter[]} after
 */
function parameterChanges(documents, name, before, after) {
  /** @param {Parameter[]} list @param {Parameter} parameter */
  const find = (list, parameter) =>
    list.find((other) => other.in === parameter.in && other.name === parameter.name);
  const gone = before.flatMap((parameter) => {
    const place = `${name} ${parameter.in} ${parameter.name}`;
    const now = find(after, parameter);
    if (!now) return [`${place} is gone`];
    return schemaChanges(documents, place, parameter.schema ?? {}, now.schema ?? {}, "in");
  });
  const required = after.filter(
    (parameter) =>
      parameter.required && parameter.in !== "path" && !find(before, parameter)?.required,
  );
  return [
    ...gone,
    ...required.map((parameter) => `${name} ${parameter.in} ${parameter.name} is required now`),
  ];
}

/**
 * @param {Documents} documents
 * @param {string} place
 * @param {Body | undefined} before
 * @param {Body | undefined} after
 * @param {Direction} direction
 */
function bodyChanges(documents, place, before, after, direction) {
  const required =
    direction === "in" && after?.required && !before?.required ? [`${place} is required now`] : [];
  return [
    ...required,
    ...contentChanges(documents, place, before?.content ?? {}, after?.content ?? {}, direction),
  ];
}

/**
 * Refusals may change: clients go by the code, and take one that they do not know by its status.
 * @param {Documents} documents
 * @param {string} name
 * @param {Record<string, Answer>} before
 * @param {Record<string, Answer>} after
 */
function answerChanges(documents, name, before, after) {
  return entries(before)
    .filter(([status]) => Number(status) < 400)
    .flatMap(([status, response]) => {
      const place = `${name} ${status}`;
      const { [status]: answer } = after;
      if (!answer) return [`${place} is gone`];
      const was = resolve(documents.before, response);
      const now = resolve(documents.after, answer);
      const headers = Object.keys(was.headers ?? {}).filter((header) => !now.headers?.[header]);
      return [
        ...headers.map((header) => `${place} header ${header} is gone`),
        ...contentChanges(documents, place, was.content ?? {}, now.content ?? {}, "out"),
      ];
    });
}

/**
 * @param {Documents} documents
 * @param {string} place
 * @param {Content} before
 * @param {Content} after
 * @param {Direction} direction
 */
function contentChanges(documents, place, before, after, direction) {
  return entries(before).flatMap(([type, media]) =>
    after[type]
      ? schemaChanges(documents, place, media.schema ?? {}, after[type]?.schema ?? {}, direction)
      : [`${place} as ${type} is gone`],
  );
}

/**
 * @template T
 * @param {Record<string, T> | undefined} object
 */
function entries(object) {
  return Object.entries(object ?? {});
}
