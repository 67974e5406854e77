import type { IncomingHttpHeaders } from "node:http";
import type { ApiClient } from "../api-client";
import type { ApiDocument, DocumentedOperation } from "../api-document";
import { UNKNOWN_ID } from "../unknown-ids";

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The stream went on when it was left. */
  cut: boolean;
}

/**
 * Whose object a token names: one that stays, one that may be changed, one to be used up, somebody
 * else's, or none at all.
 */
export type PlaceKind = "kept" | "spare" | "doomed" | "foreign" | "unknown";

const TOKEN = /~(kept|spare|doomed|foreign|unknown)\.(\d+)\.(\d+)\.(path|id)~/g;
const CURSOR = /~cursor\.(\w+)\.(\d+)~/g;
const SPARES_MAX = 40;

/**
 * Real objects by the place where they are fetched, such as `/v1/runs/{run_id}` → `/v1/runs/0190…`.
 * A request names them by tokens, so that fast-check can repeat and shrink it whatever the ids are.
 */
export class ObjectPool {
  readonly templates: string[];
  readonly #places = new Map<string, string[]>();
  readonly #cursors = new Map<string, string[]>();

  constructor(document: ApiDocument) {
    const prefixes = document.operations.flatMap(({ path }) =>
      [...path.matchAll(/\/\{\w+\}/g)].map((match) => path.slice(0, match.index + match[0].length)),
    );
    this.templates = [...new Set(prefixes)].sort(
      (a, b) => a.split("/").length - b.split("/").length,
    );
  }

  /** The template of the longest part of a path that names an object; null when none does. */
  templateOf(path: string): string | null {
    return (
      this.templates.findLast((template) => path === template || path.startsWith(`${template}/`)) ??
      null
    );
  }

  /**
   * The template of the objects whose ids a field of this name holds; `agent_id` and `agentId`
   * alike.
   */
  templateNamed(field: string): string | null {
    const wanted = toSnakeCase(field);
    return (
      this.templates.find(
        (template) => /_id$/.test(wanted) && toSnakeCase(lastParam(template)) === wanted,
      ) ?? null
    );
  }

  token(kind: PlaceKind, template: string, index: number, part: "path" | "id"): string {
    return `~${kind}.${this.templates.indexOf(template)}.${index}.${part}~`;
  }

  add(kind: "kept" | "spare" | "foreign", template: string, place: string): void {
    const list = this.#listOf(kind, template);
    if (!list.includes(place)) list.push(place);
    if (kind === "spare" && list.length > SPARES_MAX) list.shift();
  }

  addCursor(operationId: string, cursor: string): void {
    const list = this.#cursors.get(operationId) ?? [];
    if (list.length < SPARES_MAX) this.#cursors.set(operationId, [...list, cursor]);
  }

  placesOf(kind: "kept" | "spare" | "foreign", template: string): readonly string[] {
    return this.#listOf(kind, template);
  }

  /** Puts real ids and cursors in the tokens' places. */
  fill(text: string): string {
    return text
      .replace(TOKEN, (_, kind: PlaceKind, template: string, index: string, part: string) => {
        const place = this.#pick(kind, this.templates[Number(template)] ?? "", Number(index));
        return part === "path" ? place : place.slice(place.lastIndexOf("/") + 1);
      })
      .replace(CURSOR, (_, operationId: string, index: string) => {
        const list = this.#cursors.get(operationId) ?? [];
        return list[Number(index) % list.length] ?? "none";
      });
  }

  #pick(kind: PlaceKind, template: string, index: number): string {
    const spares = this.#listOf("spare", template);
    if (kind === "doomed")
      return spares.splice(index % Math.max(1, spares.length), 1)[0] ?? unknownPlace(template);
    const list =
      kind === "spare" && spares.length > 0
        ? spares
        : kind === "spare"
          ? this.#listOf("kept", template)
          : this.#listOf(kind, template);
    return list[index % list.length] ?? unknownPlace(template);
  }

  #listOf(kind: PlaceKind, template: string): string[] {
    const key = `${kind} ${template}`;
    const list = this.#places.get(key) ?? [];
    this.#places.set(key, list);
    return list;
  }
}

function unknownPlace(template: string): string {
  return template.replace(/\{\w*name\}/g, "UNKNOWN").replace(/\{\w+\}/g, UNKNOWN_ID);
}

function lastParam(template: string): string {
  return template.slice(template.lastIndexOf("{") + 1, -1);
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const PARENTS_MAX = 6;

/**
 * Finds the objects that an account has, by walking the lists that the document describes, and
 * keeps their places and the lists' cursors.
 */
export async function collectObjects(
  document: ApiDocument,
  pool: ObjectPool,
  kind: "kept" | "foreign",
  apis: { account: ApiClient; app: ApiClient | null },
): Promise<void> {
  for (const template of pool.templates) {
    const cut = template.lastIndexOf("/");
    const [collection, param] = [template.slice(0, cut), template.slice(cut + 2, -1)];
    const list = document.operations.find(
      (operation) => operation.method === "GET" && operation.path === collection,
    );
    const api = list?.auth === "app" ? apis.app : apis.account;
    if (!list || !api) continue;
    for (const path of collectionsOf(pool, kind, collection)) {
      const answer = await api.get(path, { query: { limit: 100 } });
      if (answer.status !== 200) continue;
      const { data } = answer.json() as { data: Record<string, unknown>[] }; // the contract's list
      for (const row of data.filter(({ source }) => kind === "kept" || source !== "built_in"))
        pool.add(kind, template, `${path}/${String(row[param])}`);
      if (collection === "/v1/runs") keepArtifacts(pool, kind, data);
      await keepCursors(api, pool, list.id, path);
    }
  }
}

/**
 * Artifacts have no list of their own: the runs that made them name them. One's own are there to be
 * used up.
 */
function keepArtifacts(
  pool: ObjectPool,
  kind: "kept" | "foreign",
  runs: Record<string, unknown>[],
): void {
  // The contract's runs.
  for (const { result } of runs as { result: { artifacts: { id: string }[] } | null }[])
    for (const { id } of result?.artifacts ?? [])
      pool.add(
        kind === "kept" ? "spare" : "foreign",
        "/v1/artifacts/{artifact_id}",
        `/v1/artifacts/${id}`,
      );
}

function collectionsOf(pool: ObjectPool, kind: "kept" | "foreign", collection: string): string[] {
  const parent = pool.templateOf(collection);
  if (parent === null) return [collection];
  return pool
    .placesOf(kind, parent)
    .slice(0, PARENTS_MAX)
    .map((place) => place + collection.slice(parent.length));
}

async function keepCursors(
  api: ApiClient,
  pool: ObjectPool,
  operationId: string,
  path: string,
): Promise<void> {
  const page = (await api.get(path, { query: { limit: 1 } })).json() as {
    next_cursor?: string | null;
    nextCursor?: string | null;
  };
  const cursor = page.next_cursor ?? page.nextCursor;
  if (cursor) pool.addCursor(operationId, cursor);
}

/** Adds what an accepted request made to the pool, so that later requests change and delete it. */
export function keepObjects(
  pool: ObjectPool,
  operation: DocumentedOperation,
  target: string,
  answer: Answer,
): void {
  const path = target.split("?")[0] ?? "";
  if (operation.method === "PUT" && answer.status === 204) keep(pool, path);
  const isJson = operation.responses.get(answer.status)?.content.has("application/json");
  if (
    !isJson ||
    !/^application\/json/.test(answer.headers["content-type"] ?? "") ||
    answer.status >= 300 ||
    answer.body.length === 0
  )
    return;
  // Checked against the document before.
  const body = JSON.parse(answer.body.toString("utf8")) as Record<string, unknown>;
  for (const key of ["next_cursor", "nextCursor"])
    if (typeof body[key] === "string") pool.addCursor(operation.id, body[key]);
  if (operation.method !== "POST") return;
  keep(pool, answer.headers.location);
  for (const template of pool.templates)
    keep(pool, placeBeside(template, operation.path, path, body));
  if (/^create.*Run$/.test(operation.id))
    keep(pool, `/v1/conversations/${String(body.conversation_id)}`);
}

function keep(pool: ObjectPool, place: string | undefined): void {
  const template = pool.templates.find((known) =>
    new RegExp(`^${known.replace(/\{\w+\}/g, "[\\w-]+")}$`).test(place ?? ""),
  );
  if (template !== undefined && place !== undefined) pool.add("spare", template, place);
}

/** `POST /v1/secrets` made `/v1/secrets/{name}` when the answer has a name. */
function placeBeside(
  template: string,
  operationPath: string,
  path: string,
  body: Record<string, unknown>,
): string | undefined {
  const cut = template.lastIndexOf("/");
  const id = body[template.slice(cut + 2, -1)];
  return template.slice(0, cut) === operationPath && typeof id === "string"
    ? `${path}/${id}`
    : undefined;
}

/**
 * How many rows each list of an account has, the lists below its objects too, and what its wallet
 * holds.
 */
export async function accountCounts(
  document: ApiDocument,
  pool: ObjectPool,
  api: ApiClient,
): Promise<Record<string, unknown>> {
  const counts: Record<string, unknown> = {};
  for (const { method, path, auth, responses } of document.operations) {
    if (
      method !== "GET" ||
      auth !== "account" ||
      !isList(path, pool) ||
      !responses.get(200)?.content.has("application/json")
    )
      continue;
    for (const place of listsOf(pool, path)) counts[place] = await countRows(api, place);
  }
  // The contract's shape.
  const usage = (await api.get("/v1/account/usage")).json() as { credits: unknown };
  return { ...counts, credits: usage.credits };
}

/** A list is what stands before the id of something. */
function isList(path: string, pool: ObjectPool): boolean {
  return pool.templates.some((template) => template.slice(0, template.lastIndexOf("/")) === path);
}

function listsOf(pool: ObjectPool, path: string): string[] {
  const parent = pool.templateOf(path);
  return parent === null
    ? [path]
    : pool.placesOf("kept", parent).map((place) => place + path.slice(parent.length));
}

async function countRows(api: ApiClient, path: string): Promise<number> {
  const answer = await api.get(path, { query: { limit: 100 } });
  const { data } = answer.json() as { data?: unknown[] };
  if (!data) throw new Error(`${path} answered ${answer.status} ${answer.text}`);
  return data.length;
}
