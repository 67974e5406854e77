import type { ApiClient } from "../api-client";
import type { ApiDocument } from "./api-document";
import type { ObjectPool } from "./object-pool";

const PARENTS_MAX = 6;

/** Finds the objects that an account has, by walking the lists that the document describes, and keeps their places and the lists' cursors. */
export async function harvest(
  document: ApiDocument,
  pool: ObjectPool,
  kind: "kept" | "foreign",
  apis: { account: ApiClient; app: ApiClient | null },
): Promise<void> {
  for (const template of pool.templates) {
    const cut = template.lastIndexOf("/");
    const [collection, param] = [template.slice(0, cut), template.slice(cut + 2, -1)];
    const list = document.operations.find((operation) => operation.method === "GET" && operation.path === collection);
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

/** Artifacts have no list of their own: the runs that made them name them. One's own are there to be used up. */
function keepArtifacts(pool: ObjectPool, kind: "kept" | "foreign", runs: Record<string, unknown>[]): void {
  for (const { result } of runs as { result: { artifacts: { id: string }[] } | null }[]) // the contract's runs
    for (const { id } of result?.artifacts ?? [])
      pool.add(kind === "kept" ? "spare" : "foreign", "/v1/artifacts/{artifact_id}", `/v1/artifacts/${id}`);
}

function collectionsOf(pool: ObjectPool, kind: "kept" | "foreign", collection: string): string[] {
  const parent = pool.templateOf(collection);
  if (parent === null) return [collection];
  return pool
    .placesOf(kind, parent)
    .slice(0, PARENTS_MAX)
    .map((place) => place + collection.slice(parent.length));
}

async function keepCursors(api: ApiClient, pool: ObjectPool, operationId: string, path: string): Promise<void> {
  const page = (await api.get(path, { query: { limit: 1 } })).json() as { next_cursor?: string | null; nextCursor?: string | null };
  const cursor = page.next_cursor ?? page.nextCursor;
  if (cursor) pool.addCursor(operationId, cursor);
}
