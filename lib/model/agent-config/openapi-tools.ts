import { type AgentConfig, agentConfigSchema } from "@/lib/model/agent-config/agent-config-schema";
import { CONNECTOR_URL_MAX_CHARACTERS } from "@/lib/model/agent-config/connector-url";
import { checkSchema } from "@/lib/model/json-schema/check-schema";
import {
  ComplexityLimit,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  WorkSpent,
} from "@/lib/model/json-schema/json-value";
import { trimEnd, withoutTrailingSlashes } from "@/lib/model/text/trim";
/** An entry of a config's `tools.http`. */
export type HttpToolEntry = NonNullable<NonNullable<AgentConfig["tools"]>["http"]>[number];

/** An operation of an OpenAPI document, as it is chosen. */
export interface OpenapiOperation {
  /** Its operationId, or where it has none its method and path: `get /pets/{id}`. */
  operation: string;
  method: string;
  path: string;
  summary: string | null;
}

export interface OpenapiTools {
  tools: HttpToolEntry[];
  /** Those that were asked for and cannot be a tool, with the reason. */
  leftOut: { operation: string; reason: string }[];
}

export interface OpenapiChoice {
  /** By what `listOpenapiOperations` calls them. */
  operations: readonly string[];
  /** In place of the document's server. */
  baseUrl: string | null;
  authSecret: string | null;
  authHeader: string | null;
}

const METHODS = ["get", "head", "post", "put", "patch", "delete"] as const;
const DESCRIPTION_MAX_CHARACTERS = 1_024;
const NAME_MAX_CHARACTERS = 64;
/** Of a name that is cut to `NAME_MAX_CHARACTERS`: what is looked at. */
const ID_MAX_CHARACTERS = 1_024;
const PLACE_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
/**
 * Values that one operation's schemas may have once their references are filled in: some refer to
 * whole object models.
 */
const VALUES_MAX = 4_000;
const NESTED_MAX = 12;

/** Of the operations that are listed. */
const LISTED_MAX = 1_000;

/** What a document comes to: what is in it, and the tools that were asked for. */
export type ConvertedOpenapi = { operations: OpenapiOperation[] } & (
  | ({ ok: true } & OpenapiTools)
  /** Nobody says where they are called. */
  | { ok: false; message: string }
);

/** The operations of an OpenAPI 3 document, at most a thousand, and the tools of those chosen. */
export function convertOpenapi(document: JsonObject, choice: OpenapiChoice): ConvertedOpenapi {
  const operations = listOpenapiOperations(document);
  try {
    return { ok: true, operations, ...toHttpTools(document, choice) };
  } catch (error) {
    if (error instanceof OpenapiWithoutAddress)
      return { ok: false, operations, message: error.message };
    throw error;
  }
}

/** The operations of an OpenAPI 3 document, in its order, at most a thousand. */
export function listOpenapiOperations(document: JsonObject): OpenapiOperation[] {
  return operationsOf(document)
    .slice(0, LISTED_MAX)
    .map(({ id, method, path, operation }) => ({
      operation: id,
      method: method.toUpperCase(),
      path,
      summary: textOf(operation.summary) ?? firstLine(textOf(operation.description)),
    }));
}

/**
 * Turns operations of an OpenAPI 3 document into `http` tools: parameters of path and query and the
 * properties of a JSON body become the arguments. What our tools cannot send (headers, cookies, a
 * body that is no JSON object, a query beside a body) is left away where it is optional; where it
 * is required, the operation is left out with that reason. A schema that cannot be used is taken
 * loosely: the service called checks it itself.
 * @throws OpenapiWithoutAddress when nobody says where they are called
 */
export function toHttpTools(document: JsonObject, choice: OpenapiChoice): OpenapiTools {
  if (choice.operations.length === 0) return { tools: [], leftOut: [] };
  const base = baseOf(document, choice.baseUrl);
  const made: OpenapiTools = { tools: [], leftOut: [] };
  const chosen = operationsOf(document).filter(({ id }) => choice.operations.includes(id));
  const taken = new Set<string>();
  for (const found of chosen) {
    const tool = toTool(document, base, found, choice);
    if ("reason" in tool) made.leftOut.push({ operation: found.id, reason: tool.reason });
    else made.tools.push({ ...tool, name: freeName(tool.name, taken) });
  }
  for (const id of choice.operations)
    if (!chosen.some((found) => found.id === id))
      made.leftOut.push({ operation: id, reason: "The document has no such operation." });
  return made;
}

/** The document names no server by which its operations can be called. */
export class OpenapiWithoutAddress extends Error {
  override readonly name = "OpenapiWithoutAddress";
  constructor() {
    super("The document names no absolute server: say where its operations are called.");
  }
}

interface FoundOperation {
  id: string;
  method: (typeof METHODS)[number];
  path: string;
  operation: JsonObject;
  /** Parameters of the whole path. */
  shared: JsonValue[];
}

function operationsOf(document: JsonObject): FoundOperation[] {
  const paths = isJsonObject(document.paths) ? document.paths : {};
  return Object.entries(paths).flatMap(([path, item]) => {
    if (!isJsonObject(item)) return [];
    const shared = Array.isArray(item.parameters) ? item.parameters : [];
    return METHODS.flatMap((method) => {
      const operation = item[method];
      return isJsonObject(operation)
        ? [
            {
              id: textOf(operation.operationId) ?? `${method} ${path}`,
              method,
              path,
              operation,
              shared,
            },
          ]
        : [];
    });
  });
}

function baseOf(document: JsonObject, given: string | null): string {
  const [server] = Array.isArray(document.servers) ? document.servers : [];
  const variables = isJsonObject(server) && isJsonObject(server.variables) ? server.variables : {};
  const written = isJsonObject(server) ? (textOf(server.url) ?? "") : "";
  if (written.length > CONNECTOR_URL_MAX_CHARACTERS) throw new OpenapiWithoutAddress();
  const url =
    given ?? written.replace(/\{([^{}]*)\}/g, (_, name: string) => defaultOf(variables[name]));
  if (!/^https?:\/\//i.test(url)) throw new OpenapiWithoutAddress();
  return withoutTrailingSlashes(url);
}

function defaultOf(variable: JsonValue | undefined): string {
  return (isJsonObject(variable) ? textOf(variable.default) : null) ?? "";
}

type Unusable = { reason: string };

function toTool(
  document: JsonObject,
  base: string,
  found: FoundOperation,
  choice: OpenapiChoice,
): HttpToolEntry | Unusable {
  const resolve = new Resolver(document);
  try {
    const input = inputOf(resolve, found);
    if ("reason" in input) return input;
    const { operation, method, path, id } = found;
    const described = [textOf(operation.summary), textOf(operation.description)]
      .filter((text) => text !== null)
      .join("\n\n");
    const entry = {
      name: toName(id),
      ...(described !== "" && {
        description: described.slice(0, DESCRIPTION_MAX_CHARACTERS).toWellFormed(),
      }),
      method: method.toUpperCase(),
      url: `${base}${path}`,
      ...(choice.authSecret !== null && { auth_secret: choice.authSecret }),
      ...(choice.authHeader !== null && { auth_header: choice.authHeader }),
      input_schema: input.schema,
    };
    const checked = agentConfigSchema.safeParse({ version: 1, tools: { http: [entry] } });
    if (checked.success) return checked.data.tools?.http?.[0] ?? { reason: "It makes no tool." };
    const [issue] = checked.error.issues;
    return {
      reason: `${issue?.path.slice(3).join(".") ?? ""}: ${issue?.message ?? "cannot be used"}`,
    };
  } catch (error) {
    if (error instanceof WorkSpent)
      return { reason: "Its schemas are too large to be shown to a model." };
    throw error;
  }
}

function inputOf(
  resolve: Resolver,
  { method, operation, shared, path }: FoundOperation,
): { schema: JsonObject } | Unusable {
  const reads = method === "get" || method === "head";
  const properties: JsonObject = {};
  const required: string[] = [];
  const own = Array.isArray(operation.parameters) ? operation.parameters : [];
  // A parameter of the operation stands for the path's of the same name and place.
  const parameters = new Map<string, JsonObject>();
  for (const given of [...shared, ...own]) {
    const parameter = resolve.once(given);
    if (isJsonObject(parameter)) parameters.set(`${parameter.in} ${parameter.name}`, parameter);
  }
  for (const parameter of parameters.values()) {
    const name = textOf(parameter.name) ?? "";
    const isRequired = parameter.required === true || parameter.in === "path";
    const fits =
      parameter.in === "path" ? PLACE_NAME.test(name) : parameter.in === "query" && reads;
    if (!fits && isRequired) {
      const what = `${parameter.in} parameter ${name}`;
      return { reason: `It requires the ${what}, which an http tool cannot send.` };
    }
    if (!fits) continue;
    properties[name] = describedAs(
      usable(resolve.all(parameter.schema ?? {})),
      textOf(parameter.description),
    );
    if (isRequired) required.push(name);
  }
  for (const [, place = ""] of path.matchAll(/\{([^{}]*)\}/g)) {
    if (!PLACE_NAME.test(place))
      return { reason: `The place {${place}} of its path is no name that a tool can have.` };
    if (Object.hasOwn(properties, place)) continue;
    properties[place] = { type: "string" };
    required.push(place);
  }
  const body = resolve.once(operation.requestBody ?? null);
  if (reads || !isJsonObject(body)) return { schema: objectOf(properties, required) };
  const content = isJsonObject(body.content) ? body.content : {};
  const json = Object.entries(content).find(([type]) =>
    /^application\/(?:[\w.+-]+\+)?json\b/i.test(type),
  )?.[1];
  const schema = isJsonObject(json) ? resolve.all(json.schema ?? {}) : null;
  if (!isJsonObject(schema) || !isObjectSchema(schema))
    return body.required === true
      ? { reason: "Its body is no JSON object." }
      : { schema: objectOf(properties, required) };
  for (const [name, value] of Object.entries(
    isJsonObject(schema.properties) ? schema.properties : {},
  )) {
    if (Object.hasOwn(properties, name)) return { reason: `Path and body both have ${name}.` };
    if (isJsonObject(value) && value.readOnly === true) continue;
    properties[name] = usable(value);
  }
  const needed = body.required === true && Array.isArray(schema.required) ? schema.required : [];
  for (const name of needed)
    if (typeof name === "string" && Object.hasOwn(properties, name)) required.push(name);
  return { schema: objectOf(properties, required) };
}

function isObjectSchema(schema: JsonObject): boolean {
  return schema.type === "object" || (schema.type === undefined && isJsonObject(schema.properties));
}

function objectOf(properties: JsonObject, required: string[]): JsonObject {
  return {
    type: "object",
    properties,
    ...(required.length > 0 && { required: [...new Set(required)] }),
  };
}

/** A schema as it may stand in a config, or what can be said without it. */
function usable(schema: JsonValue): JsonObject {
  if (!isJsonObject(schema)) return {};
  const {
    example: _,
    examples: __,
    xml: ___,
    externalDocs: ____,
    discriminator: _____,
    ...rest
  } = schema;
  if (checkSchema(rest).length === 0) return rest;
  return typeof rest.type === "string" && checkSchema({ type: rest.type }).length === 0
    ? { type: rest.type }
    : {};
}

function describedAs(schema: JsonObject, description: string | null): JsonObject {
  return description === null || schema.description !== undefined
    ? schema
    : { ...schema, description };
}

/**
 * Fills references to the document's own components in. One that leads elsewhere, or into itself,
 * becomes a schema that takes anything.
 */
class Resolver {
  readonly #document: JsonObject;
  readonly #budget = new ComplexityLimit(VALUES_MAX);
  constructor(document: JsonObject) {
    this.#document = document;
  }

  /** What an object's own reference leads to. */
  once(value: JsonValue): JsonValue {
    const found =
      isJsonObject(value) && typeof value.$ref === "string" ? this.#find(value.$ref) : value;
    return found ?? null;
  }

  /** @throws WorkSpent */
  all(value: JsonValue, within: readonly string[] = [], depth = 0): JsonValue {
    this.#budget.spend(1);
    if (depth > NESTED_MAX) return {};
    if (Array.isArray(value)) return value.map((item) => this.all(item, within, depth + 1));
    if (!isJsonObject(value)) return value;
    const reference = value.$ref;
    if (typeof reference === "string") {
      if (within.includes(reference)) return {};
      return this.all(this.#find(reference) ?? {}, [...within, reference], depth);
    }
    const filled: JsonObject = Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, this.all(item, within, depth + 1)]),
    );
    // OpenAPI 3.0's word for it.
    if (filled.nullable === true && typeof filled.type === "string")
      filled.type = [filled.type, "null"];
    delete filled.nullable;
    return filled;
  }

  #find(reference: string): JsonValue | undefined {
    if (!reference.startsWith("#/")) return undefined;
    let place: JsonValue | undefined = this.#document;
    for (const part of reference.slice(2).split("/")) {
      const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
      place = isJsonObject(place) && Object.hasOwn(place, key) ? place[key] : undefined;
    }
    return place;
  }
}

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
}

function firstLine(text: string | null): string | null {
  return text?.split("\n")[0] ?? null;
}

function toName(id: string): string {
  const plain = trimEnd(
    id
      .slice(0, ID_MAX_CHARACTERS)
      .replace(/[^A-Za-z0-9_-]+/g, "_")
      .replace(/^[^A-Za-z]+/, ""),
    "_",
  );
  return (plain || "operation").slice(0, NAME_MAX_CHARACTERS);
}

function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let n = 2; taken.has(free); n++) free = `${name.slice(0, NAME_MAX_CHARACTERS - 4)}_${n}`;
  taken.add(free);
  return free;
}
