/**
 * The Python client's types and methods, made of the API's document and of the names that the
 * TypeScript client has for its operations.
 */

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  description?: string;
}

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  schema: Schema;
}

interface Operation {
  summary?: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema?: Schema }> };
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>;
}

/** Of the API's document, what the Python client is made of. */
export interface ClientDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
}

type Route = readonly [method: string, path: string, body?: "body"];
type Resources = Readonly<Record<string, Readonly<Record<string, Route>>>>;

const HEAD = `# Generated from the document of the API. Never edit it; after a change of an \
operation run:
#   npx vitest run --project unit lib/api/openapi/openapi-types.test.ts -u
from __future__ import annotations
`;
const KEYWORDS = new Set(
  (
    "and as assert async await class def del elif else except finally for from global if import " +
    "in is lambda not or pass raise try while with"
  ).split(" "),
);

/** A run that was waited for, and did what it was to do. */
const COMPLETED_RUN: Schema = {
  allOf: [{ $ref: "#/components/schemas/Run" }],
  properties: {
    status: { const: "completed" },
    result: { $ref: "#/components/schemas/RunResult" },
  },
};

/** Each schema of the document as a `TypedDict`, or as the type that it is. */
export function pythonTypes({ components }: ClientDocument): string {
  const types = new PythonTypes({ ...components.schemas, CompletedRun: COMPLETED_RUN });
  for (const name of Object.keys(components.schemas)) types.define(name);
  types.define("CompletedRun");
  return `${HEAD}
from typing import Any, Dict, List, Literal, TypedDict, Union

${types.classes.join("\n\n\n")}

${types.aliases.join("\n")}
`;
}

class PythonTypes {
  readonly classes: string[] = [];
  readonly aliases: string[] = [];
  readonly #schemas: Record<string, Schema>;

  constructor(schemas: Record<string, Schema>) {
    this.#schemas = schemas;
  }

  define(name: string): void {
    const schema = this.#schemas[name] ?? {};
    if (this.#fieldsOf(schema) !== null) this.#addClass(name, schema);
    // Its classes' names in quotes: an alias is worked out when the file is read.
    else this.aliases.push(`${name} = ${this.#typeOf(schema, name, true)}`);
  }

  /**
   * The properties of an object, those of all its parts together; null when it is no object with
   * known ones.
   */
  #fieldsOf(schema: Schema): { properties: Record<string, Schema>; required: Set<string> } | null {
    const whole = schema.$ref ? (this.#schemas[nameOf(schema.$ref)] ?? {}) : schema;
    const parts = (whole.allOf ?? []).map((part) => this.#fieldsOf(part));
    if (parts.includes(null)) return null;
    if (!whole.properties && parts.length === 0) return null;
    return {
      properties: Object.assign(
        {},
        ...parts.map((part) => part?.properties),
        whole.properties,
      ) as Record<string, Schema>, // of objects like it
      required: new Set([
        ...parts.flatMap((part) => [...(part?.required ?? [])]),
        ...(whole.required ?? []),
      ]),
    };
  }

  #addClass(name: string, schema: Schema): void {
    const { properties, required } = this.#fieldsOf(schema) ?? {
      properties: {},
      required: new Set(),
    };
    const fields = Object.entries(properties).map(([key, value]) => ({
      key,
      type: this.#typeOf(value, `${name}${pascal(key)}`, false),
      isRequired: required.has(key),
    }));
    if (fields.some(({ key }) => !/^[A-Za-z_]\w*$/.test(key) || KEYWORDS.has(key))) {
      const entries = fields.map(
        ({ key, type }) => `    ${JSON.stringify(key)}: ${JSON.stringify(type)},`,
      );
      this.classes.push(
        `${name} = TypedDict(${JSON.stringify(name)}, {\n${entries.join("\n")}\n}, total=False)`,
      );
      return;
    }
    const lines = (isRequired: boolean) =>
      fields
        .filter((field) => field.isRequired === isRequired)
        .map(({ key, type }) => `    ${key}: ${type}`);
    const [must, may] = [lines(true), lines(false)];
    const note = schema.description
      ? [`    """${schema.description.replaceAll("\\", "\\\\").replaceAll('"', "'")}"""\n`]
      : [];
    // Python 3.10 has no NotRequired: what may be missing stands in a class of its own.
    const isMixed = must.length > 0 && may.length > 0;
    if (isMixed) this.classes.push([`class _${name}Required(TypedDict):`, ...must].join("\n"));
    const bases = isMixed
      ? `_${name}Required, total=False`
      : may.length > 0
        ? "TypedDict, total=False"
        : "TypedDict";
    const body = isMixed ? may : [...must, ...may];
    this.classes.push(
      [`class ${name}(${bases}):`, ...note, ...(body.length > 0 ? body : ["    pass"])].join("\n"),
    );
  }

  /** `at` names the class of an object that has no name of its own. */
  #typeOf(schema: Schema, at: string, isAlias: boolean): string {
    const named = (name: string) => (isAlias ? `"${name}"` : name);
    if (schema.$ref) return named(nameOf(schema.$ref));
    if (schema.const !== undefined) return literal([schema.const]);
    // The models are a list to choose from, not all that there are: a service may have its own.
    if (schema.enum)
      return at === "ModelId" ? `Union[${literal(schema.enum)}, str]` : literal(schema.enum);
    const [only, ...more] = schema.allOf ?? [];
    if (only?.$ref && more.length === 0 && !schema.properties) return named(nameOf(only.$ref));
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices)
      return union(
        // An alias has the name `at` itself: none of its choices may.
        choices.map((choice, place) =>
          this.#typeOf(choice, place === 0 && !isAlias ? at : `${at}${place + 1}`, isAlias),
        ),
      );
    if (this.#fieldsOf(schema)) {
      this.#addClass(at, schema);
      return named(at);
    }
    const types = Array.isArray(schema.type) ? schema.type : [schema.type];
    return union(types.map((type) => this.#plainType(type, schema, at, isAlias)));
  }

  #plainType(type: string | undefined, schema: Schema, at: string, isAlias: boolean): string {
    if (type === "array")
      return `List[${schema.items ? this.#typeOf(schema.items, `${at}Item`, isAlias) : "Any"}]`;
    if (type === "object") {
      const { additionalProperties: values } = schema;
      return (
        "Dict[str, " +
        `${typeof values === "object" ? this.#typeOf(values, `${at}Value`, isAlias) : "Any"}]`
      );
    }
    return PLAIN[type ?? ""] ?? "Any";
  }
}

const PLAIN: Readonly<Record<string, string>> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  null: "None",
};

function union(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  if (distinct.includes("Any")) return "Any";
  return distinct.length === 1 ? (distinct[0] ?? "Any") : `Union[${distinct.join(", ")}]`;
}

function literal(values: readonly unknown[]): string {
  return (
    "Literal[" +
    values
      .map((value) =>
        typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value),
      )
      .join(", ") +
    "]"
  );
}

function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf("/") + 1);
}

function pascal(name: string): string {
  return name
    .split(/[^A-Za-z0-9]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The POSTs that take an `Idempotency-Key`. */
export function pythonRoutes(document: ClientDocument): string {
  const routes = Object.entries(document.paths).filter(([, { post }]) =>
    post?.parameters?.some(
      (each) =>
        (each.$ref ? document.components.parameters[nameOf(each.$ref)] : each)?.name ===
        "Idempotency-Key",
    ),
  );
  return `${HEAD}
IDEMPOTENT_ROUTES = {
${routes.map(([path]) => `    "${path}",`).join("\n")}
}
`;
}

/** A class a noun, with a method a name, in both kinds: for threads and for `asyncio`. */
export function pythonResources(
  document: ClientDocument,
  resources: Resources,
  isAsync: boolean,
): string {
  const core = isAsync ? "AsyncCore" : "SyncCore";
  const classes = Object.entries(resources).map(([noun, routes]) => {
    const methods = Object.entries(routes).map(([name, route]) =>
      methodOf(document, name, route, isAsync),
    );
    return (
      `class ${pascal(noun)}:\n    def __init__(self, core: ${core}) -> None:\n` +
      `        self._core = core\n\n${methods.join("\n")}`
    );
  });
  return `${HEAD}
from typing import Any, ${isAsync ? "AsyncIterator" : "Iterator"}, Mapping, Optional, cast

from . import types
from . import types as all_types
from ._core import ${core}, call, rows


${classes.join("\n\n")}`;
}

function methodOf(
  document: ClientDocument,
  name: string,
  [method, path, hasBody]: Route,
  isAsync: boolean,
): string {
  const operation = document.paths[path]?.[method === "list" ? "get" : method];
  if (!operation) throw new Error(`The document has no ${method} ${path}.`);
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, id = ""]) => id);
  const parameters = (operation.parameters ?? []).map((each) =>
    each.$ref ? (document.components.parameters[nameOf(each.$ref)] ?? each) : each,
  );
  const query = parameters.filter((each) => each.in === "query");
  const hasHeaders = parameters.some((each) => each.in === "header");
  const body = operation.requestBody?.content["application/json"]?.schema;
  const bodyType = body?.$ref ? `types.${nameOf(body.$ref)}` : "Mapping[str, Any]";
  const keywords = [
    ...query.map(
      (each) =>
        `${snake(each.name)}: ` +
        `Optional[${each.schema.type === "object" ? "Mapping[str, str]" : pythonOf(each.schema)}` +
        "] " +
        "= None",
    ),
    ...(hasHeaders ? ["headers: Optional[Mapping[str, str]] = None"] : []),
  ];
  const signature = [
    "self",
    ...ids.map((id) => `${snake(id)}: str`),
    ...(hasBody
      ? [
          operation.requestBody?.required
            ? `body: ${bodyType}`
            : `body: Optional[${bodyType}] = None`,
        ]
      : []),
    ...(keywords.length > 0 ? ["*", ...keywords] : []),
  ].join(", ");
  const given = [
    `"${path}"`,
    ...(ids.length > 0 ? [`ids={${ids.map((id) => `"${id}": ${snake(id)}`).join(", ")}}`] : []),
    ...(hasBody ? ["body=body"] : []),
    ...(query.length > 0
      ? [`query={${query.map((each) => `"${each.name}": ${snake(each.name)}`).join(", ")}}`]
      : []),
    ...(hasHeaders ? ["headers=headers"] : []),
  ].join(", ");
  const head = `${snake(name)}(${signature})`;
  const doc = operation.summary ? `        """${operation.summary}."""\n` : "";
  const answer = answerOf(document, operation, method === "list");
  if (method === "list")
    return (
      `    def ${head} -> ${isAsync ? "AsyncIterator" : "Iterator"}[${answer}]:\n` +
      `${doc}        return self._core.iterate(rows(${given}))\n`
    );
  const run = `${isAsync ? "await " : ""}self._core.run(call("${method.toUpperCase()}", ${given}))`;
  // A parameter of this name hides the module within the method.
  const isHidden = query.some((each) => snake(each.name) === "types");
  const shown = isHidden ? answer.replace("types.", "all_types.") : answer;
  const result = answer === "None" ? run : `return cast("${shown}", ${run})`;
  return `    ${isAsync ? "async def" : "def"} ${head} -> ${answer}:\n${doc}        ${result}\n`;
}

function pythonOf({ type, items }: Schema): string {
  if (type === "array") return `list[${pythonOf(items ?? {})}]`;
  return (typeof type === "string" ? PLAIN[type] : undefined) ?? "str";
}

function answerOf(document: ClientDocument, { responses }: Operation, isList: boolean): string {
  const [, good] = Object.entries(responses).find(([status]) => status.startsWith("2")) ?? [];
  if (!good?.content) return "None";
  const schema = good.content["application/json"]?.schema;
  if (!schema?.$ref) return "Any";
  const name = nameOf(schema.$ref);
  if (!isList) return `types.${name}`;
  const row = document.components.schemas[name]?.properties?.data?.items?.$ref;
  return row ? `types.${nameOf(row)}` : "Any";
}
