import "server-only";
import { createHash, randomBytes } from "node:crypto";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import { clientDocumentUrl } from "@/lib/domain/connections/client-document";
import {
  type ConnectionKeys,
  type ConnectionView,
  connectionRedirectUri,
  connectionScope,
  getConnection,
  openConnection,
  redactKeys,
} from "@/lib/domain/connections/connection-store";
import { consumeWriteQuota, requireWriteQuotaLeft } from "@/lib/domain/limits/hourly-writes";
import { requireRoom } from "@/lib/domain/limits/row-caps";
import type { Principal } from "@/lib/domain/principal";
import { sealingRing } from "@/lib/domain/secrets/key-ring";
import { serverUrlOf } from "@/lib/model/agent-config/connector-url";
import { invalidInput } from "@/lib/model/errors";
import { seal } from "@/lib/platform/crypto/seal";
import { operatorReach } from "@/lib/platform/egress/egress-fetch";
import { newId } from "@/lib/platform/ids";
import { accountTransaction, postgres } from "@/lib/platform/postgres";
import {
  type AuthorizationServer,
  authorizationUrl,
  discoverServer,
  documentedClient,
  type OauthClient,
  OauthFailed,
  registerAt,
} from "@/lib/runtime/tools/oauth-client";

/** Time that a person has to sign in. */
const SIGN_IN_SECONDS = 600;
const STATE_BYTES = 32;

export interface NewSignIn {
  serverUrl: string;
  /** A client that the owner registered there; null: this service registers itself. */
  client: { id: string; secret: string | null } | null;
  /** Null: what the server asks for. */
  scopes: string[] | null;
}

export interface SignInRequest {
  connection: ConnectionView;
  isNew: boolean;
  /** Where the person goes now; good once, for ten minutes. */
  authorizationUrl: string;
  authorizationExpiresAt: Date;
}

/**
 * Begins a sign-in at an MCP server, for a connection that is there or is made by it. What an
 * earlier sign-in gave holds until this one has come to its end; one that was under way counts no
 * more.
 * @throws ServiceError INVALID_INPUT where the server cannot be reached or signs nobody in;
 * CONFLICT (connections at their cap); RATE_LIMITED. Nothing is stored then.
 */
export async function beginSignIn(
  principal: Principal,
  request: NewSignIn,
): Promise<SignInRequest> {
  const { accountId } = principal;
  await requireWriteQuotaLeft(postgres(), principal);
  const serverUrl = serverUrlOf(request.serverUrl);
  const redirectUri = connectionRedirectUri();
  const known = await findKeys(accountId, serverUrl);
  const { server, client, scopes } = await prepare(
    accountId,
    serverUrl,
    redirectUri,
    request,
    known,
  ).catch((error: unknown) => {
    throw error instanceof OauthFailed
      ? invalidInput("server_url", redactKeys(error.message, known))
      : error;
  });
  const state = randomBytes(STATE_BYTES).toString("base64url");
  const { url, codeVerifier } = await authorizationUrl(server, client, {
    redirectUri,
    state,
    scopes,
  });
  const attempt = { server, client, codeVerifier, redirectUri };
  const isUnproven = client.client_id === clientDocumentUrl() && { isUnproven: true as const };
  const registration = { issuer: server.issuer, redirectUri, client, ...isUnproven };
  const until = new Date(Date.now() + SIGN_IN_SECONDS * 1000);
  const hash = hashState(state);
  const { id, isNew } = await accountTransaction(principal.accountId, async (tx) => {
    const ring = await sealingRing(tx);
    const scope = connectionScope(accountId, serverUrl);
    const inserted = await tx.query<{ id: string }>(
      `INSERT INTO mcp_connections (id, account_id, server_url, issuer, client_id, scopes, sealed, sign_in_hash, sign_in_session, sign_in_until)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (account_id, server_url) DO NOTHING RETURNING id`,
      [
        newId(),
        accountId,
        serverUrl,
        server.issuer,
        client.client_id,
        scopes,
        seal(ring, JSON.stringify({ attempt, registration } satisfies ConnectionKeys), scope),
        hash,
        principal.sessionId ?? null,
        until,
      ],
    );
    await consumeWriteQuota(tx, principal);
    const [made] = inserted.rows;
    if (made) {
      await requireRoom(tx, accountId, "connections");
      const object = { kind: "connection", id: made.id, label: new URL(serverUrl).host };
      await recordAudit(tx, principal, { action: "connection.created", object });
      return { id: made.id, isNew: true };
    }
    // Whoever renews the tokens meanwhile writes the same sealed text: read under the row's lock.
    const { rows } = await tx.query<{ id: string; serverUrl: string; sealed: string }>(
      `SELECT id, server_url AS "serverUrl", sealed FROM mcp_connections WHERE account_id = $1 AND server_url = $2 FOR NO KEY UPDATE`,
      [accountId, serverUrl],
    );
    const [row] = rows;
    if (!row)
      throw invalidInput("server_url", "Its connection was deleted at this moment. Try again.");
    const keys: ConnectionKeys = { ...openConnection(accountId, row), attempt, registration };
    await tx.query(
      `UPDATE mcp_connections SET sealed = $3, sign_in_hash = $4, sign_in_session = $5, sign_in_until = $6, updated_at = now()
       WHERE account_id = $1 AND id = $2`,
      [
        accountId,
        row.id,
        seal(ring, JSON.stringify(keys), scope),
        hash,
        principal.sessionId ?? null,
        until,
      ],
    );
    return { id: row.id, isNew: false };
  });
  return {
    connection: await getConnection(principal, id),
    isNew,
    authorizationUrl: url,
    authorizationExpiresAt: until,
  };
}

export function hashState(state: string): Buffer {
  return createHash("sha256").update(state).digest();
}

async function findKeys(accountId: string, serverUrl: string): Promise<ConnectionKeys> {
  const { rows } = await postgres().query<{ serverUrl: string; sealed: string }>(
    `SELECT server_url AS "serverUrl", sealed FROM mcp_connections WHERE account_id = $1 AND server_url = $2`,
    [accountId, serverUrl],
  );
  return rows[0] ? openConnection(accountId, rows[0]) : {};
}

async function prepare(
  accountId: string,
  serverUrl: string,
  redirectUri: string,
  request: NewSignIn,
  known: ConnectionKeys,
): Promise<{ server: AuthorizationServer; client: OauthClient; scopes: string[] }> {
  const reach = operatorReach(accountId);
  const server = await discoverServer(serverUrl, reach);
  const scopes = request.scopes ?? withRefresh(server);
  if (request.client) {
    const { id, secret } = request.client;
    return {
      server,
      scopes,
      client: { client_id: id, ...(secret !== null && { client_secret: secret }) },
    };
  }
  const { registration } = known;
  const isSame = registration?.issuer === server.issuer && registration.redirectUri === redirectUri;
  if (isSame && !registration.isUnproven) return { server, scopes, client: registration.client };
  const documented = documentedClient(server, clientDocumentUrl());
  if (documented && !isSame) return { server, scopes, client: documented };
  // A server that cannot read the document often shows a page that leads nowhere: nobody is told.
  // So one sign-in by it that came to nothing is enough, whatever the reason was.
  const client = await registerAt(server, redirectUri, scopes, reach).catch((error: unknown) => {
    if (documented && error instanceof OauthFailed) return documented;
    throw error;
  });
  return { server, scopes, client };
}

/** Some servers renew nothing unless they are asked for this scope. */
function withRefresh({ scopes, metadata }: AuthorizationServer): string[] {
  const hasOffline = metadata.scopes_supported?.includes("offline_access") === true;
  return hasOffline && scopes.length > 0 ? [...new Set([...scopes, "offline_access"])] : scopes;
}
