import "server-only";
import { CONNECTION_COLUMNS, type ConnectionView } from "@/lib/domain/connections/connection-store";
import { type Page, type PageRequest, readCursor, rowsToRead, toPage } from "@/lib/domain/page";
import type { Principal } from "@/lib/domain/principal";
import { postgres } from "@/lib/platform/postgres";

/**
 * The account's connections, or those of a person of its own, newest first, without their tokens.
 */
export async function listConnections(
  { accountId }: Principal,
  page: PageRequest,
  endUser: string | null = null,
): Promise<Page<ConnectionView>> {
  const owned = endUser === null ? "end_user IS NULL" : "end_user = $4";
  const { rows } = await postgres().query<ConnectionView>(
    `SELECT ${CONNECTION_COLUMNS} FROM mcp_connections
     WHERE account_id = $1 AND ${owned} AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC
     LIMIT $3`,
    [
      ...[accountId, readCursor(page.cursor), rowsToRead(page)],
      ...(endUser === null ? [] : [endUser]),
    ],
  );
  return toPage(rows, page.limit, ({ id }) => id);
}

/** An agent whose config signs in to a server. */
export interface ConnectionUse {
  serverUrl: string;
  agentId: string;
  agentName: string;
}

const USES_MAX_ROWS = 2_000;

/**
 * Which active agents sign in where, whether or not there is such a connection; at most 2,000
 * pairs. The URLs are as the configs have them.
 */
export async function listConnectionUses({ accountId }: Principal): Promise<ConnectionUse[]> {
  const { rows } = await postgres().query<ConnectionUse>(
    `SELECT DISTINCT server ->> 'url' AS "serverUrl", a.id AS "agentId", a.name AS "agentName"
     FROM agents a, jsonb_path_query(a.config,
       'lax $.tools.mcp[*] ? (@.auth == "oauth")') AS used(server)
     WHERE a.account_id = $1 AND a.status = 'active' ORDER BY 1, 3, 2 LIMIT ${USES_MAX_ROWS}`,
    [accountId],
  );
  return rows;
}
