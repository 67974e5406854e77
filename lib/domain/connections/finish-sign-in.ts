import "server-only";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import { hashState } from "@/lib/domain/connections/begin-sign-in";
import {
  type ConnectionKeys,
  connectionScope,
  openConnection,
  redactKeys,
} from "@/lib/domain/connections/connection-store";
import { revokeTokens } from "@/lib/domain/connections/delete-connection";
import type { Principal } from "@/lib/domain/principal";
import { sealingRing } from "@/lib/domain/secrets/key-ring";
import { bareName } from "@/lib/model/secret/owned-name";
import { seal } from "@/lib/platform/crypto/seal";
import { operatorReach } from "@/lib/platform/egress/egress-fetch";
import { postgres, transaction } from "@/lib/platform/postgres";
import { exchangeCode, OauthFailed } from "@/lib/runtime/tools/oauth-client";

/** What an authorization server sends a person back with. */
export interface SignInAnswer {
  state: string;
  code: string | null;
  /** Its refusal. */
  error: string | null;
  errorDescription: string | null;
  /** Who answers, where it says so (RFC 9207). */
  issuer: string | null;
}

/**
 * `refused`: the connection's `lastError` says why. `unknown`: the state is nobody's, or not this
 * session's, was used, or is older than ten minutes.
 */
export type SignInOutcome = "connected" | "refused" | "unknown";

/**
 * Finishes a sign-in with what the authorization server answered. The state counts once, for the
 * account that began it, and where a session began it for that session alone: nobody has somebody
 * else's sign-in end in his account. What an earlier sign-in gave still holds where this one comes
 * to nothing.
 */
export async function finishSignIn(
  principal: Principal,
  answer: SignInAnswer,
): Promise<SignInOutcome> {
  const taken = principal.unproven ? null : await takeAttempt(principal, answer.state);
  return taken ? redeemTaken(principal, taken, answer) : "unknown";
}

/** Of a sign-in that was taken away: what comes of it. */
export async function redeemTaken(
  principal: Principal,
  taken: TakenAttempt,
  answer: SignInAnswer,
): Promise<"connected" | "refused"> {
  try {
    await redeemAnswer(principal, taken, answer);
    return "connected";
  } catch (error) {
    if (!(error instanceof OauthFailed)) throw error;
    await postgres().query(
      `UPDATE mcp_connections SET last_error = $3, updated_at = now() WHERE account_id = $1
         AND id = $2`,
      [principal.accountId, taken.id, redactKeys(error.message, taken.keys)],
    );
    return "refused";
  }
}

export interface TakenAttempt {
  id: string;
  /** As it is stored: of a person's, with whose it is. */
  serverUrl: string;
  keys: ConnectionKeys;
}

/** @throws OauthFailed */
async function redeemAnswer(
  principal: Principal,
  { id, serverUrl, keys: { attempt } }: TakenAttempt,
  answer: SignInAnswer,
): Promise<void> {
  if (!attempt)
    throw new OauthFailed(
      "What this sign-in needs cannot be read on this server any more. Begin it again.",
    );
  const { server, client, codeVerifier, redirectUri } = attempt;
  const problem = refusalOf(answer, server);
  if (problem !== null || answer.code === null)
    throw new OauthFailed(problem ?? "The authorization server gave no code.");
  const tokens = await exchangeCode(
    server,
    client,
    { code: answer.code, codeVerifier, redirectUri, iss: answer.issuer },
    operatorReach(principal.accountId),
  );
  await storeGrant(principal, { id, serverUrl }, tokens, { server, client });
}

/**
 * Takes the sign-in away, whatever becomes of it: a state that was seen is worth nothing.
 * @param whose a person's is taken by their browser alone, which the caller has looked at, and no
 * session of the account takes it
 */
export function takeAttempt(
  { accountId, sessionId }: Pick<Principal, "accountId" | "sessionId">,
  state: string,
  whose: "account" | "end user" = "account",
): Promise<TakenAttempt | null> {
  return transaction(async (tx) => {
    const ring = await sealingRing(tx);
    const { rows } = await tx.query<{ id: string; serverUrl: string; sealed: string }>(
      `SELECT id, server_url AS "serverUrl", sealed FROM mcp_connections
       WHERE account_id = $1 AND sign_in_hash = $2 AND sign_in_until > now()
         AND (sign_in_session IS NULL OR sign_in_session = $3)
         AND (end_user IS NOT NULL) = $4 FOR NO KEY UPDATE`,
      [accountId, hashState(state), sessionId ?? null, whose === "end user"],
    );
    const [row] = rows;
    if (!row) return null;
    const keys = openConnection(accountId, row);
    const { attempt: _, ...kept } = keys;
    await tx.query(
      `UPDATE mcp_connections SET sealed = $3, sign_in_hash = NULL, sign_in_session = NULL,
         sign_in_until = NULL, updated_at = now()
       WHERE account_id = $1 AND id = $2`,
      [
        accountId,
        row.id,
        seal(ring, JSON.stringify(kept), connectionScope(accountId, row.serverUrl)),
      ],
    );
    return { id: row.id, serverUrl: row.serverUrl, keys };
  });
}

type Attempt = NonNullable<ConnectionKeys["attempt"]>;

function refusalOf(answer: SignInAnswer, { issuer, metadata }: Attempt["server"]): string | null {
  const mustSay =
    "authorization_response_iss_parameter_supported" in metadata &&
    metadata.authorization_response_iss_parameter_supported === true;
  // RFC 9207: another server's answer to this sign-in.
  if (answer.issuer === null ? mustSay : answer.issuer !== metadata.issuer)
    return `The answer to this sign-in did not come from ${issuer}. It was not used.`;
  if (answer.error === null) return null;
  const words = answer.errorDescription ? ` (${answer.errorDescription.slice(0, 200)})` : "";
  return answer.error === "access_denied"
    ? `Access was refused at ${issuer}${words}.`
    : `${issuer} did not sign you in: ${answer.error.slice(0, 100)}${words}.`;
}

const TOKEN = /^[\x21-\x7e]+$/;

/** Tokens as a server gave them, fit to be sent and kept. @throws OauthFailed */
export function readTokens(tokens: Awaited<ReturnType<typeof exchangeCode>>) {
  if (tokens.token_type.toLowerCase() !== "bearer")
    throw new OauthFailed("The authorization server gave tokens of another type than Bearer.");
  if (!TOKEN.test(tokens.access_token))
    throw new OauthFailed("The authorization server gave a token that no header can carry.");
  return {
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token ?? null,
    expiresAt:
      tokens.expires_in === undefined ? null : new Date(Date.now() + tokens.expires_in * 1000),
    scopes:
      tokens.scope === undefined ? null : tokens.scope.split(" ").filter((scope) => scope !== ""),
  };
}

/** A registration as whose client somebody has just signed in, and another one as it is. */
function proven(
  registration: NonNullable<ConnectionKeys["registration"]>,
  client: Attempt["client"],
): NonNullable<ConnectionKeys["registration"]> {
  if (registration.client.client_id !== client.client_id) return registration;
  const { isUnproven: _, ...known } = registration;
  return known;
}

/**
 * Stores what a sign-in gave. Where its connection is gone, the authorization server is told that
 * the tokens count no more, for nobody could any more.
 * @throws OauthFailed
 */
async function storeGrant(
  principal: Principal,
  { id, serverUrl }: { id: string; serverUrl: string },
  tokens: Awaited<ReturnType<typeof exchangeCode>>,
  { server, client }: Pick<Attempt, "server" | "client">,
): Promise<void> {
  const { accountId } = principal;
  const { accessToken, refreshToken, expiresAt, scopes } = readTokens(tokens);
  const grant = { server, client, accessToken, refreshToken };
  const isStored = await transaction(async (tx) => {
    const ring = await sealingRing(tx);
    const { rows } = await tx.query<{ serverUrl: string; sealed: string }>(
      `SELECT server_url AS "serverUrl", sealed FROM mcp_connections WHERE account_id = $1
         AND id = $2 FOR NO KEY UPDATE`,
      [accountId, id],
    );
    if (!rows[0]) return false;
    // A further sign-in may have begun meanwhile: it stays.
    const known = openConnection(accountId, rows[0]);
    const keys: ConnectionKeys = {
      ...known,
      ...(known.registration && { registration: proven(known.registration, client) }),
      grant,
    };
    await tx.query(
      `UPDATE mcp_connections SET status = 'connected', sealed = $3, issuer = $4, client_id = $5,
         scopes = coalesce($6, scopes), expires_at = $7,
         signed_in_at = now(), last_error = NULL, refresh_lease = NULL, refresh_until = NULL,
         updated_at = now() WHERE account_id = $1 AND id = $2`,
      [
        accountId,
        id,
        seal(ring, JSON.stringify(keys), connectionScope(accountId, serverUrl)),
        server.issuer,
        client.client_id,
        scopes,
        expiresAt,
      ],
    );
    const object = { kind: "connection", id, label: new URL(bareName(serverUrl)).host };
    await recordAudit(tx, principal, {
      action: "connection.signed_in",
      object,
      changes: { issuer: server.issuer, scopes: scopes ?? undefined },
    });
    return true;
  });
  if (isStored) return;
  await revokeTokens(accountId, id, grant);
  throw new OauthFailed("The connection was deleted while you signed in.");
}
