import { type ApiClient, ApiResponse, type RequestOptions } from "../support/api-client";
import {
  ApiDocument,
  type DocumentedOperation,
  type DocumentedResponse,
  DocumentSchemas,
} from "../support/api-document";
import { DocumentWorld } from "../support/document/document-world";
import { type ExampleRequest, exampleRequests } from "../support/document/example-request";
import { expect, test } from "../support/test";

test("every example of the document is answered with a documented success that fits it", async ({
  newAccount,
  anonymous,
  modelUrl,
  inbox,
}) => {
  const document = await ApiDocument.read(anonymous);
  const schemas = new DocumentSchemas(document, "answers");
  const world = await DocumentWorld.make(
    await newAccount({ credits: 100_000, superAgent: true }),
    modelUrl,
    inbox,
  );
  expect(document.operations.length).toBeGreaterThan(60);
  const problems: string[] = [];
  for (const operation of document.operations) {
    const client = operation.auth === "app" ? world.appClient : world.account.api;
    for (const request of exampleRequests(operation, await world.bindingsFor(operation.id))) {
      for (const problem of await replay(schemas, operation, client, request))
        problems.push(`${operation.id} (${request.name}): ${problem}`);
    }
  }
  expect(problems).toEqual([]);
  const [sent] = await inbox.received();
  expect(
    schemas.faultOf(
      "/webhooks/runFinished/post/requestBody/content/application~1json/schema",
      JSON.parse(sent?.body ?? ""),
    ),
  ).toBeNull();
});

/** Sends it for each media type that the operation can answer with. */
async function replay(
  schemas: DocumentSchemas,
  operation: DocumentedOperation,
  client: ApiClient,
  request: ExampleRequest,
): Promise<string[]> {
  const wanted = [...(operation.responses.get(200)?.content.keys() ?? [])];
  const accepts = wanted.length > 1 ? wanted : [null];
  const problems: string[] = [];
  for (const accept of accepts) {
    const headers = { ...request.options.headers, ...(accept && { accept }) };
    const options = { ...request.options, headers };
    const answer =
      operation.id === "listEvents" && accept === "application/x-ndjson"
        ? await startOf(client, operation, request.path, options)
        : await client.request(operation.method, request.path, options);
    problems.push(...problemsOfAnswer(schemas, operation, answer));
  }
  return problems;
}

/** The first whole lines of a stream that goes on until its reader leaves. */
async function startOf(
  client: ApiClient,
  { method }: DocumentedOperation,
  path: string,
  options: RequestOptions,
): Promise<ApiResponse> {
  const left = new AbortController();
  const response = await client.open(method, path, { ...options, signal: left.signal });
  let text = "";
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  while (reader && !text.includes("\n")) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  left.abort();
  const lines = new TextEncoder().encode(text.slice(0, text.lastIndexOf("\n")));
  return new ApiResponse(response.status, response.headers, lines, null);
}

function problemsOfAnswer(
  schemas: DocumentSchemas,
  operation: DocumentedOperation,
  answer: ApiResponse,
): string[] {
  const documented = answer.status < 400 ? operation.responses.get(answer.status) : undefined;
  if (!documented) return [`answered with ${answer.status} ${answer.text.slice(0, 300)}`];
  const missing = [...documented.headers]
    .filter(([name, isRequired]) => isRequired && answer.header(name) === null)
    .map(([name]) => `no header ${name}`);
  return [...missing, ...bodyProblems(schemas, documented.content, answer)];
}

function bodyProblems(
  schemas: DocumentSchemas,
  content: DocumentedResponse["content"],
  answer: ApiResponse,
): string[] {
  const type = answer.header("content-type")?.split(";")[0] ?? "";
  if (content.size === 0) return answer.text === "" ? [] : ["a body that is not documented"];
  if (content.has("*/*")) return [];
  const pointer = content.get(type);
  if (!pointer) return [`the media type ${type}`];
  if (type === "application/yaml")
    return answer.text.startsWith("kind: agent") ? [] : ["no agent document"];
  if (type === "text/csv") return /^[a-z_]+(,[a-z_]+)+\r\n/.test(answer.text) ? [] : ["no table"];
  const bodies = type === "application/x-ndjson" ? answer.text.trim().split("\n") : [answer.text];
  return bodies.flatMap((body) => schemas.faultOf(pointer, JSON.parse(body)) ?? []);
}
