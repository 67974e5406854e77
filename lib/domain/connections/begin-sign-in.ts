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
import { admitEndUser, ofEndUser } from "@/lib/domain/end-users/admit-end-user";
import { consumeWriteQuota, requireWriteQuotaLeft } from "@/lib/domain/limits/hourly-writes";
import { requireRoom } from "@/lib/domain/limits/row-caps";
import type { Principal } from "@/lib/domain/principal";
import { sealingRing } from "@/lib/domain/secrets/key-ring";
import { env } from "@/lib/env";
import { serverUrlOf } from "@/lib/model/agent-config/connector-url";
import { invalidInput, ServiceError } from "@/lib/model/errors";
import { END_USER_CONNECTIONS_MAX } from "@/lib/model/limits";
import { ownedName } from "@/lib/model/secret/owned-name";
import { seal } from "@/lib/platform/crypto/seal";
import { operatorReach } from "@/lib/platform/egress/egress-fetch";
import { newId } from "@/lib/platform/ids";
import { accountTransaction, postgres, type Transaction } from "@/lib/platform/postgres";
import { publicBaseUrl } from "@/lib/platform/public-base-url";
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
  /**
   * Who signs in as themself, by a link of ours; null: a member of the account, for all its runs.
   */
  endUser?: string | null;
  /** Where that person's browser goes at the end; null: to a page of ours. */
  returnUrl?: string | null;
  /** A client that the owner registered there; null: this service registers itself. */
  client: { id: string; secret: string | null } | null;
  /** Null: what the server asks for. */
  scopes: string[] | null;
}

export interface SignInRequest {
  connection: ConnectionView;
  isNew: boolean;
  /** Where the person goes now, for an end user a link of ours; good once, for ten minutes. */
  authorizationUrl: string;
  authorizationExpiresAt: Date;
}

/**
 * Begins a sign-in at an MCP server, for a connection that is there or is made by it. What an
 * earlier sign-in gave holds until this one has come to its end; one that was under way counts no
 * more. An end user need not be known yet; their sign-in begins where they open the link.
 * @throws ServiceError INVALID_INPUT where the server cannot be reached or signs nobody in, or the
 * operator does not let browsers be sent to `returnUrl`; CONFLICT (connections at their cap, or the
 * end user is being erased); RATE_LIMITED. Nothing is stored then.
 */
export async function beginSignIn(
  principal: Principal,
  request: NewSignIn,
): Promise<SignInRequest> {
  const { accountId } = principal;
  await requireWriteQuotaLeft(postgres(), principal);
  const { endUser = null, returnUrl = null } = request;
  if (returnUrl !== null) requireReturnUrl(returnUrl);
  const serverUrl = serverUrlOf(request.serverUrl);
  const redirectUri = connectionRedirectUri();
  const known = await findKeys(accountId, serverUrl, endUser);
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
  const token = randomBytes(STATE_BYTES).toString("base64url");
  const begun = { server, client, redirectUri, scopes };
  const { url, hash, begins } =
    endUser === null
      ? await beginHere(begun, token)
      : { url: linkUrl(token), hash: hashLink(token), begins: { link: { ...begun, returnUrl } } };
  const isUnproven = client.client_id === clientDocumentUrl() && { isUnproven: true as const };
  const registration = { issuer: server.issuer, redirectUri, client, ...isUnproven };
  const until = signInEnd();
  const stored = ownedName(serverUrl, endUser);
  const session = endUser === null ? (principal.sessionId ?? null) : null;
  const { id, isNew } = await accountTransaction(principal.accountId, async (tx) => {
    await consumeWriteQuota(tx, principal);
    const ring = await sealingRing(tx);
    if (endUser !== null) await admitEndUser(tx, accountId, endUser);
    const scope = connectionScope(accountId, stored);
    const inserted = await tx.query<{ id: string }>(
      `INSERT INTO mcp_connections (id, account_id, server_url, end_user, issuer, client_id, scopes,
         sealed, sign_in_hash, sign_in_session, sign_in_until)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (account_id, server_url)
         DO NOTHING RETURNING id`,
      [
        newId(),
        accountId,
        stored,
        endUser,
        server.issuer,
        client.client_id,
        scopes,
        seal(ring, JSON.stringify({ ...begins, registration } satisfies ConnectionKeys), scope),
        hash,
        session,
        until,
      ],
    );
    const [made] = inserted.rows;
    if (made) {
      await requireConnectionRoom(tx, accountId, endUser);
      const object = { kind: "connection", id: made.id, label: new URL(serverUrl).host };
      const changes = await ofEndUser(tx, accountId, endUser);
      await recordAudit(tx, principal, { action: "connection.created", object, changes });
      return { id: made.id, isNew: true };
    }
    // Whoever renews the tokens meanwhile writes the same sealed text: read under the row's lock.
    const { rows } = await tx.query<{ id: string; serverUrl: string; sealed: string }>(
      `SELECT id, server_url AS "serverUrl", sealed FROM mcp_connections WHERE account_id = $1
         AND server_url = $2 FOR NO KEY UPDATE`,
      [accountId, stored],
    );
    const [row] = rows;
    if (!row)
      throw invalidInput("server_url", "Its connection was deleted at this moment. Try again.");
    const { attempt: _, link: __, ...kept } = openConnection(accountId, row);
    const keys: ConnectionKeys = { ...kept, ...begins, registration };
    await tx.query(
      `UPDATE mcp_connections SET sealed = $3, sign_in_hash = $4, sign_in_session = $5,
         sign_in_until = $6, updated_at = now()
       WHERE account_id = $1 AND id = $2`,
      [accountId, row.id, seal(ring, JSON.stringify(keys), scope), hash, session, until],
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

/** When a sign-in that begins now is over. */
export function signInEnd(): Date {
  return new Date(Date.now() + SIGN_IN_SECONDS * 1000);
}

export function hashState(state: string): Buffer {
  return createHash("sha256").update(state).digest();
}

/** A link is no state, nor a state a link: neither is taken for the other. */
export function hashLink(token: string): Buffer {
  return hashState(`link\n${token}`);
}

/** In the fragment, which no server and no log of one is told. */
function linkUrl(token: string): string {
  return `${publicBaseUrl()}/connect#link=${token}`;
}

type Begun = NonNullable<ConnectionKeys["link"]>;

/** Where who signs in goes, and what their coming back is known by. */
export async function beginHere(
  { server, client, redirectUri, scopes }: Omit<Begun, "returnUrl">,
  state: string,
): Promise<{
  url: string;
  hash: Buffer;
  begins: { attempt: NonNullable<ConnectionKeys["attempt"]> };
}> {
  const { url, codeVerifier } = await authorizationUrl(server, client, {
    redirectUri,
    state,
    scopes,
  });
  return {
    url,
    hash: hashState(state),
    begins: { attempt: { server, client, codeVerifier, redirectUri } },
  };
}

/** @throws ServiceError INVALID_INPUT for an address to which the operator lets nobody be sent */
function requireReturnUrl(returnUrl: string): void {
  const { origin, protocol } = new URL(returnUrl);
  if (env().RETURN_ORIGINS.includes(origin)) return;
  // Which origins are there is other accounts' affair.
  const given = origin === "null" ? protocol : origin;
  throw invalidInput(
    "return_url",
    `must be of an origin that this service's operator names in RETURN_ORIGINS, and ${given} is ` +
      "none of them",
  );
}

async function requireConnectionRoom(
  tx: Transaction,
  accountId: string,
  endUser: string | null,
): Promise<void> {
  if (endUser === null) return requireRoom(tx, accountId, "connections");
  await requireRoom(tx, accountId, "end_user_connections");
  const { rows } = await tx.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM mcp_connections WHERE account_id = $1 AND end_user = $2",
    [accountId, endUser],
  );
  if ((rows[0]?.count ?? 0) <= END_USER_CONNECTIONS_MAX) return;
  throw new ServiceError(
    "CONFLICT",
    `An end user has at most ${END_USER_CONNECTIONS_MAX} connections. Nothing was stored. Delete ` +
      "one of theirs first.",
  );
}

/**
 * What is known of a server: by the connection itself, and where there is none for a person yet,
 * how this service is registered there for the account or another person of its own, so that it
 * does not register for each. One whose registration was refused borrows none: it would be the same
 * one.
 */
async function findKeys(
  accountId: string,
  serverUrl: string,
  endUser: string | null,
): Promise<ConnectionKeys> {
  const own = await keysBy("server_url = $2", accountId, ownedName(serverUrl, endUser));
  if (own || endUser === null) return own ?? {};
  const lent =
    (await keysBy("server_url = $2", accountId, serverUrl)) ??
    (await keysBy(OF_ANY_PERSON, accountId, serverUrl));
  return lent?.registration ? { registration: lent.registration } : {};
}

/** As `mcp_connections_server_idx` has it. */
const OF_ANY_PERSON = "end_user IS NOT NULL AND split_part(server_url, E'\\n', 1) = $2";

/** Of the newest connection of the account that fits. */
async function keysBy(
  fits: string,
  accountId: string,
  name: string,
): Promise<ConnectionKeys | null> {
  const { rows } = await postgres().query<{ serverUrl: string; sealed: string }>(
    `SELECT server_url AS "serverUrl", sealed FROM mcp_connections WHERE account_id = $1 AND ${fits}
     ORDER BY id DESC LIMIT 1`,
    [accountId, name],
  );
  return rows[0] ? openConnection(accountId, rows[0]) : null;
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
