/** A part of the document that may stand elsewhere in it. */
export interface ApiReference {
  $ref?: string;
}

/** JSON Schema, as far as the document uses it. */
export interface ApiSchema extends ApiReference {
  type?: string | string[];
  title?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  writeOnly?: boolean;
  required?: string[];
  properties?: Record<string, ApiSchema>;
  additionalProperties?: ApiSchema | boolean;
  items?: ApiSchema;
  anyOf?: ApiSchema[];
  oneOf?: ApiSchema[];
  allOf?: ApiSchema[];
  discriminator?: { propertyName: string };
}

export interface ApiExample extends ApiReference {
  summary?: string;
  value?: unknown;
}

export type ApiContent = Record<string, { schema?: ApiSchema; examples?: Record<string, ApiExample> }>;

export interface ApiParameter extends ApiReference {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description?: string;
  schema?: ApiSchema;
  example?: unknown;
}

export interface ApiResponse extends ApiReference {
  description?: string;
  headers?: Record<string, ApiReference & { description?: string }>;
  content?: ApiContent;
}

export interface ApiOperation {
  operationId: string;
  tags?: string[];
  summary?: string;
  description?: string;
  security?: Record<string, string[]>[];
  parameters?: ApiParameter[];
  requestBody?: ApiReference & { description?: string; required?: boolean; content?: ApiContent };
  responses: Record<string, ApiResponse>;
}

/** `/v1/openapi.json`, in so far as the reference reads it. */
export interface ApiDocument {
  info: { title: string; version: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, ApiOperation>>;
  webhooks: Record<string, Record<string, ApiOperation>>;
  components: { schemas: Record<string, ApiSchema> };
}
