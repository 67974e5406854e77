import "server-only";
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { decodeAttestationObject, isoBase64URL } from "@simplewebauthn/server/helpers";
import type { Principal } from "@/lib/domain/principal";
import { invalidInput, ServiceError } from "@/lib/model/errors";
import { newId } from "@/lib/platform/ids";
import { log } from "@/lib/platform/log";
import { postgres, type Queryable, type Transaction } from "@/lib/platform/postgres";
import { configuredBaseUrl, publicBaseUrl } from "@/lib/platform/public-base-url";

/** A passkey as its owner sees it. */
export interface PasskeyView {
  id: string;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** What a browser is to ask its authenticator, and the id of the challenge that is in it. */
export interface PasskeyRequest<Options> {
  challengeId: string;
  options: Options;
}

const NAME = "Lathe";
const CHALLENGE_SECONDS = 300;
const REASON_MAX_CHARACTERS = 200;
const PASSKEYS_MAX = 20;

/**
 * Whom passkeys are made for: the host of the address that the service is set up under, and pages
 * of that address alone. Null where it is no name: browsers make no passkeys for IP addresses.
 */
function relyingParty(): { rpID: string; origin: string } | null {
  const { hostname, origin } = new URL(configuredBaseUrl() ?? publicBaseUrl());
  return /^\[|^\d+(\.\d+){3}$/.test(hostname) ? null : { rpID: hostname, origin };
}

/** Whether this service can have passkeys at all. */
export function takesPasskeys(): boolean {
  return relyingParty() !== null;
}

function requireRelyingParty(): { rpID: string; origin: string } {
  const party = relyingParty();
  if (party) return party;
  throw new ServiceError(
    "CONFLICT",
    "Browsers make passkeys for names alone, and this service is set up under an IP address: " +
      "its operator sets PUBLIC_URL.",
  );
}

export async function listPasskeys(on: Queryable, userId: string): Promise<PasskeyView[]> {
  const { rows } = await on.query<PasskeyView>(
    `SELECT id, name, created_at AS "createdAt", last_used_at AS "lastUsedAt" FROM passkeys
     WHERE user_id = $1 ORDER BY id LIMIT ${PASSKEYS_MAX}`,
    [userId],
  );
  return rows;
}

/**
 * Asks the user's authenticator for a key that it keeps and unlocks by itself, so that it signs in
 * without a password. @throws ServiceError CONFLICT
 */
export async function requestNewPasskey(
  { userId }: Principal,
  user: { email: string; name: string },
): Promise<PasskeyRequest<PublicKeyCredentialCreationOptionsJSON>> {
  const { rpID } = requireRelyingParty();
  const { rows } = await postgres().query<{ credential_id: string }>(
    "SELECT credential_id FROM passkeys WHERE user_id = $1",
    [userId],
  );
  if (rows.length >= PASSKEYS_MAX)
    throw new ServiceError("CONFLICT", `At most ${PASSKEYS_MAX} passkeys: remove one first.`);
  const options = await generateRegistrationOptions({
    rpName: NAME,
    rpID,
    userName: user.email,
    userDisplayName: user.name,
    userID: new TextEncoder().encode(userId ?? ""),
    attestationType: "none",
    excludeCredentials: rows.map(({ credential_id: id }) => ({ id })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  return { challengeId: await storeChallenge(options.challenge, userId), options };
}

/**
 * Stores what the authenticator made. @throws ServiceError INVALID_INPUT for an answer to another
 * question, or from another page
 */
export async function storePasskey(
  tx: Transaction,
  { accountId, userId }: Principal,
  made: { challengeId: string; name: string; response: RegistrationResponseJSON },
): Promise<PasskeyView> {
  const { rpID, origin } = requireRelyingParty();
  const expectedChallenge = await takeChallenge(made.challengeId, userId);
  if (!vouchesForNothing(made.response))
    throw invalidInput("response", "carries an attestation, which was not asked for");
  const verified = await verifyRegistrationResponse({
    response: made.response,
    expectedChallenge: expectedChallenge ?? "",
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
  }).catch(unverified);
  if (expectedChallenge === null || !verified?.verified)
    throw invalidInput("response", "is not the answer to this question. Begin again.");
  const { credential } = verified.registrationInfo;
  const { rows } = await tx.query<PasskeyView>(
    `INSERT INTO passkeys (id, account_id, user_id, name, credential_id, public_key, counter,
       transports)
     SELECT $1, $2, $3, $4, $5, $6, $7, $8
     WHERE (SELECT count(*) FROM passkeys WHERE user_id = $3) < ${PASSKEYS_MAX}
     ON CONFLICT (credential_id) DO NOTHING RETURNING id, name, created_at AS "createdAt",
       last_used_at AS "lastUsedAt"`,
    [
      newId(),
      accountId,
      userId,
      made.name,
      credential.id,
      credential.publicKey,
      credential.counter,
      credential.transports ?? [],
    ],
  );
  const [passkey] = rows;
  if (!passkey)
    throw new ServiceError("CONFLICT", "This passkey is there already, or there are too many.");
  return passkey;
}

/**
 * Asks for any passkey of this service; the browser knows which it has. @throws ServiceError
 * CONFLICT
 */
export async function requestPasskey(): Promise<
  PasskeyRequest<PublicKeyCredentialRequestOptionsJSON>
> {
  const options = await generateAuthenticationOptions({
    rpID: requireRelyingParty().rpID,
    userVerification: "required",
  });
  return { challengeId: await storeChallenge(options.challenge, null), options };
}

/**
 * Whose passkey has signed the challenge; null for none, for another challenge, and for a key that
 * was copied. The challenge is used up either way.
 */
export async function verifyPasskey(
  challengeId: string,
  response: AuthenticationResponseJSON,
): Promise<string | null> {
  const party = relyingParty();
  const expectedChallenge = await takeChallenge(challengeId, null);
  if (party === null || expectedChallenge === null) return null;
  const { rows } = await postgres().query<{
    id: string;
    user_id: string;
    public_key: Buffer;
    counter: string;
  }>(
    `SELECT p.id, p.user_id, p.public_key, p.counter FROM passkeys p
     JOIN accounts a ON a.id = p.account_id
     WHERE p.credential_id = $1 AND a.deleting_at IS NULL`,
    [response.id],
  );
  const [passkey] = rows;
  if (!passkey) return null;
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge,
    expectedOrigin: party.origin,
    expectedRPID: party.rpID,
    credential: {
      id: response.id,
      publicKey: new Uint8Array(passkey.public_key),
      counter: Number(passkey.counter),
    },
    requireUserVerification: true,
  }).catch(unverified);
  if (!verified?.verified) return null;
  // A counter that stands still is a copy's, where it counts at all.
  const { rowCount } = await postgres().query(
    `UPDATE passkeys SET counter = $2, last_used_at = now()
     WHERE id = $1 AND (counter < $2 OR (counter = 0 AND $2 = 0))`,
    [passkey.id, verified.authenticationInfo.newCounter],
  );
  return rowCount === 1 ? passkey.user_id : null;
}

/**
 * Whether the answer comes without a maker's certificates, as it was asked for. The library would
 * look at certificates, and call the address that one of them names for a list of revoked ones: an
 * address that whoever sends the answer chooses.
 */
function vouchesForNothing({ response }: RegistrationResponseJSON): boolean {
  try {
    const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
    const format = attestation.get("fmt");
    return (
      format === "none" ||
      (format === "packed" && attestation.get("attStmt").get("x5c") === undefined)
    );
  } catch {
    return false;
  }
}

/**
 * The library throws where an answer does not fit: made up, of another page, or of another device.
 */
function unverified(error: unknown): null {
  log.info(
    { reason: error instanceof Error ? error.message.slice(0, REASON_MAX_CHARACTERS) : "unknown" },
    "a passkey's answer was not taken",
  );
  return null;
}

async function storeChallenge(challenge: string, userId: string | null): Promise<string> {
  const id = newId();
  await postgres().query(
    `INSERT INTO passkey_challenges (id, challenge, user_id, expires_at)
     VALUES ($1, $2, $3, now() + make_interval(secs => $4))`,
    [id, challenge, userId, CHALLENGE_SECONDS],
  );
  return id;
}

/** For itself, not with what is made of the answer: a challenge that was seen is worth nothing. */
async function takeChallenge(id: string, userId: string | null): Promise<string | null> {
  const { rows } = await postgres().query<{ challenge: string }>(
    `DELETE FROM passkey_challenges WHERE id = $1 AND user_id IS NOT DISTINCT FROM $2
       AND expires_at > now() RETURNING challenge`,
    [id, userId],
  );
  return rows[0]?.challenge ?? null;
}
