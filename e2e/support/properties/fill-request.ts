import type { ObjectPool } from "./object-pool";
import type { Credential, PlannedRequest } from "./planned-request";

/** A request as it goes over the wire. */
export interface FilledRequest {
  method: string;
  /** Path and query. */
  target: string;
  headers: [string, string][];
  body: Uint8Array | null;
}

const UPPER = /~UPPER~(.*?)~REPPU~/g;

/** Puts real ids in the place of tokens, and the key that belongs to the credential. */
export function fillRequest(request: PlannedRequest, pool: ObjectPool, keys: Record<Credential, string | null>): FilledRequest {
  const path = pool
    .fill(request.path)
    .replace(UPPER, (_, place: string) => place.slice(0, place.lastIndexOf("/")) + place.slice(place.lastIndexOf("/")).toUpperCase());
  const query = pool.fill(request.query);
  const key = keys[request.credential];
  const headers = request.headers.map(([name, value]): [string, string] => [name, pool.fill(value)]);
  if (key !== null && !headers.some(([name]) => name.toLowerCase() === "authorization")) headers.push(["authorization", `Bearer ${key}`]);
  return {
    method: request.method,
    target: query === "" ? path : `${path}?${query}`,
    headers,
    body: typeof request.body === "string" ? new TextEncoder().encode(pool.fill(request.body)) : request.body,
  };
}
