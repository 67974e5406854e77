import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { countAttention } from "@/lib/domain/notifications/count-attention";
import { listNotifications } from "@/lib/domain/notifications/list-notifications";
import { readNotification } from "@/lib/domain/notifications/read-notification";
import { readNotificationsUpTo } from "@/lib/domain/notifications/read-notifications-up-to";
import type { Principal } from "@/lib/domain/principal";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { ATTENTION_MAX } from "@/lib/model/limits";
import { newId } from "@/lib/platform/ids";

let database: DomainDatabase;
let owner: Principal;
let stranger: Principal;

beforeAll(async () => {
  database = await openDomainDatabase();
  stranger = await database.account();
});
beforeEach(async () => {
  owner = await database.account();
});
afterAll(() => database.close());

async function notify(principal: Principal, count: number): Promise<string[]> {
  // Those of one millisecond come in no order of their own.
  const ids = Array.from({ length: count }, () => newId()).sort();
  await database.pool.query(
    `INSERT INTO notifications (id, account_id, run_id, title, body)
     SELECT id, $1, gen_random_uuid(), 'A run completed', 'Text' FROM unnest($2::uuid[]) id`,
    [principal.accountId, ids],
  );
  return ids;
}

async function ask(
  principal: Principal,
  status: string,
  expiresAt = "now() + interval '1 hour'",
): Promise<void> {
  await database.pool.query(
    `INSERT INTO approvals (id, run_id, account_id, tool_call_id, tool_name, arguments, summary,
       status, expires_at)
     VALUES ($1, gen_random_uuid(), $2, 'c', 't', '{}', '', $3, ${expiresAt})`,
    [newId(), principal.accountId, status],
  );
}

const unreadOf = async (principal: Principal) =>
  (await countAttention(principal)).unreadNotifications;

/** After every id: those of one millisecond come in no certain order. */
const LATEST_ID = "ffffffff-ffff-7fff-bfff-ffffffffffff";

test("a notification is read once, keeps its first time, and is nobody else's", async () => {
  const [first = "", second = ""] = await notify(owner, 2);
  await readNotification(owner, first);
  const readAt = async () =>
    (await listNotifications(owner, { limit: 10, cursor: null })).data.map((row) => row.readAt);
  const [unread, before] = await readAt();
  expect([unread, before]).toEqual([null, expect.any(Date)]);
  await readNotification(owner, first);
  expect((await readAt())[1]).toEqual(before);
  await expect(readNotification(stranger, second)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(readNotification(owner, newId())).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await unreadOf(owner)).toBe(1);
});

test("marking all up to one leaves what came after it, and what belongs to others", async () => {
  const [, middle = "", newest = ""] = await notify(owner, 3);
  await notify(stranger, 1);
  await readNotificationsUpTo(owner, middle);
  expect(await unreadOf(owner)).toBe(1);
  await readNotificationsUpTo(owner, LATEST_ID);
  expect(await unreadOf(owner)).toBe(0);
  expect(await unreadOf(stranger)).toBe(1);
  expect((await listNotifications(owner, { limit: 1, cursor: null })).data[0]?.id).toBe(newest);
});

test("approvals count while they wait and are not past their time, the owner's alone", async () => {
  await ask(owner, "pending");
  await ask(owner, "pending", "now() - interval '1 second'");
  await ask(owner, "approved");
  expect((await countAttention(owner)).pendingApprovals).toBe(1);
  expect((await countAttention(stranger)).pendingApprovals).toBe(0);
});

test("counts stop at the maximum, however many there are", async () => {
  await notify(owner, ATTENTION_MAX * 50);
  await database.pool.query(
    `INSERT INTO approvals (id, run_id, account_id, tool_call_id, tool_name, arguments, summary,
       status, expires_at)
     SELECT gen_random_uuid(), gen_random_uuid(), $1, 'c', 't', '{}', '',
       'pending', now() + interval '1 hour' FROM generate_series(1, ${ATTENTION_MAX + 7})`,
    [owner.accountId],
  );
  expect(await countAttention(owner)).toEqual({
    pendingApprovals: ATTENTION_MAX,
    unreadNotifications: ATTENTION_MAX,
  });
});
