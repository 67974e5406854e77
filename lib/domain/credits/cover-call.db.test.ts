import { afterAll, beforeAll, expect, test } from "vitest";
import { chargeRun, coverCall, releaseHold } from "@/lib/domain/credits/ledger";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { newId } from "@/lib/platform/ids";
import { transaction } from "@/lib/platform/postgres";

let database: DomainDatabase;

beforeAll(async () => {
  database = await openDomainDatabase();
});
afterAll(() => database.close());

const WALLET = 60_000_000n;
const usage = {
  model: "test/m",
  capability: "chat" as const,
  inputTokens: 1,
  outputTokens: 1,
  cachedInputTokens: 0,
  units: 0,
};

test("runs that cover, pay and end at once never overdraw, nor lose a millionth", async () => {
  for (let round = 0; round < 10; round += 1) {
    const { accountId } = await database.account();
    await database.pool.query("UPDATE accounts SET available_micros = $2 WHERE id = $1", [
      accountId,
      WALLET,
    ]);
    let paid = 0n;
    const run = async (index: number) => {
      const payer = {
        runId: newId(),
        accountId,
        maxMicros: index % 3 === 0 ? 9_000_000n : null,
        rootId: null,
      };
      await database.pool.query(
        `WITH paid AS (UPDATE accounts SET available_micros = available_micros - 4500000
           WHERE id = $1 AND available_micros >= 4500000 RETURNING id)
         INSERT INTO credit_holds (run_id, account_id, amount_micros)
         SELECT $2, id, 4500000 FROM paid`,
        [accountId, payer.runId],
      );
      for (let turn = 0; turn < 3; turn += 1) {
        await coverCall(payer, 1_000_000n, 16_000_000n);
        const charge = {
          ...payer,
          ...usage,
          agentId: null,
          stepKey: String(turn),
          micros: 3_700_000n,
          keepMicros: 1_000_000n,
        };
        const taken = await transaction((tx) => chargeRun(tx, charge));
        paid += taken;
      }
      await transaction((tx) => releaseHold(tx, payer.runId));
    };
    const ends = await Promise.allSettled(Array.from({ length: 12 }, (_, index) => run(index)));
    // A run that ran out has ended; nothing else may have gone wrong.
    for (const end of ends)
      if (end.status === "rejected")
        expect(end.reason).toMatchObject({ code: "INSUFFICIENT_CREDITS" });
    const { rows } = await database.pool.query<{ available: string; held: string; used: string }>(
      `SELECT available_micros AS available,
         (SELECT coalesce(sum(amount_micros), 0) FROM credit_holds WHERE account_id = a.id) AS held,
         (SELECT sum(credits_micros) FROM run_usage WHERE account_id = a.id) AS used FROM accounts a
       WHERE id = $1`,
      [accountId],
    );
    const [sums] = rows;
    expect(BigInt(sums?.used ?? 0)).toBe(paid);
    expect(BigInt(sums?.available ?? 0) + BigInt(sums?.held ?? 0) + paid).toBe(WALLET);
  }
});
