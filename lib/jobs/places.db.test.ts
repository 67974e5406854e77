import { afterAll, beforeAll, expect, test } from "vitest";
import { updateAccount } from "@/lib/domain/account/update-account";
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

test("the operator's number for an account holds for it alone, stays when other things change, and is taken back", async () => {
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
