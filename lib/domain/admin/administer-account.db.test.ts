import { afterAll, beforeAll, expect, test } from "vitest";
import { updateAccount } from "@/lib/domain/account/update-account";
import { administerAccount } from "@/lib/domain/admin/administer-account";
import { listAccounts } from "@/lib/domain/admin/list-accounts";
import { type Principal, systemPrincipal } from "@/lib/domain/principal";
import { findSessionPrincipal } from "@/lib/domain/sessions/find-session-principal";
import { startSession } from "@/lib/domain/sessions/start-session";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { newId } from "@/lib/platform/ids";

let database: DomainDatabase;
beforeAll(async () => {
  database = await openDomainDatabase();
});
afterAll(() => database.close());

const PAGE = { limit: 20, cursor: null };
const admin = (): Promise<Principal> => database.account({ via: "session", isAdmin: true });

test("only an admin's session may act: no owner, no admin's key, no blocked admin", async () => {
  const target = await database.account();
  for (const rights of [
    { via: "session", isAdmin: false },
    { via: "key", isAdmin: true },
    { via: "system", isAdmin: true },
    { via: "session", isAdmin: true, blocked: true },
  ] as const) {
    const somebody = await database.account(rights);
    await expect(listAccounts(somebody, PAGE, "")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(
      administerAccount(somebody, target.accountId, { superAgentAccess: true }),
    ).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
  const { rows } = await database.pool.query(
    "SELECT super_agent_access FROM accounts WHERE id = $1",
    [target.accountId],
  );
  expect(rows).toEqual([{ super_agent_access: false }]);
});

test("an admin puts an account on the allowlist and off, and no more changes", async () => {
  const [who, target] = [await admin(), await database.account()];
  const before = await administerAccount(who, target.accountId, { superAgentAccess: true });
  expect(before).toMatchObject({ superAgentAccess: true, blocked: false, isAdmin: false });
  expect(await administerAccount(who, target.accountId, { superAgentAccess: false })).toEqual({
    ...before,
    superAgentAccess: false,
  });
});

test("credits that two admins add at once both count, to the millionth", async () => {
  const [one, two, target] = [await admin(), await admin(), await database.account()];
  await Promise.all(
    [one, two, one, two].map((who) =>
      administerAccount(who, target.accountId, { addCredits: 0.000001 }),
    ),
  );
  const { rows } = await database.pool.query(
    `SELECT available_micros,
       (SELECT sum(amount_micros) FROM ledger_entries WHERE account_id = $1) AS ledger FROM accounts
     WHERE id = $1`,
    [target.accountId],
  );
  expect(rows).toEqual([{ available_micros: "100000000004", ledger: "100000000004" }]);
});

test("an admin cannot block their own account, and an unknown id is not found", async () => {
  const who = await admin();
  await expect(administerAccount(who, who.accountId, { blocked: true })).rejects.toMatchObject({
    code: "CONFLICT",
  });
  await expect(administerAccount(who, newId(), { blocked: true })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test("the search is literal, in any case, and pages through all accounts once", async () => {
  const who = await admin();
  const targets = [await database.account(), await database.account(), await database.account()];
  const mark = newId();
  for (const [index, { accountId }] of targets.entries()) {
    await database.pool.query("UPDATE users SET email = $2 WHERE account_id = $1", [
      accountId,
      `${mark}_%${index}@example.test`,
    ]);
  }
  const first = await listAccounts(who, { limit: 2, cursor: null }, `${mark.toUpperCase()}_%`);
  const second = await listAccounts(who, { limit: 2, cursor: first.nextCursor }, `${mark}_%`);
  expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(
    targets
      .map(({ accountId }) => accountId)
      .toSorted()
      .toReversed(),
  );
  expect(second.nextCursor).toBeNull();
  expect((await listAccounts(who, PAGE, `${mark}%%`)).data).toEqual([]);
});

test("taking the admin flag ends the user's sessions; other changes do not", async () => {
  const { accountId, userId } = await database.account();
  if (!userId) throw new Error("the account has no user");
  const operator = { ...systemPrincipal(accountId), userId };
  const begin = async (version: number) =>
    (await startSession({ userId, version, address: "192.0.2.1", userAgent: "" })) ?? "";
  const first = await begin(0);
  await updateAccount(operator, { isAdmin: true });
  expect(await findSessionPrincipal(first, userId)).toMatchObject({ principal: { isAdmin: true } });
  await updateAccount(operator, { isAdmin: true, superAgentAccess: true });
  expect(await findSessionPrincipal(first, userId)).not.toBeNull();
  await updateAccount(operator, { isAdmin: false });
  expect(await findSessionPrincipal(first, userId)).toBeNull();
  const second = await begin(1);
  expect(await findSessionPrincipal(second, userId)).toMatchObject({
    principal: { isAdmin: false },
  });
  await updateAccount(operator, { isAdmin: false });
  expect(await findSessionPrincipal(second, userId)).not.toBeNull();
});
