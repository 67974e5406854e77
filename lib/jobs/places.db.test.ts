import { afterAll, beforeAll, expect, test } from "vitest";
import { createAccount, type NewAccount } from "@/lib/domain/account/create-account";
import { updateAccount } from "@/lib/domain/account/update-account";
import { findPrincipalByEmail } from "@/lib/domain/principal";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { functionIdOf } from "@/lib/engine/embedded/function-specs";
import { limitKey } from "@/lib/engine/embedded/router";
import { APP_ID } from "@/lib/engine/functions";
import { executeRun } from "@/lib/jobs/execute-run";

let database: DomainDatabase;

beforeAll(async () => {
  database = await openDomainDatabase();
});
afterAll(() => database.close());

test("an operator's number for an account is for it alone, and is taken back", async () => {
  const [owner] = [await database.account(), await database.account()];
  const keyOf = ({ accountId }: { accountId: string }) =>
    limitKey(functionIdOf(APP_ID, executeRun), accountId);
  const limits = async () =>
    (
      await database.pool.query<{ key: string; most: number }>(
        "SELECT key, most FROM engine_limits",
      )
    ).rows.map(({ key, most }) => [key, most]);
  expect(await limits()).toEqual([]);
  expect(await updateAccount(owner, { runsAtWork: 3 })).toMatchObject({ runs_at_work: 3 });
  await updateAccount(owner, { name: "Renamed" });
  expect(await limits()).toEqual([[keyOf(owner), 3]]);
  await updateAccount(owner, { runsAtWork: null });
  expect(await limits()).toEqual([]);
});

test("an unvouched account works on two runs at once, until proven or numbered", async () => {
  const most = async (account: { accountId: string }) =>
    (
      await database.pool.query<{ most: number }>("SELECT most FROM engine_limits WHERE key = $1", [
        limitKey(functionIdOf(APP_ID, executeRun), account.accountId),
      ])
    ).rows[0]?.most ?? null;
  const make = async (email: string, more: Partial<NewAccount>) => {
    await createAccount({ email, password: null, credits: 10, ...more });
    return findPrincipalByEmail(email);
  };
  const stranger = await make("a@example.test", { proof: "unasked" });
  expect(await most(stranger)).toBe(2);
  await updateAccount(stranger, { name: "Renamed" });
  expect(await most(stranger)).toBe(2);
  await updateAccount(stranger, { runsAtWork: 7 });
  expect(await most(stranger)).toBe(7);
  await updateAccount(stranger, { runsAtWork: null });
  expect(await most(stranger)).toBe(2);
  await updateAccount(stranger, { addCredits: 5 });
  expect(await most(stranger)).toBe(null);
  // Its own address shown is no payment.
  const shown = await make("b@example.test", { proof: "shown" });
  expect(await most(shown)).toBe(2);
  await updateAccount(shown, { proven: true });
  expect(await most(shown)).toBe(null);
  expect(await most(await make("c@example.test", { proof: "shown", isInvited: true }))).toBe(null);
  expect(await most(await make("d@example.test", { proof: "given" }))).toBe(null);
});
