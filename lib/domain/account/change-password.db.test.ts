import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { changePassword } from "@/lib/domain/account/change-password";
import { createAccount } from "@/lib/domain/account/create-account";
import { updateAccount } from "@/lib/domain/account/update-account";
import { findTokenUser, issueToken } from "@/lib/domain/account/user-tokens";
import { verifySignIn } from "@/lib/domain/account/verify-sign-in";
import { createKey } from "@/lib/domain/keys/create-key";
import type { Principal } from "@/lib/domain/principal";
import { findSessionPrincipal } from "@/lib/domain/sessions/find-session-principal";
import { startSession } from "@/lib/domain/sessions/start-session";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { newId } from "@/lib/platform/ids";

const PASSWORD = "correct horse battery";
const NEXT = "another horse entirely";
let database: DomainDatabase;
let email: string;
let userId: string;
let owner: Principal;
let address: string;

beforeAll(async () => {
  database = await openDomainDatabase();
});
beforeEach(async () => {
  address = newId();
  const account = await createAccount({ email: `${newId()}@example.test`, password: PASSWORD });
  ({ email, userId } = account);
  owner = await signedIn();
});
afterAll(() => database.close());

/** The owner in another browser. */
async function signedIn(version = 0): Promise<Principal> {
  const found = await findSessionPrincipal(
    (await startSession({ userId, version, address, userAgent: "test" })) ?? "",
    userId,
  );
  if (!found) throw new Error("no session");
  return found.principal;
}

const isAlive = async ({ sessionId }: Principal) =>
  (await findSessionPrincipal(sessionId ?? "", userId)) !== null;
const opens = async (password: string) =>
  (await verifySignIn(email, password, newId())).outcome === "signed-in";
const change = (current: string, revokeKeys = false) =>
  changePassword(owner, { current, next: NEXT, revokeKeys }, address);

async function livingKeys(): Promise<number> {
  const { rowCount } = await database.pool.query(
    "SELECT 1 FROM api_keys WHERE account_id = $1 AND revoked_at IS NULL",
    [owner.accountId],
  );
  return rowCount ?? 0;
}

test("a password is changed by who knows it, and all other sessions end", async () => {
  const elsewhere = await signedIn();
  await change(PASSWORD);
  expect([await opens(PASSWORD), await opens(NEXT)]).toEqual([false, true]);
  expect([await isAlive(owner), await isAlive(elsewhere)]).toEqual([true, false]);
});

test("a wrong current password changes nothing: not the password, sessions or keys", async () => {
  const elsewhere = await signedIn();
  await createKey(owner, { name: "Kept", agentId: null, expiresAt: null });
  await expect(change("wrong", true)).rejects.toMatchObject({
    code: "INVALID_INPUT",
    extras: { details: [{ path: "current_password", message: "is not your password" }] },
  });
  expect([await opens(PASSWORD), await opens(NEXT)]).toEqual([true, false]);
  expect([await isAlive(owner), await isAlive(elsewhere), await livingKeys()]).toEqual([
    true,
    true,
    1,
  ]);
});

test("wrong current passwords count as sign-ins: ten close the account to both", async () => {
  for (let turn = 0; turn < 10; turn++)
    await expect(change("wrong")).rejects.toMatchObject({ code: "INVALID_INPUT" });
  await expect(change(PASSWORD)).rejects.toMatchObject({
    code: "RATE_LIMITED",
    headers: { "Retry-After": expect.stringMatching(/^\d+$/) },
  });
  expect((await verifySignIn(email, PASSWORD, newId())).outcome).toBe("too-many-attempts");
});

test("the account's keys are revoked with the change where asked, else not", async () => {
  const stranger = await database.account();
  await createKey(owner, { name: "One", agentId: null, expiresAt: null });
  await createKey(stranger, { name: "Stranger's", agentId: null, expiresAt: null });
  await change(PASSWORD);
  expect(await livingKeys()).toBe(1);
  await changePassword(owner, { current: NEXT, next: PASSWORD, revokeKeys: true }, address);
  expect(await livingKeys()).toBe(0);
  const { rowCount } = await database.pool.query(
    "SELECT 1 FROM api_keys WHERE account_id = $1 AND revoked_at IS NULL",
    [stranger.accountId],
  );
  expect(rowCount).toBe(1);
});

test("of two changes at once one wins; the other is told", async () => {
  const all = await Promise.allSettled([change(PASSWORD), change(PASSWORD)]);
  expect(all.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(all.find((one) => one.status === "rejected")).toMatchObject({
    reason: { code: expect.stringMatching(/CONFLICT|INVALID_INPUT/) },
  });
});

test("a sign-in by the old password, checked before, opens no session after", async () => {
  const before = await verifySignIn(email, PASSWORD, address);
  if (before.outcome !== "signed-in") throw new Error("not signed in");
  await change(PASSWORD);
  const late = await startSession({
    userId,
    version: before.user.sessionVersion,
    address,
    userAgent: "",
  });
  expect(await findSessionPrincipal(late ?? "", userId)).toBeNull();
});

test("the operator's password reset and a block end the user's sessions", async () => {
  await updateAccount(owner, { password: NEXT });
  expect(await isAlive(owner)).toBe(false);
  owner = await signedIn(1);
  await updateAccount(owner, { blocked: true });
  expect(await isAlive(owner)).toBe(false);
});

test("a change voids the user's reset links; their proof's and others' stay", async () => {
  const stranger = await createAccount({ email: `${newId()}@example.test`, password: PASSWORD });
  const issue = (of: string, purpose: "reset-password" | "verify-email") =>
    issueToken(database.pool, of, purpose, 1);
  const [reset, proof, strangers] = [
    await issue(userId, "reset-password"),
    await issue(userId, "verify-email"),
    await issue(stranger.userId, "reset-password"),
  ];
  await change(PASSWORD);
  expect(await findTokenUser(database.pool, reset, "reset-password")).toBeNull();
  expect(await findTokenUser(database.pool, proof, "verify-email")).toBe(userId);
  expect(await findTokenUser(database.pool, proof, "reset-password")).toBeNull();
  expect(await findTokenUser(database.pool, strangers, "reset-password")).toBe(stranger.userId);
});
