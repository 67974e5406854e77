import Ajv2020, { type ValidateFunction } from "ajv/dist/2020.js";
import type { ApiClient } from "../api-client";

type Json = Record<string, unknown>;

/** A parameter as the document describes it, references followed. */
export interface DocumentParameter {
  in: "path" | "query" | "header";
  name: string;
  required?: boolean;
  example?: unknown;
}

/** An operation as the document describes it, with where it stands. */
export interface DocumentOperation {
  operationId: string;
  method: string;
  path: string;
  parameters: DocumentParameter[];
  /** Examples by media type and name. */
  requests: { mediaType: string; name: string; value: unknown }[];
  responses: Record<string, { headers: Record<string, { required?: boolean }>; mediaTypes: string[] }>;
}

const METHODS = new Set(["get", "post", "put", "patch", "delete"]);

/** `/v1/openapi.json` as a running service gives it: all that a test knows of the API. */
export class ApiDocument {
  private readonly validators = new Map<string, ValidateFunction>();
  private readonly ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true, formats: FORMATS });
  readonly operations: DocumentOperation[];

  private constructor(private readonly document: Json) {
    this.ajv.addSchema(document, "document");
    this.operations = Object.entries(this.at<Record<string, Json>>(["paths"])).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, operation]) =>
        METHODS.has(method) ? [this.operationOf(path, method, operation as Json)] : [],
      ),
    );
  }

  static async fetch(client: ApiClient): Promise<ApiDocument> {
    return new ApiDocument((await client.get("/v1/openapi.json")).json() as Json); // an OpenAPI document is an object
  }

  /** What is wrong with a body, by the schema of this answer; empty when nothing is. */
  problemsOf(operation: DocumentOperation, status: number, mediaType: string, body: unknown): string[] {
    const response = this.pointerTo(["paths", operation.path, operation.method, "responses", String(status)]);
    return this.validate([...response, "content", mediaType, "schema"], body);
  }

  /** What is wrong with what a webhook was sent. */
  webhookProblems(body: unknown): string[] {
    return this.validate(["webhooks", "runFinished", "post", "requestBody", "content", "application/json", "schema"], body);
  }

  private validate(pointer: string[], body: unknown): string[] {
    const reference = `document#/${pointer.map(escapeSegment).join("/")}`;
    const validator = this.validators.get(reference) ?? this.ajv.compile({ $ref: reference });
    this.validators.set(reference, validator);
    return validator(body) ? [] : (validator.errors ?? []).map(({ instancePath, message }) => `${instancePath || "/"} ${message}`);
  }

  private operationOf(path: string, method: string, operation: Json): DocumentOperation {
    const content =
      this.follow<{ content?: Record<string, { examples?: Record<string, unknown> }> }>(operation.requestBody ?? {}).content ?? {};
    const requests = Object.entries(content).flatMap(([mediaType, { examples = {} }]) =>
      Object.entries(examples).map(([name, example]) => ({ mediaType, name, value: this.follow<{ value: unknown }>(example).value })),
    );
    const parameters = ((operation.parameters ?? []) as unknown[]).map((parameter) => this.follow<DocumentParameter>(parameter)); // as OpenAPI says
    const responses = Object.entries(operation.responses as Json).map(([status, response]) => [status, this.responseOf(response)]);
    return { operationId: String(operation.operationId), method, path, parameters, requests, responses: Object.fromEntries(responses) };
  }

  private responseOf(node: unknown) {
    const { headers = {}, content = {} } = this.follow<{ headers?: Json; content?: Json }>(node);
    const named = Object.entries(headers).map(([name, header]) => [name, this.follow<{ required?: boolean }>(header)]);
    return { headers: Object.fromEntries(named), mediaTypes: Object.keys(content) };
  }

  /** The pointer itself, or the one that the reference there leads to. */
  private pointerTo(pointer: string[]): string[] {
    const { $ref } = this.at<{ $ref?: string }>(pointer);
    return $ref ? $ref.split("/").slice(1) : pointer;
  }

  private follow<T>(node: unknown): T {
    const { $ref } = node as { $ref?: string };
    return $ref ? this.at<T>($ref.split("/").slice(1)) : (node as T); // as OpenAPI says
  }

  private at<T>(pointer: string[]): T {
    return pointer.reduce((node: unknown, key) => (node as Json)[key], this.document) as T;
  }
}

function escapeSegment(segment: string): string {
  return encodeURIComponent(segment.replaceAll("~", "~0").replaceAll("/", "~1"));
}

const FORMATS = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  uri: (text: string) => URL.canParse(text),
  binary: true,
} as const;
