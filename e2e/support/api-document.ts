import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { components } from "@/lib/client/openapi-types";
import { freshAddress } from "./fresh-address";

/** The objects of the API by the names of its document. */
export type Schemas = components["schemas"];
export type Agent = Schemas["Agent"];
export type Approval = Schemas["Approval"];

/** A JSON Schema of the document, as far as the tests read it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  maxProperties?: number;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
}

export interface DocumentedParameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  schema: Schema;
  example?: unknown;
}

/** One media type of a body: where its schema stands in the document, and its examples by name. */
export interface DocumentedContent {
  mediaType: string;
  schema: Schema;
  pointer: string;
  examples: { name: string; value: unknown }[];
}

export interface DocumentedResponse {
  description: string;
  /** Lower-case name → whether every such answer has it. */
  headers: Map<string, boolean>;
  /** Media type → JSON pointer of its schema within the document, null without one. */
  content: Map<string, string | null>;
}

/** An operation of `/v1/openapi.json`, references followed. */
export interface DocumentedOperation {
  id: string;
  method: string;
  path: string;
  /** Whose key authenticates it. */
  auth: "account" | "app" | "none";
  parameters: DocumentedParameter[];
  /** The names of its path's parameters, in order. */
  pathParameters: string[];
  body: { required: boolean; content: DocumentedContent[] } | null;
  /** The names of its query parameters. */
  queries: string[];
  takesJson: boolean;
  /** The fields of its JSON body. */
  bodyFields: string[];
  /** Those of them that hold the id of another object. */
  bodyIds: string[];
  responses: Map<number, DocumentedResponse>;
  /** Every error code that an answer of it may carry. */
  codes: string[];
  /** The caps of the account that it counts against, by their names. */
  caps: string[];
}

type Json = Record<string, unknown>;
const METHODS = ["get", "post", "put", "patch", "delete"];

/**
 * The interface description as a running service publishes it: all that a test knows of the API. A
 * test over all operations cannot forget a new one.
 */
export class ApiDocument {
  readonly operations: DocumentedOperation[];

  private constructor(readonly root: Json) {
    this.operations = Object.entries(root.paths as Record<string, Json>).flatMap(([path, item]) =>
      METHODS.filter((method) => item[method]).map((method) => this.#toOperation(path, method)),
    );
  }

  static async read({ baseUrl }: { baseUrl: string }): Promise<ApiDocument> {
    const response = await fetch(new URL("/v1/openapi.json", baseUrl), {
      headers: { "x-forwarded-for": freshAddress() },
    });
    if (response.status !== 200)
      throw new Error(`The document was answered with ${response.status}.`);
    // An OpenAPI document; its parts are read below as OpenAPI 3.1 defines them.
    return new ApiDocument((await response.json()) as Json);
  }

  /** What a schema means, its reference followed. */
  resolve(schema: Schema): Schema {
    return schema.$ref === undefined
      ? schema
      : this.resolve(this.#at(schema.$ref.slice(1)) as Schema);
  }

  /** The thing at a JSON pointer. */
  #at(pointer: string): unknown {
    const keys = pointer
      .split("/")
      .slice(1)
      .map((key) => decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~"));
    return keys.reduce<unknown>((value, key) => (value as Json | undefined)?.[key], this.root);
  }

  /** The thing at a pointer and the pointer where it really stands. */
  #follow(pointer: string): { pointer: string; value: Json } {
    const value = this.#at(pointer) as Json;
    return typeof value.$ref === "string" ? this.#follow(value.$ref.slice(1)) : { pointer, value };
  }

  #toOperation(path: string, method: string): DocumentedOperation {
    const pointer = `/paths/${toPointerKey(path)}/${method}`;
    const operation = this.#at(pointer) as Json;
    const body = operation.requestBody ? this.#bodyAt(`${pointer}/requestBody`) : null;
    const json = body?.content.find(({ mediaType }) => mediaType === "application/json");
    const bodyFields = Object.keys(this.resolve(json?.schema ?? {}).properties ?? {});
    const parameters = [
      ...this.#parametersAt(`/paths/${toPointerKey(path)}/parameters`),
      ...this.#parametersAt(`${pointer}/parameters`),
    ];
    const statuses = Object.keys(operation.responses as Json).map(Number);
    return {
      id: String(operation.operationId),
      method: method.toUpperCase(),
      path,
      auth: authOf((operation.security ?? this.root.security ?? []) as Json[]),
      parameters,
      pathParameters: [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? ""),
      body,
      takesJson: json !== undefined,
      bodyFields,
      // A client_id is how another service knows this one.
      bodyIds: bodyFields.filter((name) => /(_id|Id)$/.test(name) && name !== "client_id"),
      queries: parameters.flatMap((each) => (each.in === "query" ? [each.name] : [])),
      responses: new Map(
        statuses.map((status) => [status, this.#responseAt(`${pointer}/responses/${status}`)]),
      ),
      codes: statuses
        .filter((status) => status >= 400)
        .flatMap((status) => this.#codesAt(`${pointer}/responses/${status}`)),
      caps: Object.keys((operation["x-account-caps"] ?? {}) as Json),
    };
  }

  #parametersAt(pointer: string): DocumentedParameter[] {
    const list = (this.#at(pointer) ?? []) as unknown[];
    return list.map((_, index) => {
      const { value } = this.#follow(`${pointer}/${index}`);
      return { ...(value as unknown as DocumentedParameter), required: value.required === true };
    });
  }

  #bodyAt(start: string): DocumentedOperation["body"] {
    const { pointer, value } = this.#follow(start);
    const content = Object.keys(value.content as Json).map((mediaType) => {
      const media = `${pointer}/content/${toPointerKey(mediaType)}`;
      return {
        mediaType,
        schema: (this.#at(`${media}/schema`) ?? {}) as Schema,
        pointer: `${media}/schema`,
        examples: this.#examplesAt(media),
      };
    });
    return { required: value.required === true, content };
  }

  #examplesAt(media: string): { name: string; value: unknown }[] {
    const names = Object.keys((this.#at(`${media}/examples`) ?? {}) as Json);
    return names.map((name) => ({
      name,
      value: this.#follow(`${media}/examples/${toPointerKey(name)}`).value.value,
    }));
  }

  #responseAt(start: string): DocumentedResponse {
    const { pointer, value } = this.#follow(start);
    const headers = Object.keys((value.headers ?? {}) as Json).map((name): [string, boolean] => {
      const { value: header } = this.#follow(`${pointer}/headers/${toPointerKey(name)}`);
      return [name.toLowerCase(), header.required === true];
    });
    const content = Object.entries((value.content ?? {}) as Record<string, Json>).map(
      ([type, media]): [string, string | null] => [
        type,
        media.schema ? `${pointer}/content/${toPointerKey(type)}/schema` : null,
      ],
    );
    return {
      description: String(value.description),
      headers: new Map(headers),
      content: new Map(content),
    };
  }

  /** Each refusal has an example of every code that it may carry. */
  #codesAt(start: string): string[] {
    const { pointer } = this.#follow(start);
    const examples = this.#examplesAt(`${pointer}/content/${toPointerKey("application/json")}`);
    return examples.map(({ value }) => String((value as Json).error));
  }
}

function toPointerKey(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

function authOf(security: Json[]): DocumentedOperation["auth"] {
  const scheme = security.flatMap((requirement) => Object.keys(requirement))[0];
  if (scheme === undefined) return "none";
  return /app/i.test(scheme) ? "app" : "account";
}

/** How the service writes: ids of version 7 in lower case, times in UTC with milliseconds. */
const ANSWER_FORMATS = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  uri: (text: string) => URL.canParse(text),
  binary: true,
} as const;
/** What it may be asked. */
const REQUEST_FORMATS = {
  ...ANSWER_FORMATS,
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  "date-time": /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/,
} as const;

/** Judges values by the document's own schemas, each compiled once. */
export class DocumentSchemas {
  readonly #ajv: Ajv2020;
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(document: ApiDocument, what: "answers" | "requests") {
    const formats = what === "answers" ? ANSWER_FORMATS : REQUEST_FORMATS;
    this.#ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false, formats });
    this.#ajv.addSchema(document.root, "document");
  }

  /** What is wrong with a value by the schema at this pointer; null when it fits. */
  faultOf(pointer: string, value: unknown): string | null {
    return this.#judge(
      pointer,
      () => ({ $ref: `document#${pointer.split("/").map(encodeURIComponent).join("/")}` }),
      value,
    );
  }

  /** The same of a schema that stands by itself, with references that lead into the document. */
  faultBySchema(name: string, schema: object, value: unknown): string | null {
    return this.#judge(
      name,
      () => JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"document#')),
      value,
    );
  }

  #judge(name: string, schema: () => object, value: unknown): string | null {
    const validate = this.#compiled.get(name) ?? this.#ajv.compile(schema());
    this.#compiled.set(name, validate);
    return validate(value) ? null : this.#ajv.errorsText(validate.errors, { separator: "; " });
  }
}

let served: Promise<DocumentSchemas> | undefined;

/**
 * The schemas by which the tests of this process read answers: those of the first service that it
 * spoke with, since all run the same build.
 */
export function servedSchemas(baseUrl: string): Promise<DocumentSchemas> {
  served ??= ApiDocument.read({ baseUrl }).then(
    (document) => new DocumentSchemas(document, "answers"),
  );
  // A service that was away is asked again.
  served.catch(() => {
    served = undefined;
  });
  return served;
}

/** The value as an object of the API. @throws with what does not fit the schema of this name */
export function parseAs<N extends keyof Schemas>(
  schemas: DocumentSchemas,
  name: N,
  value: unknown,
): Schemas[N] {
  const fault = schemas.faultOf(`/components/schemas/${name}`, value);
  if (fault !== null)
    throw new Error(
      `This is no ${name} of the document: ${fault}\n${JSON.stringify(value)?.slice(0, 2000)}`,
    );
  return value as Schemas[N]; // the types of lib/client are made of the same document
}

/** The same of what the typed client gave. */
export async function parseServed<N extends keyof Schemas>(
  { baseUrl }: { baseUrl: string },
  name: N,
  value: unknown,
): Promise<Schemas[N]> {
  return parseAs(await servedSchemas(baseUrl), name, value);
}
