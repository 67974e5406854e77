import "server-only";
import { createHash } from "node:crypto";
import type { McpServer } from "@/lib/model/agent-config/effective-config";
import { postgres } from "@/lib/platform/postgres";
import type { McpDefinition, McpListing } from "@/lib/runtime/tools/list-mcp-tools";

/** What a server lists that does not say how long it holds. */
const FRESH_DEFAULT_MS = 300_000;
/**
 * A server that says 0 would be asked twice for each call, and so would one of 2026-07-28 that says
 * nothing.
 */
const FRESH_MIN_MS = 60_000;
/** A change of what a tool may do unasked is noticed within this, whatever a server promises. */
const FRESH_MAX_MS = 3_600_000;
const KEPT_MAX_ROWS = 100;

/** A listing that is kept, without what it lists. */
export interface KeptListing {
  /** Which listing it is, among all of its key. */
  listedAt: string;
  isFresh: boolean;
}

/**
 * Under what a server's listing is kept: as which it is named, which tools are wanted of it, and
 * with which credential it was asked. Another credential may be shown other tools.
 */
export function listingKey(server: McpServer, credential: string): Buffer {
  const { url, auth, auth_secret, auth_header, tools } = server;
  const identity = [url, auth ?? null, auth_secret ?? null, auth_header ?? null, tools, credential];
  return createHash("sha256").update(JSON.stringify(identity)).digest();
}

/** The kept listings of these keys; by the key in hexadecimal. */
export async function findListings(
  accountId: string,
  keys: readonly Buffer[],
): Promise<Map<string, KeptListing>> {
  const { rows } = await postgres().query<KeptListing & { key: string }>({
    name: "find-mcp-listings",
    text: `SELECT encode(listing_key, 'hex') AS key, listed_at::text AS "listedAt",
             fresh_until > clock_timestamp() AS "isFresh"
           FROM mcp_listings WHERE account_id = $1 AND listing_key = ANY($2)`,
    values: [accountId, keys],
  });
  return new Map(rows.map(({ key, ...listing }) => [key, listing]));
}

/** What a listing lists; null where it is another one by now, or none. */
export async function readListing(
  accountId: string,
  key: Buffer,
  listedAt: string,
): Promise<McpDefinition[] | null> {
  const { rows } = await postgres().query<{ definitions: string }>({
    name: "read-mcp-listing",
    text: `SELECT definitions FROM mcp_listings
           WHERE account_id = $1 AND listing_key = $2 AND listed_at = $3::timestamptz`,
    values: [accountId, key, listedAt],
  });
  return rows[0] ? (JSON.parse(rows[0].definitions) as McpDefinition[]) : null; // as kept below
}

/**
 * Keeps what a server has just listed, for as long as it says, within bounds; of an account the
 * newest 100. @returns when it was listed, as the other verbs name it
 */
export async function keepListing(
  accountId: string,
  key: Buffer,
  { definitions, ttlMs }: McpListing,
): Promise<string> {
  const freshMs =
    ttlMs === null ? FRESH_DEFAULT_MS : Math.min(Math.max(ttlMs, FRESH_MIN_MS), FRESH_MAX_MS);
  const { rows } = await postgres().query<{ listedAt: string }>({
    name: "keep-mcp-listing",
    text: `INSERT INTO mcp_listings (account_id, listing_key, definitions, listed_at, fresh_until)
           VALUES ($1, $2, $3, clock_timestamp(), clock_timestamp() + $4 * interval '1 millisecond')
           ON CONFLICT (account_id, listing_key) DO UPDATE SET definitions = excluded.definitions,
             listed_at = excluded.listed_at, fresh_until = excluded.fresh_until
           RETURNING listed_at::text AS "listedAt"`,
    values: [accountId, key, JSON.stringify(definitions), freshMs],
  });
  await postgres().query({
    name: "bound-mcp-listings",
    text: `DELETE FROM mcp_listings WHERE account_id = $1 AND listing_key IN (
             SELECT listing_key FROM mcp_listings WHERE account_id = $1
             ORDER BY listed_at DESC OFFSET ${KEPT_MAX_ROWS})`,
    values: [accountId],
  });
  return rows[0]?.listedAt ?? "";
}

/**
 * Forgets a listing whose server can no longer be used; not one that somebody else has kept since.
 */
export async function dropListing(accountId: string, key: Buffer, listedAt: string): Promise<void> {
  await postgres().query(
    `DELETE FROM mcp_listings
     WHERE account_id = $1 AND listing_key = $2 AND listed_at = $3::timestamptz`,
    [accountId, key, listedAt],
  );
}
