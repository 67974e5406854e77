import "server-only";
import { setTimeout as delay } from "node:timers/promises";
import {
  type ConnectionKeys,
  type ConnectionStatus,
  connectionScope,
  connectionsPage,
  openConnection,
  redactKeys,
} from "@/lib/domain/connections/connection-store";
import { readTokens } from "@/lib/domain/connections/finish-sign-in";
import { sealingRing } from "@/lib/domain/secrets/key-ring";
import { serverUrlOf } from "@/lib/model/agent-config/connector-url";
import { bareName, namesFor, ownerOf } from "@/lib/model/secret/owned-name";
import { seal } from "@/lib/platform/crypto/seal";
import { operatorReach } from "@/lib/platform/egress/egress-fetch";
import { newId } from "@/lib/platform/ids";
import { log } from "@/lib/platform/log";
import { postgres, transaction } from "@/lib/platform/postgres";
import { OauthFailed, refreshTokens } from "@/lib/runtime/tools/oauth-client";
import { ToolFailure } from "@/lib/runtime/tools/tool";

/** A token that ends this soon is renewed first. */
const EARLY_MS = 60_000;
/**
 * Longer than the authorization server is given to answer: two never renew with one refresh token,
 * which many servers take for a theft.
 */
const LEASE_SECONDS = 20;
const WAIT_MS = 25_000;
const LOOK_MS = 100;

interface Row {
  id: string;
  /** As it is stored: of a person's, with whose it is. */
  serverUrl: string;
  status: ConnectionStatus;
  sealed: string;
  expiresAt: Date | null;
}

/** Whose sign-in counts: that of the person of an account, where there is one, before its own. */
export interface SignInOwner {
  accountId: string;
  endUser: string | null;
}

/**
 * The token for a request to an MCP server, renewed where it is about to end or was refused. Of all
 * processes one renews it and the others wait for what it gets. Once a person has signed in, theirs
 * stands before the account's whatever becomes of it: nobody acts as the account because their own
 * sign-in ended. A link that they have not followed to its end changes nothing.
 * @param refused the token that the server has just answered 401 to
 * @throws ToolFailure where nobody is signed in there (any more), or the sign-in cannot be renewed
 * now
 */
export async function accessToken(
  owner: SignInOwner,
  url: string,
  refused: string | null = null,
): Promise<string> {
  const { accountId } = owner;
  const serverUrl = serverUrlOf(url);
  const waitUntil = Date.now() + WAIT_MS;
  do {
    const row = await findRow(owner, serverUrl);
    const keys = row?.status === "connected" ? openConnection(accountId, row) : {};
    if (!row || !keys.grant) throw new ToolFailure(notSignedIn(serverUrl, row, owner));
    const { accessToken: token, refreshToken } = keys.grant;
    const left =
      row.expiresAt === null ? Number.POSITIVE_INFINITY : row.expiresAt.getTime() - Date.now();
    if (token !== refused && left > EARLY_MS) return token;
    if (refreshToken === null) {
      if (token !== refused && left > 0) return token;
      await endSignIn(
        accountId,
        row,
        keys,
        null,
        "The server ended the sign-in, and gave nothing to renew it with.",
      );
      throw new ToolFailure(notSignedIn(serverUrl, { ...row, status: "needs_sign_in" }, owner));
    }
    const lease = await takeLease(accountId, row);
    if (lease !== null)
      return renew(
        owner,
        row,
        { grant: keys.grant, keys, refreshToken, lease },
        token !== refused && left > 0,
      );
    await delay(LOOK_MS);
  } while (Date.now() < waitUntil);
  throw new ToolFailure(
    `The sign-in to ${serverUrl} is being renewed and was not ready in time. Try again.`,
  );
}

const BY_LINK =
  "with a link of POST /v1/connections with `server_url` and `end_user`, which their backend " +
  "hands them";

/**
 * What to do about a server that nobody is signed in to, for the model and the owner. Of a person
 * it names the operation that gives a link for them, and not them.
 * @param row the connection that counts, where there is one
 */
function notSignedIn(
  serverUrl: string,
  row: { serverUrl: string; status: ConnectionStatus } | null | undefined,
  { endUser }: SignInOwner,
): string {
  const { host } = new URL(serverUrl);
  const isPersons = row ? ownerOf(row.serverUrl) !== null : endUser !== null;
  const [whose, how] = isPersons
    ? ["the end user", BY_LINK]
    : ["its owner", `at ${connectionsPage()}`];
  const what =
    row?.status === "needs_sign_in"
      ? `has ended: ${whose} must sign in again, ${how}`
      : `is missing: ${whose} must sign in, ${how}`;
  // Where they never signed in, the account's would do.
  const or = isPersons && !row ? `, or the account's owner must, at ${connectionsPage()}` : "";
  return `The sign-in to ${host} ${what}${or}.`;
}

/** Nobody has ever signed in by one that is not: it stands before nothing. */
const COUNTS = "status <> 'pending'";

/**
 * The connections to these servers that count for a run, where they are signed in: by URL, a mark
 * that changes with each sign-in.
 */
export async function findSignedIn(
  owner: SignInOwner,
  urls: readonly string[],
): Promise<(url: string) => { mark: string } | { problem: string }> {
  const { rows } = await postgres().query<{
    server_url: string;
    status: ConnectionStatus;
    mark: string;
  }>({
    name: "find-signed-in",
    text: `SELECT server_url, status,
             id || '@' || coalesce(extract(epoch FROM signed_in_at), 0) AS mark FROM mcp_connections
           WHERE account_id = $1 AND server_url = ANY($2) AND ${COUNTS}`,
    values: [owner.accountId, urls.flatMap((url) => namesFor(serverUrlOf(url), owner.endUser))],
  });
  return (url) => {
    const [row] = namesFor(serverUrlOf(url), owner.endUser).flatMap((name) =>
      rows.filter(({ server_url }) => server_url === name),
    );
    if (row?.status === "connected") return { mark: row.mark };
    const counting = row && { serverUrl: row.server_url, status: row.status };
    return { problem: notSignedIn(serverUrlOf(url), counting, owner) };
  };
}

async function findRow(
  { accountId, endUser }: SignInOwner,
  serverUrl: string,
): Promise<Row | null> {
  const { rows } = await postgres().query<Row>({
    name: "find-connection",
    text: `SELECT id, server_url AS "serverUrl", status, sealed, expires_at AS "expiresAt"
           FROM mcp_connections
           WHERE account_id = $1 AND server_url = ANY($2) AND ${COUNTS} ORDER BY end_user IS NULL
           LIMIT 1`,
    values: [accountId, namesFor(serverUrl, endUser)],
  });
  return rows[0] ?? null;
}

/**
 * A lease in the row, not a lock on it: no connection to the database is held while a stranger's
 * server is asked. Null: somebody else renews, or the row is another one by now.
 */
async function takeLease(accountId: string, row: Row): Promise<string | null> {
  const lease = newId();
  const { rowCount } = await postgres().query(
    `UPDATE mcp_connections SET refresh_lease = $4,
       refresh_until = clock_timestamp() + interval '${LEASE_SECONDS} seconds'
     WHERE account_id = $1 AND id = $2 AND sealed = $3
       AND (refresh_until IS NULL OR refresh_until < clock_timestamp())`,
    [accountId, row.id, row.sealed, lease],
  );
  return rowCount === 1 ? lease : null;
}

interface Renewal {
  grant: NonNullable<ConnectionKeys["grant"]>;
  keys: ConnectionKeys;
  refreshToken: string;
  lease: string;
}

/** @param isStillGood the token at hand may be used where no other one is to be had now */
async function renew(
  owner: SignInOwner,
  row: Row,
  { grant, keys, refreshToken, lease }: Renewal,
  isStillGood: boolean,
): Promise<string> {
  const { accountId } = owner;
  const serverUrl = bareName(row.serverUrl);
  try {
    const tokens = readTokens(
      await refreshTokens(grant.server, grant.client, refreshToken, operatorReach(accountId)),
    );
    await storeTokens(accountId, row, lease, tokens);
    return tokens.accessToken;
  } catch (error) {
    if (!(error instanceof OauthFailed)) throw error;
    const message = redactKeys(error.message, keys);
    if (error.isOver) {
      await endSignIn(accountId, row, keys, lease, message);
      throw new ToolFailure(notSignedIn(serverUrl, { ...row, status: "needs_sign_in" }, owner));
    }
    await postgres().query(
      `UPDATE mcp_connections SET last_error = $4, refresh_lease = NULL, refresh_until = NULL,
         updated_at = now()
       WHERE account_id = $1 AND id = $2 AND refresh_lease = $3`,
      [accountId, row.id, lease, message],
    );
    if (isStillGood) return grant.accessToken;
    throw new ToolFailure(
      `The sign-in to ${new URL(serverUrl).host} could not be renewed now. ${message}`,
    );
  }
}

/**
 * Both tokens and their end in one statement: a refresh token that was rotated is never lost for a
 * token that was kept.
 */
async function storeTokens(
  accountId: string,
  row: Row,
  lease: string,
  tokens: ReturnType<typeof readTokens>,
): Promise<void> {
  await changeKeys(accountId, row, lease, ({ grant, ...rest }) => ({
    keys: {
      ...rest,
      ...(grant && {
        grant: { ...grant, accessToken: tokens.accessToken, refreshToken: tokens.refreshToken },
      }),
    },
    status: "connected",
    expiresAt: tokens.expiresAt,
    lastError: null,
  }));
}

/**
 * What was given counts no more. A registration stays unless it was the registration that the
 * server refused.
 */
async function endSignIn(
  accountId: string,
  row: Row,
  keys: ConnectionKeys,
  lease: string | null,
  lastError: string,
): Promise<void> {
  log.info(
    { account_id: accountId, connection_id: row.id },
    "a sign-in to an MCP server has ended",
  );
  const isClientRefused = /\b(invalid|unauthorized)_client\b/.test(lastError);
  await changeKeys(accountId, row, lease, ({ grant, registration, ...rest }) => {
    // Somebody has signed in meanwhile.
    if (grant?.accessToken !== keys.grant?.accessToken) return null;
    return {
      keys: { ...rest, ...(registration && !isClientRefused && { registration }) },
      status: "needs_sign_in",
      expiresAt: null,
      lastError,
    };
  });
}

interface Change {
  keys: ConnectionKeys;
  status: ConnectionStatus;
  expiresAt: Date | null;
  lastError: string | null;
}

/** Changes the sealed part under the row's lock; with a lease only while it holds. */
async function changeKeys(
  accountId: string,
  row: Row,
  lease: string | null,
  change: (keys: ConnectionKeys) => Change | null,
): Promise<void> {
  await transaction(async (tx) => {
    const ring = await sealingRing(tx);
    const { rows } = await tx.query<Pick<Row, "serverUrl" | "sealed">>(
      `SELECT server_url AS "serverUrl", sealed FROM mcp_connections
       WHERE account_id = $1 AND id = $2 AND ($3::uuid IS NULL OR refresh_lease = $3)
       FOR NO KEY UPDATE`,
      [accountId, row.id, lease],
    );
    const changed = rows[0] && change(openConnection(accountId, rows[0]));
    if (!changed) return;
    await tx.query(
      `UPDATE mcp_connections SET sealed = $3, status = $4, expires_at = $5, last_error = $6,
         refresh_lease = NULL, refresh_until = NULL, updated_at = now()
       WHERE account_id = $1 AND id = $2`,
      [
        accountId,
        row.id,
        seal(ring, JSON.stringify(changed.keys), connectionScope(accountId, row.serverUrl)),
        changed.status,
        changed.expiresAt,
        changed.lastError,
      ],
    );
  });
}
