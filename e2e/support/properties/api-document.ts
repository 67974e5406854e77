import type { ApiClient } from "../api-client";

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
}

export interface DocumentedResponse {
  description: string;
  /** Lower-case name → whether every such answer has it. */
  headers: Map<string, boolean>;
  /** Media type → JSON pointer of its schema within the document, null without one. */
  content: Map<string, string | null>;
}

export interface DocumentedOperation {
  id: string;
  method: string;
  path: string;
  auth: "account" | "app" | "none";
  parameters: DocumentedParameter[];
  body: { required: boolean; content: { mediaType: string; schema: Schema; pointer: string }[] } | null;
  responses: Map<number, DocumentedResponse>;
}

type Json = Record<string, unknown>;
const METHODS = ["get", "post", "put", "patch", "delete"];

/** The interface description as the running service publishes it, with its references followed. */
export class ApiDocument {
  readonly operations: DocumentedOperation[];

  private constructor(readonly root: Json) {
    this.operations = Object.entries(root.paths as Record<string, Json>).flatMap(([path, item]) =>
      METHODS.filter((method) => item[method]).map((method) => this.toOperation(path, method)),
    );
  }

  static async read(api: ApiClient): Promise<ApiDocument> {
    return new ApiDocument((await api.get("/v1/openapi.json")).json() as Json); // an OpenAPI document; its parts are read below as OpenAPI 3.1 defines them
  }

  /** What a schema means, its reference followed. */
  resolve(schema: Schema): Schema {
    return schema.$ref === undefined ? schema : this.resolve(this.at(schema.$ref.slice(1)) as Schema);
  }

  operation(id: string): DocumentedOperation {
    const found = this.operations.find((operation) => operation.id === id);
    if (!found) throw new Error(`The document has no operation ${id}.`);
    return found;
  }

  private at(pointer: string): unknown {
    const keys = pointer
      .split("/")
      .slice(1)
      .map((key) => decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~"));
    return keys.reduce<unknown>((value, key) => (value as Json)[key], this.root);
  }

  /** The thing at a pointer and the pointer where it really stands. */
  private follow(pointer: string): { pointer: string; value: Json } {
    const value = this.at(pointer) as Json;
    return typeof value.$ref === "string" ? this.follow(value.$ref.slice(1)) : { pointer, value };
  }

  private toOperation(path: string, method: string): DocumentedOperation {
    const pointer = `/paths/${toPointerKey(path)}/${method}`;
    const operation = this.at(pointer) as Json;
    const shared = this.parametersAt(`/paths/${toPointerKey(path)}/parameters`);
    const own = this.parametersAt(`${pointer}/parameters`);
    return {
      id: String(operation.operationId),
      method: method.toUpperCase(),
      path,
      auth: authOf((operation.security ?? this.root.security ?? []) as Json[]),
      parameters: [...shared, ...own],
      body: operation.requestBody ? this.bodyAt(`${pointer}/requestBody`) : null,
      responses: new Map(
        Object.keys(operation.responses as Json).map((status) => [Number(status), this.responseAt(`${pointer}/responses/${status}`)]),
      ),
    };
  }

  private parametersAt(pointer: string): DocumentedParameter[] {
    const list = (this.at(pointer) ?? []) as unknown[];
    return list.map((_, index) => {
      const { value } = this.follow(`${pointer}/${index}`);
      return { ...(value as unknown as DocumentedParameter), required: value.required === true };
    });
  }

  private bodyAt(start: string): DocumentedOperation["body"] {
    const { pointer, value } = this.follow(start);
    const content = Object.keys(value.content as Json).map((mediaType) => {
      const at = `${pointer}/content/${toPointerKey(mediaType)}/schema`;
      return { mediaType, schema: (this.at(at) ?? {}) as Schema, pointer: at };
    });
    return { required: value.required === true, content };
  }

  private responseAt(start: string): DocumentedResponse {
    const { pointer, value } = this.follow(start);
    const headers = Object.keys((value.headers ?? {}) as Json).map((name): [string, boolean] => {
      const { value: header } = this.follow(`${pointer}/headers/${toPointerKey(name)}`);
      return [name.toLowerCase(), header.required === true];
    });
    const content = Object.entries((value.content ?? {}) as Record<string, Json>).map(([type, media]): [string, string | null] => [
      type,
      media.schema ? `${pointer}/content/${toPointerKey(type)}/schema` : null,
    ]);
    return { description: String(value.description), headers: new Map(headers), content: new Map(content) };
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
