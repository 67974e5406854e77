import "server-only";
import {
  createDocument,
  type oas31,
  type ZodOpenApiPathItemObject,
  type ZodOpenApiPathsObject,
} from "zod-openapi";
import type { Operation } from "@/lib/api/http/operation";
import { normalizeDocument, operationObject } from "@/lib/api/openapi/document-parts";
import {
  errorResponseComponents,
  errorSchemas,
  headerComponents,
  unroutedResponses,
} from "@/lib/api/openapi/response-components";
import { WEBHOOK_EXAMPLES, webhookPayloadSchema } from "@/lib/api/schemas/run-webhook";
import { models } from "@/lib/domain/models/models";
import { env } from "@/lib/env";
import { AGENT_CONFIG_JSON_SCHEMA } from "@/lib/model/agent-config/agent-config-json-schema";
import { DASHBOARD_TEMPLATE_JSON_SCHEMA } from "@/lib/model/dashboard/dashboard-template-schema";

/**
 * The document of this deployment, as it is served: with the surfaces' own hosts where they have
 * any.
 */
export function documentText(operations: readonly Operation[]): string {
  return JSON.stringify(
    openapiDocument(operations, { api: env().API_BASE_HOST, app: env().APP_BASE_HOST }),
  );
}

/**
 * The hosts of the two surfaces, where each has one of its own; empty: the host that serves the
 * document.
 */
interface DocumentHosts {
  api: string;
  app: string;
}

/**
 * The OpenAPI 3.1 document of `/v1` and of the app-scoped path, made of the very objects that serve
 * them.
 */
export function openapiDocument(
  operations: readonly Operation[],
  hosts: DocumentHosts = { api: "", app: "" },
): oas31.OpenAPIObject {
  // Typed as the newest version that the library knows; what it is given says 3.1.
  const document = createDocument(
    {
      openapi: "3.1.1",
      info: {
        title: "Lathe API",
        version: "1.0.0",
        description: DOCUMENT_DESCRIPTION,
        license: { name: "MIT", identifier: "MIT" },
      },
      servers: [serverOf(hosts.api)],
      security: [{ accountKey: [] }],
      tags: Object.entries(DOCUMENT_TAGS).map(([name, description]) => ({ name, description })),
      paths: toPaths(operations, hosts),
      webhooks: { runFinished: runFinishedWebhook() },
      components: {
        schemas: { ...errorSchemas(), ...publishedSchemas() },
        headers: headerComponents(),
        responses: errorResponseComponents(operations),
        securitySchemes: {
          accountKey: {
            type: "http",
            scheme: "bearer",
            description: "An account key, `svc_sk_…`.",
          },
          appKey: {
            type: "http",
            scheme: "bearer",
            description: "An app key, `appapi_…`, good for one agent.",
          },
          clientToken: {
            type: "http",
            scheme: "bearer",
            description:
              "A client token, `client_…`, good for one agent and one person, from pages of " +
              "the origins that it names.",
          },
        },
      },
      "x-unrouted-responses": unroutedResponses(),
    },
    { override: ({ jsonSchema, io }) => io === "output" && allowMore(jsonSchema) },
  ) as oas31.OpenAPIObject;
  // None of them is a mere reference.
  linkPublishedSchemas(document.components?.schemas as Record<string, oas31.SchemaObject>);
  normalizeDocument(document);
  extractComponents(document);
  return document;
}

/** Answers may gain fields (specification §9), so no schema of one is closed. */
function allowMore(schema: { additionalProperties?: unknown }): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
}

function toPaths(operations: readonly Operation[], hosts: DocumentHosts): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const operation of operations) {
    const elsewhere =
      operation.auth === "app" && hosts.app !== hosts.api ? { servers: [serverOf(hosts.app)] } : {};
    paths[operation.path] = {
      ...elsewhere,
      ...paths[operation.path],
      [operation.method.toLowerCase()]: operationObject(operation),
    };
  }
  return paths;
}

/**
 * Relative, so that it holds for whatever scheme, and without a host of its own for whatever host,
 * the document came from.
 */
function serverOf(host: string): oas31.ServerObject {
  return host === ""
    ? { url: "/", description: "The host that serves this document." }
    : { url: `//${host}` };
}

/** What holds for every operation, as Markdown. */
const DOCUMENT_DESCRIPTION = `Create, edit and run hosted agents from your backend.

**Keys** are server-side secrets and travel as \`Authorization: Bearer <key>\`: account keys \
(\`svc_sk_…\`) on \`/v1\`, app keys (\`appapi_…\`) on the app-scoped path only. A browser is given \
a client token (\`POST /v1/client-tokens\`), which works on the app-scoped path, for one person, \
from the origins that it names; only there may pages of other origins ask (CORS).

**Bodies** are JSON in UTF-8 (at most 1 MiB and 64 levels), \`snake_case\` on \`/v1\`, \
\`camelCase\` on the app-scoped path and in webhooks. Unknown properties of a request are refused, \
unknown query keys ignored. Answers and events may gain fields: ignore those that you do not know.

**Ids** are UUIDs in lower case, **times** RFC 3339 in UTC with milliseconds. What belongs to \
another account answers as what does not exist.

**Errors** are \`{error, message}\` with a stable code in \`error\` and, in each answer, \
\`X-Request-Id\`. A path that does not exist answers 404 \`NOT_FOUND\`, a method that a path does \
not have 405 \`METHOD_NOT_ALLOWED\` with \`Allow\`; an account whose e-mail address is not \
confirmed yet is answered 403 \`FORBIDDEN\` wherever it asks; these three belong to no operation \
and stand under \`x-unrouted-responses\`. \`HEAD\` works wherever \`GET\` does.

**Lists** give the newest first, \`limit\` rows a page; \`next_cursor\` leads on, and rows that \
are added meanwhile do not disturb it.

**Limits**: every answer after authentication carries \`RateLimit\` and \`X-RateLimit-…\`. On 429 \
wait for \`Retry-After\`, then back off with jitter.

**Retries**: send an \`Idempotency-Key\` with what starts a run and answers 202, and repeat the \
request as it was. A POST that would make a second thing and keeps no key answers 400 to one.

**Streams** (\`application/x-ndjson\`) are JSON objects, one a line; the schema is that of one \
line, \`RunEvent\`. After a disconnect go on with \`GET \
/v1/runs/{run_id}/events?starting_after=<last number>\`.`;

/** The tags of the operations, in the order in which a reader meets them. */
const DOCUMENT_TAGS = {
  Agents:
    "Personal agents: created in plain language, changed field by field, versioned, copied " +
    "and moved.",
  Templates: "Complete agents to begin with.",
  Edits: "Changing an agent in plain language.",
  Runs: "Work done by an agent: started, streamed, followed, cancelled.",
  Conversations: "The context that later runs continue.",
  Approvals: "Tool calls that wait for a person.",
  Schedules: "Runs by the clock.",
  Connectors: "What agents call outside.",
  Memories: "What agents note across conversations.",
  Workspaces: "Folders of files that runs can use.",
  Files: "A workspace's files.",
  Skills: "Agent Skills that the account's runs can read.",
  Connections: "Sign-ins at MCP servers, by OAuth 2.1.",
  Secrets: "Values that connectors send and nobody reads.",
  Webhooks: "The end of a run, sent to your own address, and the log of it.",
  Account: "Who is calling, what is left, what was spent.",
  "Super-agent":
    "A chat surface that knows the product profile and directs the account's agents. For " +
    "allowlisted accounts.",
  "Client tokens": "Short-lived tokens with which a person's browser runs one agent.",
  "End users":
    "The people for whom your backend starts runs (`end_user`): what there is of each, what " +
    "they may use, export and erasure.",
  "App-scoped path":
    "One agent, run with a key that is good for nothing else, or by a person's browser with " +
    "a client token. What a token is not for answers 403 `FORBIDDEN`: a page of another " +
    "origin, or something that its `can` does not hold.",
  Document: "This description, and the schemas of what agents are written in.",
} as const;

const header = (name: string, description: string, example: string) => ({
  in: "header" as const,
  name,
  required: true,
  description,
  schema: { type: "string" as const },
  example,
});

/** What a run's `webhook_url` is sent. */
function runFinishedWebhook(): ZodOpenApiPathItemObject {
  return {
    post: {
      operationId: "runFinished",
      tags: ["Webhooks"],
      summary: "A run has ended",
      description:
        "Sent to the `webhook_url` of a run, also of a creation or an edit, when it has " +
        "completed, failed or was cancelled. Signed by Standard Webhooks with the account's " +
        "`whsec_…` secret, which the console shows. Answer 2xx within 10 s. Anything else is " +
        "tried again after 5 s, 30 s, 2 min and 10 min; `Retry-After` is honoured, 410 " +
        "stops, redirects are not followed.",
      security: [],
      parameters: [
        header(
          "webhook-id",
          "The same for every attempt and redelivery: the run's id.",
          "01939d3b-7c1a-7b60-9f5e-3f7a2c1d0002",
        ),
        header(
          "webhook-timestamp",
          "Of the attempt, in seconds since 1970. Refuse old ones.",
          "1767225600",
        ),
        header(
          "webhook-signature",
          "`v1,<base64 HMAC-SHA256>` over `id.timestamp.body`; several, separated by spaces, " +
            "while the secret is being rotated.",
          "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
        ),
      ],
      requestBody: {
        required: true,
        content: {
          "application/json": { schema: webhookPayloadSchema, examples: WEBHOOK_EXAMPLES },
        },
      },
      responses: {
        "2XX": { description: "Delivered." },
        "410": { description: "Stop sending this run's end." },
      },
    },
  };
}

type Schemas = Record<string, oas31.SchemaObject>;

const WRITTEN_WITH_AGENTS = ["Agent", "AgentVersion", "AgentDocument", "UpdateAgentRequest"];

/** The schemas that are published by themselves too: what an agent's config and dashboard are. */
function publishedSchemas(): Schemas {
  return {
    AgentConfig: asComponent(AGENT_CONFIG_JSON_SCHEMA),
    DashboardTemplate: asComponent(DASHBOARD_TEMPLATE_JSON_SCHEMA),
  };
}

/**
 * Writes, in place, what the requests' own schemas leave to the domain, which has better messages
 * for it: the fields `config` and
 * `dashboard_template` are what is published of them, and `model` is one of the published list.
 */
function linkPublishedSchemas(schemas: Schemas): void {
  for (const name of WRITTEN_WITH_AGENTS) {
    const properties = schemas[name]?.properties;
    if (!properties) throw new Error(`the document has no component ${name}`);
    properties.config = {
      ...annotations(properties.config),
      $ref: "#/components/schemas/AgentConfig",
    };
    properties.dashboard_template = {
      ...annotations(properties.dashboard_template),
      anyOf: [{ $ref: "#/components/schemas/DashboardTemplate" }, { type: "null" }],
    };
  }
  if (schemas.ModelId)
    schemas.ModelId.enum = [
      ...models().known.map((model) => model.id),
      ...Object.keys(models().aliases),
    ];
}

function annotations(schema: object | undefined): { description?: string; default?: unknown } {
  const { description, default: fallback } = (schema ?? {}) as {
    description?: string;
    default?: unknown;
  }; // annotations of any schema
  return {
    ...(description !== undefined && { description }),
    ...(fallback !== undefined && { default: fallback }),
  };
}

/** Inside a document the dialect is the document's. */
function asComponent({
  $schema: _dialect,
  ...schema
}: object & { $schema?: unknown }): oas31.SchemaObject {
  return structuredClone(schema) as oas31.SchemaObject; // zod's type for it is wider
}

type Part = Record<string, unknown>;
type Components = Record<string, Part>;

/**
 * Replaces, in place, parameters and examples that stand in several places by references to one
 * component of their name. Where parts of one name differ, the first that is repeated has it.
 */
function extractComponents(document: { components?: object }): void {
  const found = { parameters: [] as Found[], examples: [] as Found[] };
  collect(document, found);
  const components = document.components as Record<string, Components>; // made by the generator
  for (const kind of ["parameters", "examples"] as const) {
    const shared = share(found[kind], kind);
    if (Object.keys(shared).length > 0) components[kind] = { ...components[kind], ...shared };
  }
}

interface Found {
  name: string;
  text: string;
  part: Part;
}

function collect(node: unknown, found: { parameters: Found[]; examples: Found[] }): void {
  if (Array.isArray(node)) for (const item of node) collect(item, found);
  if (typeof node !== "object" || node === null || Array.isArray(node)) return;
  if ("in" in node && "name" in node && "schema" in node)
    found.parameters.push(toFound(String(node.name), node));
  for (const [key, value] of Object.entries(node)) {
    if (key === "schema" || key === "schemas" || key === "value") continue;
    if (key === "examples")
      for (const [name, example] of Object.entries(value))
        found.examples.push(toFound(name, example));
    else collect(value, found);
  }
}

function toFound(name: string, part: unknown): Found {
  return { name, text: JSON.stringify(part), part: part as Part };
}

function share(places: readonly Found[], kind: string): Components {
  const shared: Components = {};
  const counts = new Map<string, number>();
  for (const { text } of places) counts.set(text, (counts.get(text) ?? 0) + 1);
  for (const { name, text } of places)
    if ((counts.get(text) ?? 0) > 1) shared[name] ??= JSON.parse(text) as Part; // a copy
  for (const { name, text, part } of places) {
    if (JSON.stringify(shared[name]) !== text) continue;
    for (const key of Object.keys(part)) delete part[key];
    part.$ref = `#/components/${kind}/${name}`;
  }
  return shared;
}
