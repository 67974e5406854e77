import { afterAll, beforeAll, expect, test } from "vitest";
import { updateAccount } from "@/lib/domain/account/update-account";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { runsAtWorkOverrides } from "@/lib/jobs/places";

let database: DomainDatabase;

beforeAll(async () => {
  database = await openDomainDatabase();
});
afterAll(() => database.close());

test("the operator's number for an account holds for it alone, stays when other things change, and is taken back", async () => {
  const [owner, other] = [await database.account(), await database.account()];
  const limits = () => runsAtWorkOverrides([owner.accountId, other.accountId, "no id", null]);
  expect([...(await limits())]).toEqual([]);
  expect(await updateAccount(owner, { runsAtWork: 3 })).toMatchObject({ runs_at_work: 3 });
  await updateAccount(owner, { name: "Renamed" });
  expect([...(await limits())]).toEqual([[owner.accountId, 3]]);
  await updateAccount(owner, { runsAtWork: null });
  expect([...(await limits())]).toEqual([]);
});
