import "server-only";
import { createHash, randomBytes } from "node:crypto";
import { beginHere, hashLink, hashState, signInEnd } from "@/lib/domain/connections/begin-sign-in";
import { connectionScope, openConnection } from "@/lib/domain/connections/connection-store";
import {
  redeemTaken,
  type SignInAnswer,
  type SignInOutcome,
  takeAttempt,
} from "@/lib/domain/connections/finish-sign-in";
import { accountPrincipal, type Principal } from "@/lib/domain/principal";
import { sealingRing } from "@/lib/domain/secrets/key-ring";
import { bareName } from "@/lib/model/secret/owned-name";
import { seal } from "@/lib/platform/crypto/seal";
import { postgres, transaction } from "@/lib/platform/postgres";

const KEY_BYTES = 32;

/** What a person is told before they follow a link. */
export interface SignInLink {
  /** Where they are to sign in. */
  host: string;
  /** For whom: the account by its name. */
  accountName: string;
}

/** Nothing is begun or kept for whoever is being erased. */
const STAYS = `NOT EXISTS (
  SELECT 1 FROM end_users e
  WHERE e.account_id = m.account_id AND e.end_user = m.end_user AND e.erasing_at IS NOT NULL)`;

const FIND = `
SELECT m.id, m.account_id, m.server_url, m.sealed, a.name AS account_name
FROM mcp_connections m JOIN accounts a ON a.id = m.account_id
WHERE m.sign_in_hash = $1 AND m.end_user IS NOT NULL AND m.sign_in_until > now()
  AND NOT a.blocked AND a.deleting_at IS NULL AND ${STAYS}`;

interface LinkRow {
  id: string;
  account_id: string;
  server_url: string;
  sealed: string;
  account_name: string;
}

/**
 * What a link leads to; null for one that was used, is older than ten minutes or is nobody's.
 * Looking uses nothing up: programs that look at links before people do are many.
 */
export async function findSignInLink(token: string): Promise<SignInLink | null> {
  const { rows } = await postgres().query<LinkRow>(FIND, [hashLink(token)]);
  const [row] = rows;
  if (!row) return null;
  return { host: new URL(bareName(row.server_url)).host, accountName: row.account_name };
}

/** A sign-in that a person has begun. */
export interface OpenedLink {
  authorizationUrl: string;
  /** What their browser keeps, and shows when it comes back. */
  browserKey: string;
}

/**
 * Begins a person's sign-in by their link, which is used up with it: of two who open it, one does.
 * The state that goes to the authorization server is the hash of a key that stays in this browser,
 * so that no other browser can bring an answer to it, and nobody's sign-in ends as somebody else's.
 * @returns null for a link that is good no more
 */
export async function openSignInLink(token: string): Promise<OpenedLink | null> {
  const browserKey = randomBytes(KEY_BYTES).toString("base64url");
  const state = stateOf(browserKey);
  return transaction(async (tx) => {
    const ring = await sealingRing(tx);
    const { rows } = await tx.query<LinkRow>(`${FIND} FOR NO KEY UPDATE OF m`, [hashLink(token)]);
    const [row] = rows;
    if (!row) return null;
    const stored = { serverUrl: row.server_url, sealed: row.sealed };
    const { link, attempt: _, ...kept } = openConnection(row.account_id, stored);
    if (!link) return null; // its key has left the ring: a further link says why
    const { url, hash, begins } = await beginHere(link, state);
    const returns = link.returnUrl !== null && { returnUrl: link.returnUrl };
    const keys = { ...kept, attempt: { ...begins.attempt, ...returns } };
    await tx.query(
      `UPDATE mcp_connections SET sealed = $3, sign_in_hash = $4, sign_in_until = $5,
         updated_at = now()
       WHERE account_id = $1 AND id = $2`,
      [
        row.account_id,
        row.id,
        seal(ring, JSON.stringify(keys), connectionScope(row.account_id, row.server_url)),
        hash,
        signInEnd(),
      ],
    );
    return { authorizationUrl: url, browserKey };
  });
}

/** What a person's browser is shown at the end. */
export interface EndedSignIn {
  outcome: SignInOutcome;
  connectionId: string | null;
  /** Of the backend that made the link; null: a page of ours. */
  returnUrl: string | null;
}

const UNKNOWN: EndedSignIn = { outcome: "unknown", connectionId: null, returnUrl: null };

/**
 * Whether an answer is to a person's sign-in: one that is under way, or that this browser began.
 * @param browserKeys what the browser kept
 */
export async function isEndUsersState(
  browserKeys: readonly string[],
  state: string,
): Promise<boolean> {
  return keyOf(browserKeys, state) !== undefined || (await ownerOfState(state)) !== null;
}

/**
 * Finishes a person's sign-in with what the authorization server answered. It counts once, for ten
 * minutes, and only from the browser that began it; anything else leaves it as it is.
 * @param browserKeys what the browser kept
 */
export async function finishEndUsersSignIn(
  browserKeys: readonly string[],
  answer: SignInAnswer,
): Promise<EndedSignIn> {
  if (keyOf(browserKeys, answer.state) === undefined) return UNKNOWN;
  const accountId = await ownerOfState(answer.state);
  const account = accountId === null ? null : await accountPrincipal(accountId);
  if (!account || account.blocked || account.unproven) return UNKNOWN;
  const taken = await takeAttempt(account, answer.state, "end user");
  if (!taken) return UNKNOWN;
  const principal: Principal = { ...account, actor: END_USER };
  const outcome = await redeemTaken(principal, taken, answer);
  return {
    outcome,
    connectionId: taken.id,
    returnUrl: taken.keys.attempt?.returnUrl ?? null,
  };
}

/** The audit log outlives people: it says no more of who signed in. */
const END_USER = {
  kind: "anonymous",
  id: null,
  label: "an end user",
  address: null,
  userAgent: null,
} as const;

async function ownerOfState(state: string): Promise<string | null> {
  const { rows } = await postgres().query<{ account_id: string }>(
    `SELECT m.account_id FROM mcp_connections m
     WHERE m.sign_in_hash = $1 AND m.end_user IS NOT NULL AND m.sign_in_until > now() AND ${STAYS}`,
    [hashState(state)],
  );
  return rows[0]?.account_id ?? null;
}

function stateOf(browserKey: string): string {
  return createHash("sha256").update(browserKey).digest("base64url");
}

function keyOf(browserKeys: readonly string[], state: string): string | undefined {
  return browserKeys.find((key) => stateOf(key) === state);
}
