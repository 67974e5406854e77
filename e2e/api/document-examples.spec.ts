import type { ApiClient } from "../support/api-client";
import type { ApiResponse } from "../support/api-response";
import { ApiDocument, type DocumentOperation } from "../support/document/api-document";
import { DocumentWorld } from "../support/document/document-world";
import { type ExampleRequest, exampleRequests } from "../support/document/example-request";
import { expect, test } from "../support/test";

test("every example of the document is answered with a success that it documents, and the answer fits it", async ({
  newAccount,
  anonymous,
  modelUrl,
  inbox,
}) => {
  const document = await ApiDocument.fetch(anonymous);
  const world = await DocumentWorld.make(await newAccount({ credits: 100_000, superAgent: true }), modelUrl, inbox);
  expect(document.operations.length).toBeGreaterThan(60);
  const problems: string[] = [];
  for (const operation of document.operations) {
    const client = operation.path.startsWith("/api/") ? world.appClient : world.account.api;
    for (const request of exampleRequests(operation, await world.bindingsFor(operation.operationId))) {
      for (const problem of await replay(document, operation, client, request))
        problems.push(`${operation.operationId} (${request.name}): ${problem}`);
    }
  }
  expect(problems).toEqual([]);
  const [sent] = await inbox.received();
  expect(document.webhookProblems(JSON.parse(sent?.body ?? ""))).toEqual([]);
});

/** Sends it for each media type that the operation can answer with. */
async function replay(document: ApiDocument, operation: DocumentOperation, client: ApiClient, request: ExampleRequest): Promise<string[]> {
  const wanted = operation.responses["200"]?.mediaTypes ?? [];
  const accepts = wanted.length > 1 ? wanted : [null];
  const problems: string[] = [];
  for (const accept of accepts) {
    const headers = { ...request.options.headers, ...(accept && { accept }) };
    const answer = await client.request(operation.method.toUpperCase(), request.path, { ...request.options, headers });
    problems.push(...problemsOfAnswer(document, operation, answer));
  }
  return problems;
}

function problemsOfAnswer(document: ApiDocument, operation: DocumentOperation, answer: ApiResponse): string[] {
  const documented = answer.status < 400 ? operation.responses[String(answer.status)] : undefined;
  if (!documented) return [`answered with ${answer.status} ${answer.text.slice(0, 300)}`];
  const missing = Object.entries(documented.headers)
    .filter(([name, { required }]) => required && answer.header(name) === null)
    .map(([name]) => `no header ${name}`);
  return [...missing, ...bodyProblems(document, operation, answer, documented.mediaTypes)];
}

function bodyProblems(document: ApiDocument, operation: DocumentOperation, answer: ApiResponse, mediaTypes: string[]): string[] {
  const type = answer.header("content-type")?.split(";")[0] ?? "";
  if (mediaTypes.length === 0) return answer.text === "" ? [] : ["a body that is not documented"];
  if (mediaTypes.includes("*/*")) return [];
  if (!mediaTypes.includes(type)) return [`the media type ${type}`];
  if (type === "application/yaml") return answer.text.startsWith("kind: agent") ? [] : ["no agent document"];
  const bodies = type === "application/x-ndjson" ? answer.text.trim().split("\n") : [answer.text];
  return bodies.flatMap((body) => document.problemsOf(operation, answer.status, type, JSON.parse(body)));
}
