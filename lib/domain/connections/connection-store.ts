import "server-only";
import { keyRing } from "@/lib/domain/secrets/key-ring";
import { ServiceError } from "@/lib/model/errors";
import { CONNECTION_SCOPE } from "@/lib/model/secret/connection-scope";
import { createRedactor } from "@/lib/platform/crypto/redact";
import { openSealed, SealBroken } from "@/lib/platform/crypto/seal";
import { postgres } from "@/lib/platform/postgres";
import { publicBaseUrl } from "@/lib/platform/public-base-url";
import type { AuthorizationServer, OauthClient } from "@/lib/runtime/tools/oauth-client";

export const CONNECTION_STATUSES = ["pending", "connected", "needs_sign_in"] as const;
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];

/** A connection as it is shown: everything but what is sealed. */
export interface ConnectionView {
  id: string;
  serverUrl: string;
  /** Whose it is; null: the account's. */
  endUser: string | null;
  status: ConnectionStatus;
  issuer: string | null;
  clientId: string | null;
  scopes: string[];
  expiresAt: Date | null;
  signedInAt: Date | null;
  lastError: string | null;
  createdAt: Date;
  updatedAt: Date;
}

export const CONNECTION_COLUMNS = `id, split_part(server_url, E'\\n', 1) AS "serverUrl", end_user \
AS "endUser", status, issuer, client_id AS "clientId", scopes, expires_at AS "expiresAt",
  signed_in_at AS "signedInAt", last_error AS "lastError", created_at AS "createdAt", updated_at \
AS "updatedAt"`;

/** What a connection's row seals. */
export interface ConnectionKeys {
  /** What the last sign-in gave. */
  grant?: {
    server: AuthorizationServer;
    client: OauthClient;
    accessToken: string;
    refreshToken: string | null;
  };
  /** The sign-in under way. */
  attempt?: {
    server: AuthorizationServer;
    client: OauthClient;
    codeVerifier: string;
    redirectUri: string;
    /** Where the person's browser goes at the end; none: to a page of ours. */
    returnUrl?: string;
  };
  /** What a person's link begins, once. */
  link?: {
    server: AuthorizationServer;
    client: OauthClient;
    redirectUri: string;
    scopes: string[];
    returnUrl: string | null;
  };
  /**
   * How this service is registered, to be used again at the same authorization server under the
   * same address.
   */
  registration?: {
    issuer: string;
    redirectUri: string;
    client: OauthClient;
    /** The last sign-in by our metadata document has not come to its end, if it ever does. */
    isUnproven?: true;
  };
}

/**
 * What the sealed part of a sign-in is bound to: no other server's row opens it, and no other
 * person's.
 * @param serverUrl as it is stored
 */
export function connectionScope(accountId: string, serverUrl: string) {
  return { accountId, name: `${CONNECTION_SCOPE}${serverUrl}` };
}

/** The sealed part; empty where its key is lost, which only a new sign-in replaces. */
export function openConnection(
  accountId: string,
  row: { serverUrl: string; sealed: string },
): ConnectionKeys {
  try {
    return JSON.parse(
      openSealed(keyRing(), row.sealed, connectionScope(accountId, row.serverUrl)),
    ) as ConnectionKeys; // what was sealed below
  } catch (error) {
    if (error instanceof SealBroken) return {};
    throw error;
  }
}

/** Every value of the sealed part that must be seen nowhere. */
export function hiddenValues({ grant, attempt, link, registration }: ConnectionKeys): string[] {
  const clients = [grant?.client, attempt?.client, link?.client, registration?.client];
  const values = [
    grant?.accessToken,
    grant?.refreshToken,
    attempt?.codeVerifier,
    ...clients.map((client) => client?.client_secret),
  ];
  return [
    ...new Set(values.filter((value) => typeof value === "string" && value !== "")),
  ] as string[]; // the filter keeps texts alone
}

/** A server's words without what it was sent, which it may quote. */
export function redactKeys(text: string, ...keys: ConnectionKeys[]): string {
  return createRedactor(keys.flatMap(hiddenValues)).redact(text);
}

/** Where authorization servers send people back to; exactly this address is registered there. */
export function connectionRedirectUri(): string {
  return `${publicBaseUrl()}/api/console/connections/callback`;
}

/** Where a person signs in. */
export function connectionsPage(): string {
  return `${publicBaseUrl()}/connections`;
}

/** A connection of the account. @throws ServiceError CONNECTION_NOT_FOUND */
export async function getConnection(
  { accountId }: { accountId: string },
  id: string,
): Promise<ConnectionView> {
  const { rows } = await postgres().query<ConnectionView>(
    `SELECT ${CONNECTION_COLUMNS} FROM mcp_connections WHERE account_id = $1 AND id = $2`,
    [accountId, id],
  );
  if (!rows[0]) throw connectionNotFound();
  return rows[0];
}

export function connectionNotFound(): ServiceError {
  return new ServiceError("CONNECTION_NOT_FOUND", "There is no such connection.");
}
