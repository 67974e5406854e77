import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createAccount } from "@/lib/domain/account/create-account";
import {
  type ProviderIdentity,
  signInThroughProvider,
} from "@/lib/domain/account/sign-in-through-provider";
import { inviteByEmail, revokeInvitation } from "@/lib/domain/admin/invitations";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { env } from "@/lib/env";
import { newId } from "@/lib/platform/ids";

let database: DomainDatabase;
beforeAll(async () => {
  database = await openDomainDatabase();
});
afterEach(() => void Object.assign(env(), { SIGN_UP: "open", SIGN_UPS_PER_HOUR: 5 }));
afterAll(() => database.close());

function somebody(): ProviderIdentity & { verifiedEmail: string } {
  const subject = newId();
  return {
    provider: "https://id.example.test",
    subject,
    verifiedEmail: `${subject}@example.test`,
    name: null,
  };
}

async function accountsOf(email: string): Promise<number> {
  const { rows } = await database.pool.query("SELECT 1 FROM users WHERE email = $1", [email]);
  return rows.length;
}

test("a first sign-in made twice at once makes one account, entered both times", async () => {
  const identity = somebody();
  const all = await Promise.all([1, 2, 3, 4].map(() => signInThroughProvider(identity, newId())));
  expect(
    new Set(all.map((one) => (one.outcome === "signed-in" ? one.userId : one.outcome))).size,
  ).toBe(1);
  expect(all[0]).toMatchObject({ outcome: "signed-in" });
  expect(await accountsOf(identity.verifiedEmail)).toBe(1);
});

test("an address with an account is refused, in any case, and nothing is tied to it", async () => {
  const identity = somebody();
  await createAccount({ email: identity.verifiedEmail, password: "correct horse battery" });
  const shouted = { ...identity, verifiedEmail: identity.verifiedEmail.toUpperCase() };
  for (const attempt of [identity, shouted])
    expect(await signInThroughProvider(attempt, newId())).toEqual({ outcome: "address-taken" });
  const { rows } = await database.pool.query("SELECT 1 FROM oauth_identities WHERE subject = $1", [
    identity.subject,
  ]);
  expect(rows).toEqual([]);
});

test("the same id at another provider is another person", async () => {
  const identity = somebody();
  await signInThroughProvider(identity, newId());
  const elsewhere = { ...identity, provider: "https://other.example.test", verifiedEmail: null };
  expect(await signInThroughProvider(elsewhere, newId())).toEqual({
    outcome: "no-verified-address",
  });
});

test("whose address has an account is told so always, and it is no sign-up", async () => {
  Object.assign(env(), { SIGN_UP: "closed" });
  const [taken, address] = [somebody(), newId()];
  await createAccount({ email: taken.verifiedEmail, password: "correct horse battery" });
  expect(await signInThroughProvider(taken, address)).toEqual({ outcome: "address-taken" });
  expect(await signInThroughProvider(somebody(), address)).toEqual({ outcome: "sign-up-closed" });
  Object.assign(env(), { SIGN_UP: "open", SIGN_UPS_PER_HOUR: 1 });
  expect(await signInThroughProvider(taken, address)).toEqual({ outcome: "address-taken" });
  expect(await signInThroughProvider(somebody(), address)).toMatchObject({ outcome: "signed-in" });
  expect(await signInThroughProvider(somebody(), address)).toEqual({
    outcome: "too-many-sign-ups",
  });
});

test("a revoked invitation keeps no address from signing up where all may", async () => {
  const identity = somebody();
  const admin = await database.account({ via: "session", isAdmin: true });
  await revokeInvitation(admin, (await inviteByEmail(admin, identity.verifiedEmail, null)).id);
  expect(await signInThroughProvider(identity, newId())).toMatchObject({ outcome: "signed-in" });
});
