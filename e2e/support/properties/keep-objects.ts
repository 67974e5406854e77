import type { DocumentedOperation } from "./api-document";
import type { Answer } from "./exchange";
import type { ObjectPool } from "./object-pool";

/** Adds what an accepted request made to the pool, so that later requests change and delete it. */
export function keepObjects(pool: ObjectPool, operation: DocumentedOperation, target: string, answer: Answer): void {
  const path = target.split("?")[0] ?? "";
  if (operation.method === "PUT" && answer.status === 204) keep(pool, path);
  const isJson = operation.responses.get(answer.status)?.content.has("application/json");
  if (!isJson || !/^application\/json/.test(answer.headers["content-type"] ?? "") || answer.status >= 300 || answer.body.length === 0)
    return;
  const body = JSON.parse(answer.body.toString("utf8")) as Record<string, unknown>; // checked against the document before
  for (const key of ["next_cursor", "nextCursor"]) if (typeof body[key] === "string") pool.addCursor(operation.id, body[key]);
  if (operation.method !== "POST") return;
  keep(pool, answer.headers.location);
  for (const template of pool.templates) keep(pool, placeBeside(template, operation.path, path, body));
  if (/^create.*Run$/.test(operation.id)) keep(pool, `/v1/conversations/${String(body.conversation_id)}`);
}

function keep(pool: ObjectPool, place: string | undefined): void {
  const template = pool.templates.find((known) => new RegExp(`^${known.replace(/\{\w+\}/g, "[\\w-]+")}$`).test(place ?? ""));
  if (template !== undefined && place !== undefined) pool.add("spare", template, place);
}

/** `POST /v1/secrets` made `/v1/secrets/{name}` when the answer has a name. */
function placeBeside(template: string, operationPath: string, path: string, body: Record<string, unknown>): string | undefined {
  const cut = template.lastIndexOf("/");
  const id = body[template.slice(cut + 2, -1)];
  return template.slice(0, cut) === operationPath && typeof id === "string" ? `${path}/${id}` : undefined;
}
