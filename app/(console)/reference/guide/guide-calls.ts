import type { ApiDocument } from "@/lib/console/reference/api-document";
import { type ExampleCall, exampleCall } from "@/lib/console/reference/example-call";
import type { ReferenceOperation } from "@/lib/console/reference/list-operations";
import { toReferenceSnippets } from "@/lib/console/reference/to-reference-snippets";

/** The code of the guide's sections, made of the document's own examples. */
export function guideCalls(document: ApiDocument, operations: readonly ReferenceOperation[], baseUrl: string) {
  const codeOf = (operationId: string, more: Partial<ExampleCall> = {}) => {
    const operation = operations.find(({ id }) => id === operationId);
    if (!operation) throw new Error(`The document has no operation ${operationId}.`);
    return toReferenceSnippets({ ...exampleCall(document, operation, baseUrl), ...more });
  };
  const body = { kind: "json", value: { input: { request: "Add 17.5 and 4." } } } as const;
  return {
    authentication: codeOf("getAccount"),
    idempotency: codeOf("createRun", { body, headers: { "Idempotency-Key": "order-4711" } }),
    pagination: codeOf("listRuns"),
    streaming: codeOf("createRealtimeRun", { body }),
  };
}
