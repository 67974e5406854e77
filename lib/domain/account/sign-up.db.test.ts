import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { sendAccountMail } from "@/lib/domain/account/account-mail";
import { createAccount } from "@/lib/domain/account/create-account";
import { requestPasswordReset, resetPassword } from "@/lib/domain/account/reset-password";
import { signInThroughProvider } from "@/lib/domain/account/sign-in-through-provider";
import { SignUpClosed, signUp } from "@/lib/domain/account/sign-up";
import { requestEmailProof, verifyEmail } from "@/lib/domain/account/verify-email";
import { verifySignIn } from "@/lib/domain/account/verify-sign-in";
import { inviteByEmail, listInvitations, revokeInvitation } from "@/lib/domain/admin/invitations";
import { deleteMarkedAccounts } from "@/lib/domain/deletion/delete-account";
import { authenticateKey } from "@/lib/domain/keys/authenticate-key";
import { createKey } from "@/lib/domain/keys/create-key";
import { accountPrincipal, type Principal, requireProven } from "@/lib/domain/principal";
import { findSessionPrincipal } from "@/lib/domain/sessions/find-session-principal";
import { startSession } from "@/lib/domain/sessions/start-session";
import { sweepOldRows } from "@/lib/domain/sweep-old-rows";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { webhookSecrets } from "@/lib/domain/webhooks/signing-secret";
import { type Env, env } from "@/lib/env";
import { newId } from "@/lib/platform/ids";
import type { Mail, Mailer } from "@/lib/platform/mail/create-mailer";

const key = Buffer.alloc(32, 7).toString("base64");
const environment = {
  STARTING_CREDITS: "7",
  ENCRYPTION_KEYS: JSON.stringify([{ id: "k1", key }]),
};

const PASSWORD = "correct horse battery";
const SMTP = { SMTP_URL: "smtp://127.0.0.1:1", MAIL_FROM: "lathe@example.test" };
const NO_SMTP = { SMTP_URL: "", MAIL_FROM: "" };
const DEFAULTS: Partial<Env> = { ...SMTP, SIGN_UP: "open", SIGN_UPS_PER_HOUR: 5 };
let database: DomainDatabase;
let sent: Mail[];
let seenEvents: Set<string>;
const mailer: Mailer = { send: async (mail) => void sent.push(mail), close() {} };

beforeAll(async () => {
  database = await openDomainDatabase({ env: environment });
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
/** The account that was made at once; null where a mail says how to go on. */
async function join(
  email: string,
  more: { invitation?: string; address?: string; password?: string } = {},
) {
  const wanted = { email, password: more.password ?? PASSWORD, invitation: more.invitation };
  const signedUp = await signUp(wanted, more.address ?? newId());
  return signedUp.outcome === "made" ? signedUp.account : null;
}

/** An account that was made while no mail was set up, and so never proved its address. */
async function unproven(email = somebody()): Promise<string> {
  settings(NO_SMTP);
  await join(email);
  settings(DEFAULTS);
  return email;
}

/**
 * Does what the engine would do with the mails that were asked for, and gives what was sent since.
 */
async function deliver(): Promise<Mail[]> {
  sent = [];
  const { rows } = await database.pool.query<{ id: string; data: string }>(
    "SELECT id, data FROM engine_events WHERE name = 'account/mail-requested' ORDER BY id",
  );
  for (const { id, data } of rows.filter((row) => !seenEvents.has(row.id))) {
    seenEvents.add(id);
    // As it was dispatched.
    const request = JSON.parse(data) as Omit<Parameters<typeof sendAccountMail>[0], "messageId">;
    await sendAccountMail({ ...request, messageId: id }, mailer);
  }
  return sent;
}

function tokenIn(mail: Mail | undefined): string {
  return /token=([\w-]+)/.exec(mail?.text ?? "")?.[1] ?? "";
}

async function walletOf(
  email: string,
): Promise<{ available: number; pending: number; grants: number }> {
  const { rows } = await database.pool.query<{
    available: number;
    pending: number;
    grants: number;
  }>(
    `SELECT available_micros::int AS available, pending_credits_micros::int AS pending,
       (SELECT coalesce(sum(amount_micros), 0)::int FROM ledger_entries l
        WHERE l.account_id = a.id) AS grants
     FROM accounts a JOIN users u ON u.account_id = a.id WHERE u.email = $1`,
    [email],
  );
  return rows[0] ?? { available: -1, pending: -1, grants: -1 };
}

async function signedIn(email: string): Promise<Principal> {
  const signIn = await verifySignIn(email, PASSWORD, newId());
  if (signIn.outcome !== "signed-in") throw new Error(signIn.outcome);
  const { id, sessionVersion } = signIn.user;
  const session = await startSession({
    userId: id,
    version: sessionVersion,
    address: "192.0.2.1",
    userAgent: "",
  });
  const found = await findSessionPrincipal(session ?? "", id);
  if (!found) throw new Error("no session");
  return found.principal;
}

async function admin(): Promise<Principal> {
  return { ...(await database.account()), via: "session", isAdmin: true };
}

test("without mail an account is made at once; a taken address is a conflict", async () => {
  settings(NO_SMTP);
  const email = somebody();
  expect(await join(email)).toMatchObject({ email });
  expect(await walletOf(email)).toEqual({ available: 7_000_000, pending: 0, grants: 7_000_000 });
  await expect(join(email.toUpperCase())).rejects.toMatchObject({ code: "CONFLICT" });
});

test("with mail the proof of the address makes the account and its credits, once", async () => {
  const email = somebody();
  expect(await join(email)).toBeNull();
  expect(await walletOf(email)).toMatchObject({ available: -1 });
  const [mail, ...more] = await deliver();
  expect([mail?.to, more]).toEqual([email, []]);
  const token = tokenIn(mail);
  const { rows } = await database.pool.query(
    "SELECT t::text FROM sign_up_links t UNION ALL SELECT p::text FROM pending_sign_ups p",
  );
  expect(rows).not.toEqual([]);
  expect(JSON.stringify(rows)).not.toContain(token);
  const tried = await Promise.allSettled([
    verifyEmail(token),
    verifyEmail(token),
    verifyEmail(token),
  ]);
  expect(tried.filter((one) => one.status === "fulfilled")).toHaveLength(1);
  for (const one of tried)
    if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "INVALID_INPUT" });
  expect(await walletOf(email)).toEqual({ available: 7_000_000, pending: 0, grants: 7_000_000 });
  expect((await verifySignIn(email, PASSWORD, newId())).outcome).toBe("signed-in");
});

test("of two sign-ups of an address proven at once one makes the account", async () => {
  const email = somebody();
  const passwords = ["the first password", "the second password"];
  for (const password of passwords) await join(email, { password });
  const tokens = (await deliver()).map(tokenIn);
  const tried = await Promise.allSettled(tokens.map((token) => verifyEmail(token)));
  expect(tried.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const [lost, won] = [
    tried.findIndex(({ status }) => status === "rejected"),
    tried.findIndex(({ status }) => status === "fulfilled"),
  ];
  expect((tried[lost] as PromiseRejectedResult).reason).toMatchObject({ code: "CONFLICT" });
  expect((await verifySignIn(email, passwords[won] ?? "", newId())).outcome).toBe("signed-in");
  await expect(verifyEmail(tokens[lost] ?? "")).rejects.toMatchObject({ code: "CONFLICT" });
  expect(await walletOf(email)).toEqual({ available: 7_000_000, pending: 0, grants: 7_000_000 });
  const { rows } = await database.pool.query(
    "SELECT 1 FROM accounts a WHERE NOT EXISTS (SELECT 1 FROM users WHERE account_id = a.id)",
  );
  expect(rows).toEqual([]);
});

test("of a proof and a provider's word for one address at once one makes the account", async () => {
  const email = somebody();
  await join(email);
  const token = tokenIn((await deliver())[0]);
  const identity = { provider: "github", subject: newId(), verifiedEmail: email, name: null };
  const [proof, provider] = await Promise.allSettled([
    verifyEmail(token),
    signInThroughProvider(identity, newId()),
  ]);
  const made = [
    proof.status === "fulfilled",
    provider.status === "fulfilled" && provider.value.outcome === "signed-in",
  ];
  expect(made.filter(Boolean)).toHaveLength(1);
  expect(await walletOf(email)).toEqual({ available: 7_000_000, pending: 0, grants: 7_000_000 });
});

test("a mail sent again after a crash has its own link, and the first works on", async () => {
  const email = somebody();
  await join(email);
  const [mail] = await deliver();
  seenEvents.delete(mail?.messageId ?? "");
  const [again] = await deliver();
  expect(again?.messageId).toBe(mail?.messageId);
  expect(tokenIn(again)).not.toBe(tokenIn(mail));
  expect(await verifyEmail(tokenIn(mail))).toBe(email);
  await expect(verifyEmail(tokenIn(again))).rejects.toMatchObject({ code: "INVALID_INPUT" });
});

test("a link to confirm an address works for twenty-four hours, and for nothing else", async () => {
  const email = somebody();
  await join(email);
  const token = tokenIn((await deliver())[0]);
  await expect(resetPassword(token, PASSWORD)).rejects.toMatchObject({ code: "INVALID_INPUT" });
  const age = (minutes: number) =>
    database.pool.query(
      "UPDATE pending_sign_ups SET expires_at = expires_at - make_interval(mins => $1)",
      [minutes],
    );
  await age(24 * 60);
  await expect(verifyEmail(token)).rejects.toMatchObject({ code: "INVALID_INPUT" });
  expect((await verifySignIn(email, PASSWORD, newId())).outcome).toBe("refused");
  await age(-1);
  expect(await verifyEmail(token)).toBe(email);
  await join(somebody());
  await age(24 * 60);
  await sweepOldRows();
  expect((await database.pool.query("SELECT 1 FROM pending_sign_ups")).rows).toEqual([]);
  expect((await database.pool.query("SELECT 1 FROM sign_up_links")).rows).toEqual([]);
});

test("before the proof the right password alone is told to confirm the address", async () => {
  const [known, fresh] = [somebody(), somebody()];
  await createAccount({ email: known, password: PASSWORD, proof: "given" });
  for (const email of [known, fresh]) {
    await join(email, { password: "a stranger's own" });
    expect((await verifySignIn(email, "a stranger's own", newId())).outcome, email).toBe(
      "unproven",
    );
    expect((await verifySignIn(email, "neither", newId())).outcome, email).toBe("refused");
  }
  expect((await verifySignIn(known, PASSWORD, newId())).outcome).toBe("signed-in");
});

test("who tried the password too often before the proof signs in after it", async () => {
  const email = somebody();
  await join(email);
  for (let turn = 0; turn < 10; turn++) await verifySignIn(email, PASSWORD, newId());
  expect((await verifySignIn(email, PASSWORD, newId())).outcome).toBe("too-many-attempts");
  await verifyEmail(tokenIn((await deliver())[0]));
  expect((await verifySignIn(email, PASSWORD, newId())).outcome).toBe("signed-in");
});

test("where sign-up was closed an earlier link makes no account, until reopened", async () => {
  const email = somebody();
  await join(email);
  const token = tokenIn((await deliver())[0]);
  settings({ SIGN_UP: "invite" });
  await expect(verifyEmail(token)).rejects.toThrow(SignUpClosed);
  settings({ SIGN_UP: "open" });
  expect(await verifyEmail(token)).toBe(email);
});

test("an invitation passed on is used up by the proof, and by one of two", async () => {
  settings({ SIGN_UP: "invite" });
  const email = somebody();
  const invitation = (await inviteByEmail(await admin(), email, null)).link?.split(
    "invitation=",
  )[1];
  expect([await join(email, { invitation }), await join(email, { invitation })]).toEqual([
    null,
    null,
  ]);
  const tokens = (await deliver()).map(tokenIn);
  const tried = await Promise.allSettled(tokens.map((token) => verifyEmail(token)));
  expect(tried.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await expect(join(email, { invitation })).rejects.toThrow(SignUpClosed);
});

test("with mail a known address answers like another; its owner is mailed", async () => {
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

test("one address is sent at most five mails an hour, whoever asks from wherever", async () => {
  const email = somebody();
  for (let turn = 0; turn < 8; turn++) await join(email);
  for (let turn = 0; turn < 3; turn++) await requestPasswordReset(email, newId());
  expect(await deliver()).toHaveLength(5);
  const { rows } = await database.pool.query("SELECT 1 FROM pending_sign_ups WHERE email = $1", [
    email,
  ]);
  expect(rows).toHaveLength(5);
  await expect(requestEmailProof(await signedIn(await unproven(email)))).rejects.toMatchObject({
    code: "RATE_LIMITED",
  });
});

test("an address may make five accounts an hour, and another address its own", async () => {
  settings(NO_SMTP);
  const address = newId();
  const all = await Promise.allSettled(
    Array.from({ length: 8 }, () => join(somebody(), { address })),
  );
  expect(all.filter((one) => one.status === "fulfilled")).toHaveLength(5);
  for (const one of all)
    if (one.status === "rejected")
      expect(one.reason).toMatchObject({
        code: "RATE_LIMITED",
        headers: { "Retry-After": expect.any(String) },
      });
  expect(await join(somebody())).not.toBeNull();
  const identity = { provider: "github", subject: newId(), verifiedEmail: somebody(), name: null };
  expect(await signInThroughProvider(identity, address)).toEqual({ outcome: "too-many-sign-ups" });
  await database.pool.query(
    "UPDATE hour_buckets SET window_started_at = window_started_at - interval '1 hour'",
  );
  expect(await join(somebody(), { address })).not.toBeNull();
  expect(await signInThroughProvider(identity, address)).toMatchObject({ outcome: "signed-in" });
});

test("the limit of accounts an hour can be switched off", async () => {
  settings({ ...NO_SMTP, SIGN_UPS_PER_HOUR: 0 });
  const address = newId();
  for (let turn = 0; turn < 7; turn++) expect(await join(somebody(), { address })).not.toBeNull();
});

test("where sign-up is closed nobody makes an account, by any way, and owners enter", async () => {
  const [identity, email] = [
    { provider: "github", subject: newId(), verifiedEmail: somebody(), name: null },
    somebody(),
  ];
  await signInThroughProvider(identity, newId());
  const { link } = await inviteByEmail(await admin(), email, null);
  settings({ SIGN_UP: "closed" });
  await expect(join(somebody())).rejects.toThrow(SignUpClosed);
  await expect(join(email, { invitation: link?.split("invitation=")[1] })).rejects.toThrow(
    SignUpClosed,
  );
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
  const tried = await Promise.allSettled([
    join(email.toUpperCase(), { invitation }),
    join(email, { invitation }),
  ]);
  expect(tried.filter((one) => one.status === "fulfilled")).toHaveLength(1);
  // The mailed link has proven the address: nothing waits.
  expect(await walletOf(email)).toMatchObject({ available: 7_000_000, pending: 0 });
  await expect(join(somebody(), { invitation })).rejects.toThrow(SignUpClosed);
});

test("a provider's verified address is as good as the invitation's link", async () => {
  settings({ SIGN_UP: "invite" });
  const invited = somebody();
  await inviteByEmail(await admin(), invited, null);
  const identity = {
    provider: "github",
    subject: newId(),
    verifiedEmail: invited.toUpperCase(),
    name: null,
  };
  expect(await signInThroughProvider({ ...identity, verifiedEmail: somebody() }, newId())).toEqual({
    outcome: "sign-up-closed",
  });
  expect(await signInThroughProvider(identity, newId())).toMatchObject({ outcome: "signed-in" });
  expect(await walletOf(invited)).toMatchObject({ available: 7_000_000, pending: 0 });
});

test("an invitation ends by revoking, by a newer one and after seven days", async () => {
  settings({ SIGN_UP: "invite" });
  const keeper = await admin();
  const tokenOf = async (email: string) =>
    (await inviteByEmail(keeper, email, null)).link?.split("invitation=")[1];
  const [revoked, replaced, old] = [somebody(), somebody(), somebody()];
  const made = await inviteByEmail(keeper, revoked, null);
  expect(await revokeInvitation(keeper, made.id)).toMatchObject({ status: "revoked" });
  expect(await revokeInvitation(keeper, made.id)).toMatchObject({ status: "revoked" });
  const first = await tokenOf(replaced);
  await tokenOf(replaced);
  const late = await tokenOf(old);
  await database.pool.query(
    "UPDATE invitations SET expires_at = expires_at - interval '7 days' WHERE email = $1",
    [old],
  );
  for (const [email, invitation] of [
    [revoked, made.link?.split("invitation=")[1]],
    [replaced, first],
    [old, late],
  ] as const) {
    await expect(join(email, { invitation }), email).rejects.toThrow(SignUpClosed);
  }
  const { data } = await listInvitations(keeper, { limit: 4, cursor: null });
  expect(data.map(({ status }) => status).sort()).toEqual([
    "expired",
    "pending",
    "revoked",
    "revoked",
  ]);
});

test("only admins invite, list and revoke, and no address with an account", async () => {
  const stranger: Principal = { ...(await database.account()), via: "session" };
  const { id } = await inviteByEmail(await admin(), somebody(), null);
  await expect(inviteByEmail(stranger, somebody(), null)).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await expect(listInvitations(stranger, { limit: 1, cursor: null })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await expect(revokeInvitation(stranger, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  const taken = somebody();
  await createAccount({ email: taken, password: null });
  await expect(inviteByEmail(await admin(), taken, null)).rejects.toMatchObject({
    code: "CONFLICT",
  });
});

test("an invitation that the mail server refuses is given to the admin instead", async () => {
  const refusing: Mailer = { send: () => Promise.reject(new Error("451 later")), close() {} };
  expect(await inviteByEmail(await admin(), somebody(), refusing)).toMatchObject({
    mailed: false,
    link: expect.stringContaining("/sign-up?invitation="),
  });
});

test("a mailed link resets a password once, within an hour; sessions end", async () => {
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
    database.pool.query(
      "UPDATE user_tokens SET expires_at = expires_at - make_interval(mins => $1)",
      [minutes],
    );
  await age(60);
  await expect(resetPassword(token, "a new password")).rejects.toMatchObject({
    code: "INVALID_INPUT",
  });
  await age(-1);
  const tried = await Promise.allSettled([
    resetPassword(token, "a new password"),
    resetPassword(token, "a new password"),
  ]);
  expect(tried.filter((one) => one.status === "fulfilled")).toHaveLength(1);
  expect((await verifySignIn(email, PASSWORD, newId())).outcome).toBe("refused");
  expect((await verifySignIn(email, "a new password", newId())).outcome).toBe("signed-in");
  expect(await findSessionPrincipal(before.sessionId ?? "", before.userId ?? "")).toBeNull();
  expect((await deliver()).map(({ subject }) => subject)).toEqual(["Your password was changed"]);
  const { rowCount } = await database.pool.query(
    "SELECT 1 FROM api_keys WHERE account_id = $1 AND revoked_at IS NULL",
    [before.accountId],
  );
  expect(rowCount).toBe(1);
});

/** What somebody leaves in an account to use it later. */
async function leaveBehind(email: string): Promise<{ session: Principal; key: string }> {
  settings(NO_SMTP);
  const session = await signedIn(email);
  const { apiKey } = await createKey(session, {
    name: "Left behind",
    agentId: null,
    expiresAt: null,
  });
  settings(DEFAULTS);
  await webhookSecrets(session.accountId);
  await database.pool.query(
    `INSERT INTO mcp_connections (id, account_id, server_url, issuer, client_id, scopes, sealed)
     VALUES ($1, $2, 'https://mcp.example.test', '', '', '{}', '')`,
    [newId(), session.accountId],
  );
  return { session, key: apiKey };
}

/** What of it still opens something. */
async function stillWorks({
  session,
  key,
}: {
  session: Principal;
  key: string;
}): Promise<string[]> {
  const works = [
    (await findSessionPrincipal(session.sessionId ?? "", session.userId ?? "")) && "session",
    (await authenticateKey(key, "account", "read")) && "key",
  ];
  for (const table of ["mcp_connections", "webhook_secrets"]) {
    const { rowCount } = await database.pool.query(`SELECT 1 FROM ${table} WHERE account_id = $1`, [
      session.accountId,
    ]);
    works.push(rowCount ? table : null);
  }
  return works.filter((one) => one !== null);
}

test("an unproven account can do nothing, by keys or sessions, until it is", async () => {
  const email = await unproven();
  const left = await leaveBehind(email);
  const { principal } =
    (await findSessionPrincipal(left.session.sessionId ?? "", left.session.userId ?? "")) ?? {};
  const byKey = (await authenticateKey(left.key, "account", "read"))?.principal;
  const bySchedule = await accountPrincipal(left.session.accountId);
  for (const one of [principal, byKey, bySchedule]) {
    expect(one?.unproven).toBe(true);
    if (one) expect(() => requireProven(one)).toThrow(/is not confirmed yet/);
  }
  settings(NO_SMTP);
  expect((await authenticateKey(left.key, "account", "read"))?.principal.unproven).toBe(false);
});

test("the first proof of an older account ends each session and key but the prover's", async () => {
  const email = await unproven();
  const [owner, other] = [await leaveBehind(email), await signedIn(email)];
  await requestEmailProof(owner.session);
  await verifyEmail(tokenIn((await deliver())[0]), { principal: owner.session });
  expect(await stillWorks(owner)).toEqual(["session", "mcp_connections", "webhook_secrets"]);
  expect(await findSessionPrincipal(other.sessionId ?? "", other.userId ?? "")).toBeNull();
});

test("the first proof in another's or nobody's browser ends all of an earlier holder", async () => {
  for (const principal of [
    null,
    { ...(await database.account()), via: "session" as const, sessionId: newId() },
  ]) {
    const email = await unproven();
    const left = await leaveBehind(email);
    await requestEmailProof(left.session);
    expect(await stillWorks(left)).toHaveLength(4);
    await verifyEmail(tokenIn((await deliver())[0]), { principal });
    expect(await stillWorks(left)).toEqual([]);
    expect((await verifySignIn(email, PASSWORD, newId())).outcome).toBe("signed-in");
  }
});

test("who resets an unproven address's password owns the account alone", async () => {
  const email = await unproven();
  const left = await leaveBehind(email);
  await requestPasswordReset(email, newId());
  await resetPassword(tokenIn((await deliver())[0]), "a new password");
  expect(await stillWorks(left)).toEqual([]);
  expect((await verifySignIn(email, "a new password", newId())).outcome).toBe("signed-in");
});

test("who confirmed a stranger's sign-up owns it by a reset: nothing of theirs works", async () => {
  const email = somebody();
  await join(email, { password: PASSWORD });
  await verifyEmail(tokenIn((await deliver())[0]));
  const left = await leaveBehind(email);
  await requestPasswordReset(email, newId());
  await resetPassword(tokenIn((await deliver())[0]), "a new password");
  expect(await stillWorks(left)).toEqual([]);
});

test("who confirmed in the browser that signed up keeps the keys at a reset", async () => {
  const email = somebody();
  const signedUp = await signUp({ email, password: PASSWORD }, newId());
  await verifyEmail(tokenIn((await deliver())[0]), {
    signUpId: signedUp.outcome === "mailed" ? signedUp.signUpId : null,
  });
  const kept = await leaveBehind(email);
  await requestPasswordReset(email, newId());
  await resetPassword(tokenIn((await deliver())[0]), "a new password");
  expect(await stillWorks(kept)).toEqual(["key", "mcp_connections", "webhook_secrets"]);
});

test("a provider's word takes an unproven account over empty, where mail is set", async () => {
  const email = await unproven();
  const left = await leaveBehind(email);
  const identity = { provider: "github", subject: newId(), verifiedEmail: email, name: null };
  settings(NO_SMTP);
  expect(await signInThroughProvider(identity, newId())).toEqual({ outcome: "address-taken" });
  settings(DEFAULTS);
  const signedInNow = await Promise.all([1, 2].map(() => signInThroughProvider(identity, newId())));
  expect(signedInNow).toMatchObject([{ outcome: "signed-in" }, { outcome: "signed-in" }]);
  expect(await stillWorks(left)).not.toContain("key");
  expect(await stillWorks(left)).not.toContain("session");
  expect((await verifySignIn(email, PASSWORD, newId())).outcome).toBe("refused");
  await deleteMarkedAccounts();
  expect(await stillWorks(left)).toEqual([]);
  expect(
    (await database.pool.query("SELECT 1 FROM accounts WHERE id = $1", [left.session.accountId]))
      .rows,
  ).toEqual([]);
  expect(await walletOf(email)).toMatchObject({ available: 7_000_000 });
});

test("an admin's account, and one that is proven, give way to nobody", async () => {
  const [keeper, proven] = [await unproven(), somebody()];
  await database.pool.query("UPDATE users SET is_admin = true WHERE email = $1", [keeper]);
  await createAccount({ email: proven, password: PASSWORD, proof: "given" });
  for (const verifiedEmail of [keeper, proven]) {
    const identity = { provider: "github", subject: newId(), verifiedEmail, name: null };
    expect(await signInThroughProvider(identity, newId())).toEqual({ outcome: "address-taken" });
  }
});

test("signing up anew takes an unproven account over empty with the proof, as mailed", async () => {
  const email = await unproven();
  const left = await leaveBehind(email);
  await join(email, { password: "the owner's own" });
  const [mail] = await deliver();
  expect(mail?.text).toContain("replaces it by an empty one");
  expect((await verifySignIn(email, PASSWORD, newId())).outcome).toBe("signed-in");
  await verifyEmail(tokenIn(mail));
  await deleteMarkedAccounts();
  expect(await stillWorks(left)).toEqual([]);
  expect((await verifySignIn(email, PASSWORD, newId())).outcome).toBe("refused");
  expect((await verifySignIn(email, "the owner's own", newId())).outcome).toBe("signed-in");
});

test("of a proof and a provider's word for an address at once one has it", async () => {
  const email = await unproven();
  await requestEmailProof(await signedIn(email));
  const token = tokenIn((await deliver())[0]);
  const identity = { provider: "github", subject: newId(), verifiedEmail: email, name: null };
  const [proof, provider] = await Promise.allSettled([
    verifyEmail(token),
    signInThroughProvider(identity, newId()),
  ]);
  const made = [
    proof.status === "fulfilled",
    provider.status === "fulfilled" && provider.value.outcome === "signed-in",
  ];
  expect(made.filter(Boolean)).toHaveLength(1);
  if (proof.status === "rejected") expect(proof.reason).toMatchObject({ code: "INVALID_INPUT" });
});

test("asking for a password works as long for an unknown address, and mails nothing", async () => {
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
        statements.push(
          ...spied.mock.calls.map(([statement]) =>
            typeof statement === "string" ? statement : Object(statement).text,
          ),
        );
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
  await signInThroughProvider(
    { provider: "github", subject: newId(), verifiedEmail: email, name: null },
    newId(),
  );
  await requestPasswordReset(email, newId());
  const [mail] = await deliver();
  expect([mail?.to, mail?.subject, tokenIn(mail)]).toEqual([
    email,
    "Your account has no password",
    "",
  ]);
});

test("without mail nobody is told that a mail is on its way", async () => {
  settings(NO_SMTP);
  await expect(requestPasswordReset(somebody(), newId())).rejects.toMatchObject({
    code: "CONFLICT",
  });
  const email = somebody();
  await join(email);
  await expect(requestEmailProof(await signedIn(email))).rejects.toMatchObject({
    code: "CONFLICT",
  });
});

test("without mail an account that strangers can make has no credits, unless set", async () => {
  settings({ ...NO_SMTP, HOST: "0.0.0.0", STARTING_CREDITS: undefined });
  const [email, made] = [somebody(), somebody()];
  await join(email);
  await createAccount({ email: made, password: PASSWORD, proof: "given" });
  expect([(await walletOf(email)).available, (await walletOf(made)).available]).toEqual([
    0, 1_000_000_000,
  ]);
  settings({ STARTING_CREDITS: 3 });
  const another = somebody();
  await join(another);
  expect((await walletOf(another)).available).toBe(3_000_000);
  settings({ HOST: "127.0.0.1", STARTING_CREDITS: 7 });
});
