import { createHash, createSign, generateKeyPairSync, randomBytes } from "node:crypto";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { isoCBOR } from "@simplewebauthn/server/helpers";
import { Secret, TOTP } from "otpauth";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createAccount } from "@/lib/domain/account/create-account";
import { resetPassword } from "@/lib/domain/account/reset-password";
import {
  addPasskey,
  beginPasskey,
  beginTotp,
  confirmTotp,
  getSecondFactors,
  removePasskey,
  removeTotp,
  renamePasskey,
  renewRecoveryCodes,
  requestPasskeySignIn,
  resetSecondFactor,
} from "@/lib/domain/account/second-factor";
import { issueToken } from "@/lib/domain/account/user-tokens";
import { verifyPasskeySignIn, verifySignIn } from "@/lib/domain/account/verify-sign-in";
import { deleteAccount } from "@/lib/domain/deletion/delete-account";
import { requestAccountDeletion } from "@/lib/domain/deletion/request-account-deletion";
import { type Principal, requireSecondFactor } from "@/lib/domain/principal";
import { findSessionPrincipal } from "@/lib/domain/sessions/find-session-principal";
import { startSession } from "@/lib/domain/sessions/start-session";
import { sweepOldRows } from "@/lib/domain/sweep-old-rows";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { env } from "@/lib/env";
import { newId } from "@/lib/platform/ids";

const key = Buffer.alloc(32, 7).toString("base64");
const settings = {
  ENCRYPTION_KEYS: JSON.stringify([{ id: "k1", key }]),
  PUBLIC_URL: "https://lathe.example.test",
};

const PASSWORD = "correct horse battery";
const ORIGIN = "https://lathe.example.test";
let database: DomainDatabase;
let email: string;

beforeAll(async () => {
  database = await openDomainDatabase({ env: settings });
});
beforeEach(async () => {
  ({ email } = await createAccount({ email: `${newId()}@example.test`, password: PASSWORD }));
});
afterEach(() => {
  vi.useRealTimers();
  Object.assign(env(), { REQUIRE_SECOND_FACTOR: "off", PUBLIC_URL: ORIGIN });
});
afterAll(() => database.close());

const outcomeOf = async (code?: string, password = PASSWORD) =>
  (await verifySignIn(email, password, newId(), { code })).outcome;

async function sessionOf(userId: string, version: number): Promise<Principal | null> {
  const session = await startSession({ userId, version, address: "192.0.2.1", userAgent: "" });
  return (await findSessionPrincipal(session ?? "", userId))?.principal ?? null;
}

async function signedIn(code?: string): Promise<Principal> {
  const signIn = await verifySignIn(email, PASSWORD, newId(), { code });
  const principal =
    signIn.outcome === "signed-in"
      ? await sessionOf(signIn.user.id, signIn.user.sessionVersion)
      : null;
  if (!principal) throw new Error(signIn.outcome);
  return principal;
}

const isLive = async ({ sessionId, userId }: Principal) =>
  (await findSessionPrincipal(sessionId ?? "", userId ?? "")) !== null;

/** The app's code of a moment, in half minutes from now. */
const codeOf = (secret: string, steps = 0) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + steps * 30_000 });

/**
 * In the middle of a half minute: no code changes in the course of a test. Only the clock stands;
 * the database's own goes on.
 */
function holdClock(): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Math.floor(Date.now() / 30_000) * 30_000 + 15_000 });
}

async function withTotp(principal: Principal): Promise<{ secret: string; codes: string[] }> {
  const { secret } = await beginTotp(principal, PASSWORD, newId());
  return { secret, codes: await confirmTotp(principal, codeOf(secret, -1)) };
}

/** An authenticator that holds one key. */
function authenticator() {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = randomBytes(16);
  let counter = 0;
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
  const dataOf = (flags: number, more: Uint8Array = new Uint8Array()) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(++counter);
    return Buffer.concat([
      createHash("sha256").update("lathe.example.test").digest(),
      Buffer.from([flags]),
      count,
      more,
    ]);
  };
  const clientData = (type: string, challenge: string, origin: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  return {
    make(
      challenge: string,
      { origin = ORIGIN, statement = new Map<string, unknown>(), format = "none" } = {},
    ): RegistrationResponseJSON {
      const key = new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, "base64url"))],
        [-3, new Uint8Array(Buffer.from(y, "base64url"))],
      ]);
      const encodedKey = isoCBOR.encode(key as Parameters<typeof isoCBOR.encode>[0]); // a COSE key
      const attested = Buffer.concat([
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        encodedKey,
      ]);
      const object = new Map<string, unknown>([
        ["fmt", format],
        ["attStmt", statement],
        ["authData", new Uint8Array(dataOf(0x45, attested))],
      ]);
      const attestationObject = base64(
        isoCBOR.encode(object as Parameters<typeof isoCBOR.encode>[0]),
      ); // an attestation
      const response = {
        clientDataJSON: base64(clientData("webauthn.create", challenge, origin)),
        attestationObject,
      };
      return {
        id: base64(id),
        rawId: base64(id),
        type: "public-key",
        clientExtensionResults: {},
        response,
      };
    },
    sign(
      challenge: string,
      { origin = ORIGIN, flags = 0x05, isCopy = false } = {},
    ): AuthenticationResponseJSON {
      if (isCopy) counter -= 1;
      const [client, data] = [clientData("webauthn.get", challenge, origin), dataOf(flags)];
      const signed = Buffer.concat([data, createHash("sha256").update(client).digest()]);
      const signature = base64(createSign("sha256").update(signed).sign(privateKey));
      const response = {
        clientDataJSON: base64(client),
        authenticatorData: base64(data),
        signature,
      };
      return {
        id: base64(id),
        rawId: base64(id),
        type: "public-key",
        clientExtensionResults: {},
        response,
      };
    },
  };
}

async function withPasskey(principal: Principal, name = "Phone") {
  const device = authenticator();
  const { challengeId, options } = await beginPasskey(principal, PASSWORD, newId());
  const made = await addPasskey(principal, {
    challengeId,
    name,
    response: device.make(options.challenge),
  });
  return { device, ...made };
}

test("from its first code on an app's codes are asked for, and other sessions end", async () => {
  holdClock();
  const [here, elsewhere] = [await signedIn(), await signedIn()];
  const { secret, uri } = await beginTotp(here, PASSWORD, newId());
  expect(uri).toMatch(/^otpauth:\/\/totp\/Lathe:.*[?&]secret=/);
  expect(await outcomeOf()).toBe("signed-in");
  await expect(confirmTotp(here, "000000")).rejects.toMatchObject({ code: "INVALID_INPUT" });
  expect(await confirmTotp(here, codeOf(secret, -1))).toHaveLength(10);
  expect([await isLive(here), await isLive(elsewhere)]).toEqual([true, false]);
  expect([
    await outcomeOf(),
    await outcomeOf("000000"),
    await outcomeOf(codeOf(secret), "wrong"),
  ]).toEqual(["needs-second-factor", "wrong-code", "refused"]);
  expect(await outcomeOf(codeOf(secret))).toBe("signed-in");
  const { rows } = await database.pool.query(
    "SELECT t::text FROM totp_factors t WHERE user_id = $1",
    [here.userId],
  );
  expect(JSON.stringify(rows)).not.toContain(secret);
});

test("a code counts once, none older than the last; a minute off is too much", async () => {
  holdClock();
  const { secret } = await withTotp(await signedIn());
  expect([await outcomeOf(codeOf(secret, -2)), await outcomeOf(codeOf(secret, 2))]).toEqual([
    "wrong-code",
    "wrong-code",
  ]);
  const all = await Promise.all([1, 2, 3, 4].map(() => outcomeOf(codeOf(secret))));
  expect(all.filter((outcome) => outcome === "signed-in")).toHaveLength(1);
  expect(await outcomeOf(codeOf(secret, -1))).toBe("wrong-code");
  expect(await outcomeOf(codeOf(secret, 1))).toBe("signed-in");
});

test("ten wrong codes close the second step for 15 minutes, wherever they come from", async () => {
  holdClock();
  const { secret, codes } = await withTotp(await signedIn());
  const wrong = codeOf(secret, 100);
  for (let turn = 0; turn < 10; turn++) expect(await outcomeOf(wrong)).toBe("wrong-code");
  expect([await outcomeOf(codeOf(secret)), await outcomeOf(codes[0])]).toEqual([
    "too-many-attempts",
    "too-many-attempts",
  ]);
  await database.pool.query(
    "UPDATE hour_buckets SET window_started_at = window_started_at - interval '15 minutes'",
  );
  expect(await outcomeOf(codeOf(secret))).toBe("signed-in");
});

test("a recovery code works once, however typed; fresh ones void it; none is stored", async () => {
  holdClock();
  const principal = await signedIn();
  const { secret, codes } = await withTotp(principal);
  const [first = "", second = "", third = ""] = codes;
  expect(new Set(codes).size).toBe(10);
  expect(first).toMatch(/^([A-HJ-NP-Z2-9]{4}-){3}[A-HJ-NP-Z2-9]{4}$/);
  const all = await Promise.all(
    [1, 2, 3].map(() => outcomeOf(` ${first.toLowerCase().replaceAll("-", " ")}`)),
  );
  expect(all.filter((outcome) => outcome === "signed-in")).toHaveLength(1);
  expect((await getSecondFactors(principal)).recoveryCodes).toBe(9);
  const fresh = await renewRecoveryCodes(principal, { code: second });
  expect([await outcomeOf(third), await outcomeOf(fresh[0])]).toEqual(["wrong-code", "signed-in"]);
  const { rows } = await database.pool.query("SELECT r::text FROM recovery_codes r");
  expect(rows.length).toBeGreaterThan(0);
  for (const code of fresh) expect(JSON.stringify(rows)).not.toContain(code);
  // Somebody else's code is none of this user's.
  const other = email;
  ({ email } = await createAccount({ email: `${newId()}@example.test`, password: PASSWORD }));
  await withTotp(await signedIn());
  expect(await outcomeOf(fresh[1])).toBe("wrong-code");
  email = other;
  expect(await outcomeOf(codeOf(secret))).toBe("signed-in");
});

test("an app is turned off by its code or a recovery code; these go with the last", async () => {
  holdClock();
  const principal = await signedIn();
  const { secret, codes } = await withTotp(principal);
  await expect(removeTotp(principal, { code: "000000" })).rejects.toMatchObject({
    code: "INVALID_INPUT",
  });
  await expect(beginTotp(principal, PASSWORD, newId())).rejects.toMatchObject({ code: "CONFLICT" });
  await removeTotp(principal, { code: codeOf(secret) });
  expect(await outcomeOf()).toBe("signed-in");
  expect(await getSecondFactors(principal)).toMatchObject({ totp: false, recoveryCodes: 0 });
  await expect(removeTotp(principal, { code: codes[0] ?? "" })).rejects.toMatchObject({
    code: "INVALID_INPUT",
  });
});

test("an app or passkey is set up by password; a wrong one counts as a sign-in", async () => {
  const [principal, address] = [await signedIn(), newId()];
  await expect(beginTotp(principal, "wrong", address)).rejects.toMatchObject({
    code: "INVALID_INPUT",
  });
  await expect(beginPasskey(principal, "wrong", address)).rejects.toMatchObject({
    code: "INVALID_INPUT",
  });
  for (let turn = 0; turn < 8; turn++) await beginTotp(principal, "wrong", address).catch(() => {});
  await expect(beginTotp(principal, PASSWORD, address)).rejects.toMatchObject({
    code: "RATE_LIMITED",
  });
});

test("a passkey signs in without a password, each answer once; a password not", async () => {
  const [here, elsewhere] = [await signedIn(), await signedIn()];
  const { device, recoveryCodes } = await withPasskey(here);
  expect(recoveryCodes).toHaveLength(10);
  expect([await isLive(here), await isLive(elsewhere)]).toEqual([true, false]);
  expect([await outcomeOf(), await outcomeOf(recoveryCodes[0])]).toEqual([
    "needs-second-factor",
    "signed-in",
  ]);
  const { challengeId, options } = await requestPasskeySignIn(newId());
  const answer = device.sign(options.challenge);
  const signIns = await Promise.all(
    [1, 2, 3].map(() => verifyPasskeySignIn(challengeId, answer, newId())),
  );
  expect(signIns.map(({ outcome }) => outcome).sort()).toEqual(["refused", "refused", "signed-in"]);
  expect(signIns.find(({ outcome }) => outcome === "signed-in")).toMatchObject({
    user: { email, id: here.userId },
  });
  expect((await getSecondFactors(here)).passkeys).toMatchObject([
    { name: "Phone", lastUsedAt: expect.any(Date) },
  ]);
});

test("no passkey signs in from another page or challenge, copied, late, unowned", async () => {
  const { device } = await withPasskey(await signedIn());
  const ask = () => requestPasskeySignIn(newId());
  const outcome = async (id: string, answer: AuthenticationResponseJSON) =>
    (await verifyPasskeySignIn(id, answer, newId())).outcome;
  const [one, two, three, four, five, six, seven] = await Promise.all(
    Array.from({ length: 7 }, ask),
  );
  if (!one || !two || !three || !four || !five || !six || !seven) throw new Error("no questions");
  expect(
    await outcome(
      one.challengeId,
      device.sign(one.options.challenge, { origin: "https://evil.example.test" }),
    ),
  ).toBe("refused");
  expect(await outcome(two.challengeId, device.sign(one.options.challenge))).toBe("refused");
  expect(
    await outcome(three.challengeId, device.sign(three.options.challenge, { flags: 0x01 })),
  ).toBe("refused");
  expect(await outcome(four.challengeId, device.sign(four.options.challenge))).toBe("signed-in");
  expect(
    await outcome(five.challengeId, device.sign(five.options.challenge, { isCopy: true })),
  ).toBe("refused");
  expect(await outcome(six.challengeId, authenticator().sign(six.options.challenge))).toBe(
    "refused",
  );
  await database.pool.query(
    "UPDATE passkey_challenges SET expires_at = expires_at - interval '5 minutes'",
  );
  expect(await outcome(seven.challengeId, device.sign(seven.options.challenge))).toBe("refused");
  expect(await outcome(newId(), device.sign(seven.options.challenge))).toBe("refused");
  await ask();
  await database.pool.query(
    "UPDATE passkey_challenges SET expires_at = expires_at - interval '5 minutes'",
  );
  await sweepOldRows();
  expect((await database.pool.query("SELECT 1 FROM passkey_challenges")).rows).toEqual([]);
});

test("a passkey is kept for who asked, from our page, without certificates to call", async () => {
  const principal = await signedIn();
  const fetched = vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("nobody is called"));
  const device = authenticator();
  const ask = () => beginPasskey(principal, PASSWORD, newId());
  const add = (challengeId: string, response: RegistrationResponseJSON, by = principal) =>
    addPasskey(by, { challengeId, name: "x", response });
  const [one, two, three, four] = [await ask(), await ask(), await ask(), await ask()];
  const other: Principal = { ...(await database.account()), via: "session" };
  await expect(
    add(
      one.challengeId,
      device.make(one.options.challenge, { origin: "https://evil.example.test" }),
    ),
  ).rejects.toMatchObject({
    code: "INVALID_INPUT",
  });
  await expect(add(one.challengeId, device.make(one.options.challenge))).rejects.toMatchObject({
    code: "INVALID_INPUT",
  });
  await expect(
    add(two.challengeId, device.make(two.options.challenge), other),
  ).rejects.toMatchObject({ code: "INVALID_INPUT" });
  const statement = new Map<string, unknown>([
    ["alg", -7],
    ["sig", new Uint8Array(70)],
    ["x5c", [new Uint8Array(100)]],
  ]);
  await expect(
    add(three.challengeId, device.make(three.options.challenge, { format: "packed", statement })),
  ).rejects.toThrow(/attestation/);
  for (const attestationObject of ["", "AAAA", "oA"]) {
    const response = device.make(four.options.challenge);
    await expect(
      add(four.challengeId, { ...response, response: { ...response.response, attestationObject } }),
    ).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
  }
  expect(fetched).not.toHaveBeenCalled();
  fetched.mockRestore();
  expect((await getSecondFactors(principal)).passkeys).toEqual([]);
});

test("passkeys are renamed and removed by their user, removed by a second factor", async () => {
  const principal = await signedIn();
  const { passkey, recoveryCodes, device } = await withPasskey(principal);
  const stranger: Principal = { ...(await database.account()), via: "session" };
  await expect(renamePasskey(stranger, passkey.id, "mine")).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await expect(
    removePasskey(stranger, passkey.id, { code: recoveryCodes[0] ?? "" }),
  ).rejects.toMatchObject({ code: "NOT_FOUND" });
  await renamePasskey(principal, passkey.id, "Laptop");
  await expect(removePasskey(principal, passkey.id, { code: "000000" })).rejects.toMatchObject({
    code: "INVALID_INPUT",
  });
  const second = await withPasskey(principal, "Second");
  expect(second.recoveryCodes).toEqual([]);
  expect((await getSecondFactors(principal)).passkeys.map(({ name }) => name)).toEqual([
    "Laptop",
    "Second",
  ]);
  const { challengeId, options } = await requestPasskeySignIn(newId());
  await removePasskey(principal, passkey.id, {
    challengeId,
    response: device.sign(options.challenge),
  });
  await removePasskey(principal, second.passkey.id, { code: recoveryCodes[1] ?? "" });
  expect(await getSecondFactors(principal)).toMatchObject({ passkeys: [], recoveryCodes: 0 });
  expect(await outcomeOf()).toBe("signed-in");
});

test("the operator takes a lost second factor away, ends sessions, and is noted", async () => {
  const principal = await signedIn();
  await withPasskey(principal);
  expect(await resetSecondFactor(email)).toEqual({ email, removed: 1 });
  expect([await outcomeOf(), await isLive(principal)]).toEqual(["signed-in", false]);
  const { rows } = await database.pool.query(
    `SELECT action FROM audit_events WHERE account_id = $1 AND action LIKE 'second_factor%'
     ORDER BY id`,
    [principal.accountId],
  );
  expect(rows.map(({ action }) => action)).toEqual(["second_factor.added", "second_factor.reset"]);
});

test("where one is required, an admin has no rights and an owner no changes without", async () => {
  holdClock();
  const principal = await signedIn();
  const look = async () =>
    (await findSessionPrincipal(principal.sessionId ?? "", principal.userId ?? ""))?.principal;
  await database.pool.query("UPDATE users SET is_admin = true WHERE id = $1", [principal.userId]);
  for (const required of ["admins", "owners"] as const) {
    Object.assign(env(), { REQUIRE_SECOND_FACTOR: required });
    expect(await look()).toMatchObject({ isAdmin: false, lacksSecondFactor: true });
  }
  await database.pool.query("UPDATE users SET is_admin = false WHERE id = $1", [principal.userId]);
  const owner = await look();
  expect(() => owner && requireSecondFactor(owner)).toThrow(/second factor/);
  Object.assign(env(), { REQUIRE_SECOND_FACTOR: "admins" });
  expect(await look()).toMatchObject({ lacksSecondFactor: false });
  await database.pool.query("UPDATE users SET is_admin = true WHERE id = $1", [principal.userId]);
  await withTotp(principal);
  expect(await look()).toMatchObject({ isAdmin: true, lacksSecondFactor: false });
});

test("a provider's user sets up none here, and under an IP address are no passkeys", async () => {
  const principal: Principal = { ...(await database.account()), via: "session" };
  await expect(beginTotp(principal, "", newId())).rejects.toMatchObject({ code: "CONFLICT" });
  Object.assign(env(), { REQUIRE_SECOND_FACTOR: "owners", PUBLIC_URL: "http://192.0.2.7:3000" });
  expect(await sessionOf(principal.userId ?? "", 0)).toMatchObject({ lacksSecondFactor: false });
  expect((await getSecondFactors(principal)).takesPasskeys).toBe(false);
  await expect(requestPasskeySignIn(newId())).rejects.toMatchObject({ code: "CONFLICT" });
});

test("whoever deletes the account leaves nothing of its second factors", async () => {
  holdClock();
  const principal = await signedIn();
  await withTotp(principal);
  await withPasskey(principal);
  await requestAccountDeletion(principal, { password: PASSWORD }, newId());
  expect(await deleteAccount(principal.accountId)).toBe(true);
  for (const table of ["totp_factors", "passkeys", "recovery_codes"])
    expect(
      (
        await database.pool.query(`SELECT 1 FROM ${table} WHERE account_id = $1`, [
          principal.accountId,
        ])
      ).rows,
      table,
    ).toEqual([]);
});

test("a second factor from before the proof keeps no owner out; later ones hold", async () => {
  holdClock();
  Object.assign(env(), { SMTP_URL: "smtp://127.0.0.1:1", MAIL_FROM: "lathe@example.test" });
  const reset = async () => {
    const token = await issueToken(
      database.pool,
      (await database.pool.query("SELECT id FROM users WHERE email = $1", [email])).rows[0].id,
      "reset-password",
      1,
    );
    await resetPassword(token, PASSWORD);
  };
  const stranger = await signedIn();
  await withTotp(stranger);
  await withPasskey(stranger);
  await reset();
  expect(await getSecondFactors(stranger)).toMatchObject({
    totp: false,
    passkeys: [],
    recoveryCodes: 0,
  });
  const { secret } = await withTotp(await signedIn());
  await database.pool.query("UPDATE users SET password_unproven = true WHERE email = $1", [email]);
  await reset();
  expect([await outcomeOf(), await outcomeOf(codeOf(secret))]).toEqual([
    "needs-second-factor",
    "signed-in",
  ]);
  Object.assign(env(), { SMTP_URL: "", MAIL_FROM: "" });
});
