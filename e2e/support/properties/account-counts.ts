import type { ApiClient } from "../api-client";
import type { ApiDocument } from "./api-document";
import type { ObjectPool } from "./object-pool";

/** How many rows each list of an account has, the lists below its objects too, and what its wallet holds. */
export async function accountCounts(document: ApiDocument, pool: ObjectPool, api: ApiClient): Promise<Record<string, unknown>> {
  const counts: Record<string, unknown> = {};
  for (const { method, path, auth, responses } of document.operations) {
    if (method !== "GET" || auth !== "account" || !isList(path, pool) || !responses.get(200)?.content.has("application/json")) continue;
    for (const place of placesOf(pool, path)) counts[place] = await countRows(api, place);
  }
  const usage = (await api.get("/v1/account/usage")).json() as { credits: unknown }; // the contract's shape
  return { ...counts, credits: usage.credits };
}

/** A list is what stands before the id of something. */
function isList(path: string, pool: ObjectPool): boolean {
  return pool.templates.some((template) => template.slice(0, template.lastIndexOf("/")) === path);
}

function placesOf(pool: ObjectPool, path: string): string[] {
  const parent = pool.templateOf(path);
  return parent === null ? [path] : pool.placesOf("kept", parent).map((place) => place + path.slice(parent.length));
}

async function countRows(api: ApiClient, path: string): Promise<number> {
  const answer = await api.get(path, { query: { limit: 100 } });
  const { data } = answer.json() as { data?: unknown[] };
  if (!data) throw new Error(`${path} answered ${answer.status} ${answer.text}`);
  return data.length;
}
