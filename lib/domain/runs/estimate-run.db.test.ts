import { afterAll, beforeAll, expect, test } from "vitest";
import { estimateRun } from "@/lib/domain/runs/request-run";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { newId } from "@/lib/platform/ids";

let database: DomainDatabase;
beforeAll(async () => {
  database = await openDomainDatabase();
});
afterAll(() => database.close());

test("what a run needs grows with its conversation, and tells of no stranger's", async () => {
  const [owner, stranger] = [await database.account(), await database.account()];
  const conversationId = newId();
  await database.pool.query(
    `INSERT INTO conversations (id, account_id, family, updated_at)
     VALUES ($1, $2, 'agent', now())`,
    [conversationId, owner.accountId],
  );
  await database.pool.query(
    `INSERT INTO messages (id, conversation_id, run_id, role, text)
     VALUES ($1, $2, $3, 'user', $4)`,
    [newId(), conversationId, newId(), "a long story ".repeat(5_000)],
  );
  const needs = (principal: typeof owner, id: string | null) =>
    estimateRun(principal, "builtin/offline", ["go"], id);
  expect(await needs(owner, conversationId)).toBeGreaterThan(await needs(owner, null));
  expect(await needs(stranger, conversationId)).toBe(await needs(stranger, null));
});
