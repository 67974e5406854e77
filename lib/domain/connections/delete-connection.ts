import "server-only";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import {
  type ConnectionKeys,
  connectionNotFound,
  getConnection,
  openConnection,
} from "@/lib/domain/connections/connection-store";
import { ofEndUser } from "@/lib/domain/end-users/admit-end-user";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import type { Principal } from "@/lib/domain/principal";
import { bareName } from "@/lib/model/secret/owned-name";
import { operatorReach } from "@/lib/platform/egress/egress-fetch";
import { log } from "@/lib/platform/log";
import { accountTransaction } from "@/lib/platform/postgres";
import { OauthFailed, revokeToken } from "@/lib/runtime/tools/oauth-client";

/**
 * Removes a connection, the account's or a person's: its tokens are gone here at once, and the
 * authorization server is told that they count no more, where it can be told and is there.
 * @throws ServiceError CONNECTION_NOT_FOUND, RATE_LIMITED
 */
export async function deleteConnection(principal: Principal, id: string): Promise<void> {
  const { accountId } = principal;
  await getConnection(principal, id);
  const gone = await accountTransaction(principal.accountId, async (tx) => {
    await consumeWriteQuota(tx, principal);
    const { rows } = await tx.query<{
      serverUrl: string;
      endUser: string | null;
      sealed: string;
    }>(
      `DELETE FROM mcp_connections WHERE account_id = $1 AND id = $2
       RETURNING server_url AS "serverUrl", end_user AS "endUser", sealed`,
      [accountId, id],
    );
    const [row] = rows;
    if (!row) throw connectionNotFound();
    const object = { kind: "connection", id, label: new URL(bareName(row.serverUrl)).host };
    const changes = await ofEndUser(tx, accountId, row.endUser);
    await recordAudit(tx, principal, { action: "connection.deleted", object, changes });
    return row;
  });
  await revokeGrant(accountId, id, gone);
}

/**
 * Tells the authorization server that what a connection held counts no more. Never throws for it.
 */
export async function revokeGrant(
  accountId: string,
  id: string,
  gone: { serverUrl: string; sealed: string },
): Promise<void> {
  const { grant } = openConnection(accountId, gone);
  if (grant) await revokeTokens(accountId, id, grant);
}

/** The same of tokens that no row holds. */
export async function revokeTokens(
  accountId: string,
  id: string,
  grant: NonNullable<ConnectionKeys["grant"]>,
): Promise<void> {
  await revokeToken(
    grant.server,
    grant.client,
    grant.refreshToken ?? grant.accessToken,
    operatorReach(accountId),
  ).catch((error: unknown) => {
    if (!(error instanceof OauthFailed)) throw error;
    // Not its reason, which may quote the token.
    log.info(
      { account_id: accountId, connection_id: id },
      "an authorization server was not told that a token counts no more",
    );
  });
}
