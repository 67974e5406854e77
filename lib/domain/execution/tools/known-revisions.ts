import "server-only";
import { createHash } from "node:crypto";
import type { McpServer } from "@/lib/model/agent-config/effective-config";
import { postgres } from "@/lib/platform/postgres";
import type { McpRevision, RevisionPort } from "@/lib/runtime/tools/tool-ports";

/** An older server that has learned the new revision is found out after this long. */
const BELIEVED_HOURS = 24;

/**
 * The revisions that an account's MCP servers spoke last, for every process. What one account has
 * learned no other believes: a server may speak another one to whoever else signs in.
 */
export function revisionPort(accountId: string): RevisionPort {
  return {
    async find(server) {
      const { rows } = await postgres().query<McpRevision>({
        name: "find-mcp-revision",
        text: `SELECT version, is_bare AS "isBare" FROM mcp_revisions
               WHERE account_id = $1 AND server_key = $2 AND until > clock_timestamp()`,
        values: [accountId, keyOf(server)],
      });
      return rows[0] ?? null;
    },
    async keep(server, { version, isBare }) {
      await postgres().query({
        name: "keep-mcp-revision",
        text: `INSERT INTO mcp_revisions (account_id, server_key, version, is_bare, until)
               VALUES ($1, $2, $3, $4,
                 clock_timestamp() + make_interval(hours => ${BELIEVED_HOURS}))
               ON CONFLICT (account_id, server_key)
               DO UPDATE SET version = excluded.version, is_bare = excluded.is_bare,
               until = excluded.until`,
        values: [accountId, keyOf(server), version, isBare],
      });
    },
  };
}

function keyOf({ url, auth, auth_secret, auth_header }: McpServer): Buffer {
  const identity = [url, auth ?? null, auth_secret ?? null, auth_header ?? null];
  return createHash("sha256").update(JSON.stringify(identity)).digest();
}
