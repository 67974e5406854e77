import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { sendAccountMail } from "@/lib/domain/account/account-mail";
import { createAccount } from "@/lib/domain/account/create-account";
import { requestPasswordReset, resetPassword } from "@/lib/domain/account/reset-password";
import { signInThroughProvider } from "@/lib/domain/account/sign-in-through-provider";
import { SignUpClosed, signUp } from "@/lib/domain/account/sign-up";
import { requestEmailProof, verifyEmail } from "@/lib/domain/account/verify-email";
import { verifySignIn } from "@/lib/domain/account/verify-sign-in";
import { inviteByEmail, listInvitations, revokeInvitation } from "@/lib/domain/admin/invitations";
import { createKey } from "@/lib/domain/keys/create-key";
import type { Principal } from "@/lib/domain/principal";
import { findSessionPrincipal } from "@/lib/domain/sessions/find-session-principal";
import { startSession } from "@/lib/domain/sessions/start-session";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { ACCOUNT_MAILS } from "@/lib/engine/client";
import { type Env, env } from "@/lib/env";
import { newId } from "@/lib/platform/ids";
import type { Mail, Mailer } from "@/lib/platform/mail/create-mailer";

// Read when the environment is, so before any module of ours is loaded.
vi.hoisted(() => Object.assign(process.env, { STARTING_CREDITS: "7" }));

const PASSWORD = "correct horse battery";
const SMTP = { SMTP_URL: "smtp://127.0.0.1:1", MAIL_FROM: "lathe@example.test" };
const NO_SMTP = { SMTP_URL: "", MAIL_FROM: "" };
const DEFAULTS: Partial<Env> = { ...SMTP, SIGN_UP: "open", SIGN_UPS_PER_HOUR: 5 };
let database: DomainDatabase;
let sent: Mail[];
let seenEvents: Set<string>;
const mailer: Mailer = { send: async (mail) => void sent.push(mail), close() {} };

beforeAll(async () => {
  database = await openDomainDatabase();
  seenEvents = new Set();
});
beforeEach(async () => {
  settings(DEFAULTS);
  // What the test before asked for.
  await deliver();
  sent = [];
});
afterAll(() => database.close());

/** The operator's settings for one test: the environment is read once a process. */
function settings(wanted: Partial<Env>): void {
  Object.assign(env(), wanted);
}

const somebody = () => `${newId()}@example.test`;
const join = (email: string, more: { invitation?: string; address?: string } = {}) =>
  signUp({ email, password: PASSWORD, invitation: more.invitation }, more.address ?? newId());

/** Does what the engine would do with the mails that were asked for, and gives what was sent since. */
async function deliver(): Promise<Mail[]> {
  sent = [];
  const { rows } = await database.pool.query<{ id: string; data: string }>(
    "SELECT id, data FROM engine_events WHERE name = 'account/mail-requested'",
  );
  for (const { id, data } of rows.filter((row) => !seenEvents.has(row.id))) {
    seenEvents.add(id);
    const request = JSON.parse(data) as { mail: string; email: string }; // as it was dispatched
    const mail = ACCOUNT_MAILS.find((known) => known === request.mail);
    if (mail) await sendAccountMail({ mail, email: request.email, messageId: id }, mailer);
  }
  return sent;
}

function tokenIn(mail: Mail | undefined): string {
  return /token=([\w-]+)/.exec(mail?.text ?? "")?.[1] ?? "";
}

async function walletOf(email: string): Promise<{ available: number; pending: number; grants: number }> {
  const { rows } = await database.pool.query<{ available: number; pending: number; grants: number }>(
    `SELECT available_micros::int AS available, pending_credits_micros::int AS pending,
       (SELECT coalesce(sum(amount_micros), 0)::int FROM ledger_entries l WHERE l.account_id = a.id) AS grants
     FROM accounts a JOIN users u ON u.account_id = a.id WHERE u.email = $1`,
    [email],
  );
  return rows[0] ?? { available: -1, pending: -1, grants: -1 };
}

async function signedIn(email: string): Promise<Principal> {
  const signIn = await verifySignIn(email, PASSWORD, newId());
  if (signIn.outcome !== "signed-in") throw new Error(signIn.outcome);
  const { id, sessionVersion } = signIn.user;
  const session = await startSession({ userId: id, version: sessionVersion, address: "192.0.2.1", userAgent: "" });
  const found = await findSessionPrincipal(session ?? "", id);
  if (!found) throw new Error("no session");
  return found.principal;
}

async function admin(): Promise<Principal> {
  return { ...(await database.account()), via: "session", isAdmin: true };
}

test("without mail an account is made at once, with its credits, and a taken address is a conflict", async () => {
  settings(NO_SMTP);
  const email = somebody();
  expect(await join(email)).toMatchObject({ email });
  expect(await walletOf(email)).toEqual({ available: 7_000_000, pending: 0, grants: 7_000_000 });
  await expect(join(email.toUpperCase())).rejects.toMatchObject({ code: "CONFLICT" });
});

test("with mail the credits wait for the proof of the address, which pays them out once", async () => {
  const email = somebody();
  expect(await join(email)).toBeNull();
  expect(await walletOf(email)).toEqual({ available: 0, pending: 7_000_000, grants: 0 });
  const [mail, ...more] = await deliver();
  expect([mail?.to, more]).toEqual([email, []]);
  const token = tokenIn(mail);
  const { rows } = await database.pool.query("SELECT t::text FROM user_tokens t");
  expect(JSON.stringify(rows)).not.toContain(token);
  const tried = await Promise.allSettled([verifyEmail(token), verifyEmail(token), verifyEmail(token)]);
  expect(tried.filter((one) => one.status === "fulfilled")).toHaveLength(1);
  expect(await walletOf(email)).toEqual({ available: 7_000_000, pending: 0, grants: 7_000_000 });
});

test("two links that were mailed for one address pay out once, and the first that is used ends the other", async () => {
  const email = somebody();
  await join(email);
  const first = tokenIn((await deliver())[0]);
  await requestEmailProof(await signedIn(email));
  const second = tokenIn((await deliver())[0]);
  const tried = await Promise.allSettled([verifyEmail(first), verifyEmail(second)]);
  expect(tried.filter((one) => one.status === "fulfilled").length).toBeGreaterThan(0);
  expect(await walletOf(email)).toMatchObject({ available: 7_000_000, grants: 7_000_000 });
  for (const token of [first, second]) await expect(verifyEmail(token)).rejects.toMatchObject({ code: "INVALID_INPUT" });
});

test("a link to confirm an address works for twenty-four hours, and for nothing else", async () => {
  const email = somebody();
  await join(email);
  const token = tokenIn((await deliver())[0]);
  await expect(resetPassword(token, PASSWORD)).rejects.toMatchObject({ code: "INVALID_INPUT" });
  const age = (minutes: number) =>
    database.pool.query("UPDATE user_tokens SET expires_at = expires_at - make_interval(mins => $1)", [minutes]);
  await age(24 * 60);
  await expect(verifyEmail(token)).rejects.toMatchObject({ code: "INVALID_INPUT" });
  await age(-1);
  expect(await verifyEmail(token)).toBe(email);
});

test("with mail a known address answers like an unknown one, and its owner is told by mail alone", async () => {
  const [known, fresh] = [somebody(), somebody()];
  await createAccount({ email: known, password: PASSWORD, proof: "given" });
  const before = await walletOf(known);
  const answers = [await join(known), await join(fresh)];
  expect(answers).toEqual([null, null]);
  const mails = await deliver();
  expect(mails.map(({ to, subject }) => [to, subject]).sort()).toEqual(
    [
      [known, "You have an account already"],
      [fresh, "Confirm your e-mail address"],
    ].sort(),
  );
  expect(mails.find(({ to }) => to === known)?.text).not.toContain("token=");
  expect(await walletOf(known)).toEqual(before);
});

test("signing up again for an address that is not proven mails its proof again, and leaves the first password", async () => {
  const email = somebody();
  await join(email);
  await deliver();
  await signUp({ email, password: "somebody else's choice" }, newId());
  expect((await deliver()).map(({ subject }) => subject)).toEqual(["Confirm your e-mail address"]);
  expect((await verifySignIn(email, PASSWORD, newId())).outcome).toBe("signed-in");
  expect((await verifySignIn(email, "somebody else's choice", newId())).outcome).toBe("refused");
});

test("one address is sent at most five mails an hour, whoever asks from wherever", async () => {
  const email = somebody();
  for (let turn = 0; turn < 8; turn++) await join(email);
  for (let turn = 0; turn < 3; turn++) await requestPasswordReset(email, newId());
  expect(await deliver()).toHaveLength(5);
  await expect(requestEmailProof(await signedIn(email))).rejects.toMatchObject({ code: "RATE_LIMITED" });
});

test("an address may make five accounts an hour, at once or one after the other, and another address its own", async () => {
  settings(NO_SMTP);
  const address = newId();
  const all = await Promise.allSettled(Array.from({ length: 8 }, () => join(somebody(), { address })));
  expect(all.filter((one) => one.status === "fulfilled")).toHaveLength(5);
  for (const one of all)
    if (one.status === "rejected")
      expect(one.reason).toMatchObject({ code: "RATE_LIMITED", headers: { "Retry-After": expect.any(String) } });
  expect(await join(somebody())).not.toBeNull();
  const identity = { provider: "github", subject: newId(), verifiedEmail: somebody(), name: null };
  expect(await signInThroughProvider(identity, address)).toEqual({ outcome: "too-many-sign-ups" });
  await database.pool.query("UPDATE hour_buckets SET window_started_at = window_started_at - interval '1 hour'");
  expect(await join(somebody(), { address })).not.toBeNull();
  expect(await signInThroughProvider(identity, address)).toMatchObject({ outcome: "signed-in" });
});

test("the limit of accounts an hour can be switched off", async () => {
  settings({ ...NO_SMTP, SIGN_UPS_PER_HOUR: 0 });
  const address = newId();
  for (let turn = 0; turn < 7; turn++) expect(await join(somebody(), { address })).not.toBeNull();
});

test("where signing up is closed nobody makes an account, with a password or through a provider, and whoever has one enters it", async () => {
  const [identity, email] = [{ provider: "github", subject: newId(), verifiedEmail: somebody(), name: null }, somebody()];
  await signInThroughProvider(identity, newId());
  const { link } = await inviteByEmail(await admin(), email, null);
  settings({ SIGN_UP: "closed" });
  await expect(join(somebody())).rejects.toThrow(SignUpClosed);
  await expect(join(email, { invitation: link?.split("invitation=")[1] })).rejects.toThrow(SignUpClosed);
  const another = { ...identity, subject: newId(), verifiedEmail: somebody() };
  expect(await signInThroughProvider(another, newId())).toEqual({ outcome: "sign-up-closed" });
  expect(await walletOf(another.verifiedEmail)).toMatchObject({ available: -1 });
  expect(await signInThroughProvider(identity, newId())).toMatchObject({ outcome: "signed-in" });
});

test("by invitation alone: the link makes one account, for the invited address only", async () => {
  settings({ SIGN_UP: "invite" });
  const email = somebody();
  await expect(join(email)).rejects.toThrow(SignUpClosed);
  const { link } = await inviteByEmail(await admin(), email, mailer);
  expect([link, sent.map(({ to }) => to)]).toEqual([null, [email]]);
  const invitation = /invitation=([\w-]+)/.exec(sent[0]?.text ?? "")?.[1] ?? "";
  await expect(join(somebody(), { invitation })).rejects.toMatchObject({ code: "INVALID_INPUT" });
  const tried = await Promise.allSettled([join(email.toUpperCase(), { invitation }), join(email, { invitation })]);
  expect(tried.filter((one) => one.status === "fulfilled")).toHaveLength(1);
  // The mailed link has proven the address: nothing waits.
  expect(await walletOf(email)).toMatchObject({ available: 7_000_000, pending: 0 });
  await expect(join(somebody(), { invitation })).rejects.toThrow(SignUpClosed);
});

test("a provider's verified address is as good as the invitation's link", async () => {
  settings({ SIGN_UP: "invite" });
  const invited = somebody();
  await inviteByEmail(await admin(), invited, null);
  const identity = { provider: "github", subject: newId(), verifiedEmail: invited.toUpperCase(), name: null };
  expect(await signInThroughProvider({ ...identity, verifiedEmail: somebody() }, newId())).toEqual({ outcome: "sign-up-closed" });
  expect(await signInThroughProvider(identity, newId())).toMatchObject({ outcome: "signed-in" });
  expect(await walletOf(invited)).toMatchObject({ available: 7_000_000, pending: 0 });
});

test("an invitation ends by revoking, by a newer one and after seven days", async () => {
  settings({ SIGN_UP: "invite" });
  const keeper = await admin();
  const tokenOf = async (email: string) => (await inviteByEmail(keeper, email, null)).link?.split("invitation=")[1];
  const [revoked, replaced, old] = [somebody(), somebody(), somebody()];
  const made = await inviteByEmail(keeper, revoked, null);
  expect(await revokeInvitation(keeper, made.id)).toMatchObject({ status: "revoked" });
  expect(await revokeInvitation(keeper, made.id)).toMatchObject({ status: "revoked" });
  const first = await tokenOf(replaced);
  await tokenOf(replaced);
  const late = await tokenOf(old);
  await database.pool.query("UPDATE invitations SET expires_at = expires_at - interval '7 days' WHERE email = $1", [old]);
  for (const [email, invitation] of [
    [revoked, made.link?.split("invitation=")[1]],
    [replaced, first],
    [old, late],
  ] as const) {
    await expect(join(email, { invitation }), email).rejects.toThrow(SignUpClosed);
  }
  const { data } = await listInvitations(keeper, { limit: 4, cursor: null });
  expect(data.map(({ status }) => status).sort()).toEqual(["expired", "pending", "revoked", "revoked"]);
});

test("only admins invite, list and revoke, and an address that has an account is not invited", async () => {
  const stranger: Principal = { ...(await database.account()), via: "session" };
  const { id } = await inviteByEmail(await admin(), somebody(), null);
  await expect(inviteByEmail(stranger, somebody(), null)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(listInvitations(stranger, { limit: 1, cursor: null })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(revokeInvitation(stranger, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  const taken = somebody();
  await createAccount({ email: taken, password: null });
  await expect(inviteByEmail(await admin(), taken, null)).rejects.toMatchObject({ code: "CONFLICT" });
});

test("an invitation that the mail server refuses is given to the admin instead", async () => {
  const refusing: Mailer = { send: () => Promise.reject(new Error("451 later")), close() {} };
  expect(await inviteByEmail(await admin(), somebody(), refusing)).toMatchObject({
    mailed: false,
    link: expect.stringContaining("/sign-up?invitation="),
  });
});

test("a password is reset by a mailed link, once, within an hour; every session ends and a closed sign-in opens", async () => {
  const email = somebody();
  await createAccount({ email, password: PASSWORD, proof: "given" });
  const before = await signedIn(email);
  const { apiKey } = await createKey(before, { name: "Kept", agentId: null, expiresAt: null });
  expect(apiKey).toBeTruthy();
  for (let turn = 0; turn < 10; turn++) await verifySignIn(email, "wrong", newId());
  await requestPasswordReset(` ${email.toUpperCase()} `, newId());
  const token = tokenIn((await deliver())[0]);
  await expect(verifyEmail(token)).rejects.toMatchObject({ code: "INVALID_INPUT" });
  const age = (minutes: number) =>
    database.pool.query("UPDATE user_tokens SET expires_at = expires_at - make_interval(mins => $1)", [minutes]);
  await age(60);
  await expect(resetPassword(token, "a new password")).rejects.toMatchObject({ code: "INVALID_INPUT" });
  await age(-1);
  const tried = await Promise.allSettled([resetPassword(token, "a new password"), resetPassword(token, "a new password")]);
  expect(tried.filter((one) => one.status === "fulfilled")).toHaveLength(1);
  expect((await verifySignIn(email, PASSWORD, newId())).outcome).toBe("refused");
  expect((await verifySignIn(email, "a new password", newId())).outcome).toBe("signed-in");
  expect(await findSessionPrincipal(before.sessionId ?? "", before.userId ?? "")).toBeNull();
  expect((await deliver()).map(({ subject }) => subject)).toEqual(["Your password was changed"]);
  const { rowCount } = await database.pool.query("SELECT 1 FROM api_keys WHERE account_id = $1 AND revoked_at IS NULL", [before.accountId]);
  expect(rowCount).toBe(1);
});

test("whoever resets a password of an address that was never proven owns the account: keys made before are revoked", async () => {
  const email = somebody();
  await join(email);
  await createKey(await signedIn(email), { name: "Somebody else's", agentId: null, expiresAt: null });
  await deliver();
  await requestPasswordReset(email, newId());
  await resetPassword(tokenIn((await deliver())[0]), "a new password");
  const { rows } = await database.pool.query<{ revoked: boolean }>(
    "SELECT k.revoked_at IS NOT NULL AS revoked FROM api_keys k JOIN users u ON u.account_id = k.account_id WHERE u.email = $1",
    [email],
  );
  expect(rows).toEqual([{ revoked: true }]);
  expect(await walletOf(email)).toMatchObject({ available: 7_000_000, pending: 0 });
});

test("asking for a new password does the same work for an address that has no account, and mails nothing to it", async () => {
  const known = somebody();
  await createAccount({ email: known, password: PASSWORD, proof: "given" });
  const statementsOf = async (email: string) => {
    const query = vi.spyOn(database.pool, "connect");
    const statements: string[] = [];
    query.mockImplementation(async () => {
      query.mockRestore();
      const client = await database.pool.connect();
      const spied = vi.spyOn(client, "query");
      const release = client.release.bind(client);
      client.release = (error) => {
        // Their texts: the values hold the address and ids.
        statements.push(...spied.mock.calls.map(([statement]) => (typeof statement === "string" ? statement : Object(statement).text)));
        spied.mockRestore();
        client.release = release;
        release(error);
      };
      return client;
    });
    await requestPasswordReset(email, newId());
    return statements;
  };
  const unknown = somebody();
  const [one, other] = [await statementsOf(known), await statementsOf(unknown)];
  expect(one.length).toBeGreaterThan(2);
  expect(other).toEqual(one);
  expect((await deliver()).map(({ to }) => to)).toEqual([known]);
});

test("an account that a provider made gets no password by its mailbox", async () => {
  const email = somebody();
  await signInThroughProvider({ provider: "github", subject: newId(), verifiedEmail: email, name: null }, newId());
  await requestPasswordReset(email, newId());
  const [mail] = await deliver();
  expect([mail?.to, mail?.subject, tokenIn(mail)]).toEqual([email, "Your account has no password", ""]);
});

test("without mail nobody is told that a mail is on its way", async () => {
  settings(NO_SMTP);
  await expect(requestPasswordReset(somebody(), newId())).rejects.toMatchObject({ code: "CONFLICT" });
  const email = somebody();
  await join(email);
  await expect(requestEmailProof(await signedIn(email))).rejects.toMatchObject({ code: "CONFLICT" });
});
