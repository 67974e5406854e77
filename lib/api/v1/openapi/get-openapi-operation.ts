import "server-only";
import { z } from "zod";
import { type Operation, operation } from "@/lib/api/http/operation";
import { documentText } from "@/lib/api/openapi/document-text";

/** Serves the document of the operations that it is given, itself among them. */
export function getOpenapiOperation(operations: () => readonly Operation[]): Operation {
  let text: string | undefined;
  return operation({
    method: "GET",
    path: "/v1/openapi.json",
    operationId: "getOpenapi",
    tag: "Document",
    summary: "This document",
    description: "The OpenAPI 3.1 description of the API. Needs no key.",
    auth: "none",
    responses: [{ status: 200, description: "OpenAPI 3.1.", schema: z.looseObject({ openapi: z.string() }), headers: ["Cache-Control"] }],
    errors: [],
    async handle() {
      text ??= documentText(operations());
      return { status: 200, body: text, headers: { "cache-control": "public, max-age=300" } };
    },
  });
}
