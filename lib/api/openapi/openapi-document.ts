import "server-only";
import { createDocument, type oas31, type ZodOpenApiPathsObject } from "zod-openapi";
import type { Operation } from "@/lib/api/http/operation";
import { DOCUMENT_DESCRIPTION } from "@/lib/api/openapi/document-description";
import { DOCUMENT_TAGS } from "@/lib/api/openapi/document-tags";
import { errorResponseComponents, unroutedResponses } from "@/lib/api/openapi/error-responses";
import { errorSchemas } from "@/lib/api/openapi/error-schemas";
import { headerComponents } from "@/lib/api/openapi/header-components";
import { operationObject } from "@/lib/api/openapi/operation-object";
import { linkPublishedSchemas, publishedSchemas } from "@/lib/api/openapi/published-schemas";
import { shareParts } from "@/lib/api/openapi/share-parts";
import { tidyDocument } from "@/lib/api/openapi/tidy-document";
import { runFinishedWebhook } from "@/lib/api/openapi/webhook-object";

/** The hosts of the two doors, where each has one of its own; empty: the host that serves the document. */
export interface DocumentHosts {
  api: string;
  app: string;
}

/** The OpenAPI 3.1 document of `/v1` and of the app-scoped path, made of the very objects that serve them. */
export function openapiDocument(operations: readonly Operation[], hosts: DocumentHosts = { api: "", app: "" }): oas31.OpenAPIObject {
  const document = createDocument(
    {
      openapi: "3.1.1",
      info: { title: "Lathe API", version: "1.0.0", description: DOCUMENT_DESCRIPTION, license: { name: "MIT", identifier: "MIT" } },
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
          accountKey: { type: "http", scheme: "bearer", description: "An account key, `svc_sk_…`." },
          appKey: { type: "http", scheme: "bearer", description: "An app key, `appapi_…`, good for one agent." },
        },
      },
      "x-unrouted-responses": unroutedResponses(),
    },
    { override: ({ jsonSchema, io }) => io === "output" && allowMore(jsonSchema) },
  );
  linkPublishedSchemas(document.components?.schemas as Record<string, oas31.SchemaObject>); // none of them is a mere reference
  tidyDocument(document);
  shareParts(document);
  return document;
}

/** Answers may gain fields (specification §9), so no schema of one is closed. */
function allowMore(schema: { additionalProperties?: unknown }): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
}

function toPaths(operations: readonly Operation[], hosts: DocumentHosts): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const operation of operations) {
    const elsewhere = operation.auth === "app" && hosts.app !== hosts.api ? { servers: [serverOf(hosts.app)] } : {};
    paths[operation.path] = { ...elsewhere, ...paths[operation.path], [operation.method.toLowerCase()]: operationObject(operation) };
  }
  return paths;
}

/** Relative, so that it holds for whatever scheme, and without a host of its own for whatever host, the document came from. */
function serverOf(host: string): oas31.ServerObject {
  return host === "" ? { url: "/", description: "The host that serves this document." } : { url: `//${host}` };
}
