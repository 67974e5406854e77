import { afterAll, beforeAll, expect, test } from "vitest";
import { createAccount } from "@/lib/domain/account/create-account";
import { type ProviderIdentity, signInThroughProvider } from "@/lib/domain/account/sign-in-through-provider";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { newId } from "@/lib/platform/ids";

let database: DomainDatabase;
beforeAll(async () => {
  database = await openDomainDatabase();
});
afterAll(() => database.close());

function somebody(): ProviderIdentity & { verifiedEmail: string } {
  const subject = newId();
  return { provider: "https://id.example.test", subject, verifiedEmail: `${subject}@example.test`, name: null };
}

async function accountsOf(email: string): Promise<number> {
  const { rows } = await database.pool.query("SELECT 1 FROM users WHERE email = $1", [email]);
  return rows.length;
}

test("a person who signs in for the first time twice at once gets one account, and enters it both times", async () => {
  const identity = somebody();
  const all = await Promise.all([1, 2, 3, 4].map(() => signInThroughProvider(identity, newId())));
  expect(new Set(all.map((one) => (one.outcome === "signed-in" ? one.userId : one.outcome))).size).toBe(1);
  expect(all[0]).toMatchObject({ outcome: "signed-in" });
  expect(await accountsOf(identity.verifiedEmail)).toBe(1);
});

test("an address that has an account is refused, in any case of its letters, and no identity is tied to it", async () => {
  const identity = somebody();
  await createAccount({ email: identity.verifiedEmail, password: "correct horse battery" });
  const shouted = { ...identity, verifiedEmail: identity.verifiedEmail.toUpperCase() };
  for (const attempt of [identity, shouted]) expect(await signInThroughProvider(attempt, newId())).toEqual({ outcome: "address-taken" });
  const { rows } = await database.pool.query("SELECT 1 FROM oauth_identities WHERE subject = $1", [identity.subject]);
  expect(rows).toEqual([]);
});

test("the same id at another provider is another person", async () => {
  const identity = somebody();
  await signInThroughProvider(identity, newId());
  const elsewhere = { ...identity, provider: "https://other.example.test", verifiedEmail: null };
  expect(await signInThroughProvider(elsewhere, newId())).toEqual({ outcome: "no-verified-address" });
});
