import { afterAll, beforeAll, expect, test } from "vitest";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import { removeAuditEventsOf, removeOldAuditEvents } from "@/lib/domain/audit/remove-audit-events";
import type { Actor, Principal } from "@/lib/domain/principal";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { type AuditLine, auditLines } from "@/lib/platform/audit-lines";
import { newId } from "@/lib/platform/ids";
import { transaction } from "@/lib/platform/postgres";

const lines: AuditLine[] = [];
let database: DomainDatabase;
let owner: Principal;

beforeAll(async () => {
  database = await openDomainDatabase();
  database.service.give(auditLines, (line) => void lines.push(line));
  const actor: Actor = {
    kind: "key",
    id: newId(),
    label: "…wxyz",
    address: "192.0.2.7",
    userAgent: "curl/8",
  };
  owner = await database.account({ actor });
});
afterAll(() => database.close());

const eventsOf = async (accountId: string | null, action: string) => {
  const { rows } = await database.pool.query(
    `SELECT * FROM audit_events WHERE account_id IS NOT DISTINCT FROM $1::uuid AND action = $2
     ORDER BY id`,
    [accountId, action],
  );
  return rows;
};
const record = (entry: Parameters<typeof recordAudit>[2], principal = owner) =>
  transaction((tx) => recordAudit(tx, principal, entry));

test("an act is recorded with who, when, from where, what and what changed", async () => {
  const id = newId();
  await record({
    action: "key.created",
    object: { kind: "key", id, label: "…abcd" },
    changes: { name: { from: null, to: "CI" }, kind: "account" },
  });
  const [event] = await eventsOf(owner.accountId, "key.created");
  expect(event).toMatchObject({
    actor_kind: "key",
    actor_id: owner.actor?.id,
    actor_label: "…wxyz",
    address: "192.0.2.7",
    user_agent: "curl/8",
    object_kind: "key",
    object_id: id,
    object_label: "…abcd",
    changes: { name: { from: null, to: "CI" }, kind: "account" },
  });
  expect(event.created_at.getTime()).toBe(
    Number.parseInt(event.id.replaceAll("-", "").slice(0, 12), 16),
  );
});

test("an act that is rolled back leaves no event", async () => {
  const undone = transaction(async (tx) => {
    await recordAudit(tx, owner, {
      action: "secret.created",
      object: { kind: "secret", label: "K" },
    });
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  expect(await eventsOf(owner.accountId, "secret.created")).toEqual([]);
});

test("whatever a client sends as its name can be recorded", async () => {
  const actor: Actor = {
    kind: "anonymous",
    id: null,
    label: `a\u0000b\ud800${"x".repeat(10_000)}`,
    address: null,
    userAgent: "\udc00",
  };
  const changes = { note: "n\u0000", long: "y".repeat(100_000) };
  await record({ action: "sign_in.failed", changes, accountId: null }, { ...owner, actor });
  const [event] = await eventsOf(null, "sign_in.failed");
  expect(event.actor_label).toMatch(/^a\ufffdb\ufffdx+$/);
  expect(event.changes).toEqual({ changed: ["note", "long"] });
});

test("what can be repeated is recorded once a time, by actor, address and object", async () => {
  const entry = { action: "webhook_secret.shown", onceInMinutes: 10 } as const;
  const elsewhere = { ...owner, actor: owner.actor && { ...owner.actor, address: "192.0.2.8" } };
  for (let count = 0; count < 3; count++) {
    await record(entry);
    await record(entry, elsewhere);
    await record({ ...entry, object: { kind: "webhook_secret", id: newId() } });
  }
  expect(await eventsOf(owner.accountId, "webhook_secret.shown")).toHaveLength(5);
});

test("no event can be changed or removed, not by its database's owner either", async () => {
  await record({ action: "key.revoked" });
  for (const sql of [
    "UPDATE audit_events SET action = 'x'",
    "DELETE FROM audit_events",
    "TRUNCATE audit_events",
    "SET session_replication_role = replica; DELETE FROM audit_events",
  ])
    await expect(database.pool.query(sql)).rejects.toThrow("audit_events only grows");
  expect(await eventsOf(owner.accountId, "key.revoked")).toHaveLength(1);
});

test("the deletion of an account takes its events in batches, and nobody else's", async () => {
  const [gone, stays] = [await database.account(), await database.account()];
  await database.pool.query(
    `INSERT INTO audit_events (id, account_id, actor_kind, action, created_at)
     SELECT id, CASE WHEN n % 2 = 0 THEN $2::uuid ELSE $3::uuid END, 'system', 'secret.updated',
       now() FROM unnest($1::uuid[]) WITH ORDINALITY AS made(id, n)`,
    [Array.from({ length: 2002 }, () => newId()), gone.accountId, stays.accountId],
  );
  const { rows } = await database.pool.query(
    "SELECT count(*)::int AS count FROM audit_events WHERE account_id = $1",
    [gone.accountId],
  );
  const removed = [
    await removeAuditEventsOf(gone.accountId),
    await removeAuditEventsOf(gone.accountId),
    await removeAuditEventsOf(gone.accountId),
  ];
  expect(removed).toEqual([1000, rows[0].count - 1000, 0]);
  expect(await eventsOf(stays.accountId, "secret.updated")).toHaveLength(1001);
  await expect(database.pool.query("DELETE FROM audit_events")).rejects.toThrow(
    "audit_events only grows",
  );
});

test("retention removes what is older than its days by batch, and nothing younger", async () => {
  const day = 24 * 3600 * 1000;
  const insert = (id: string) =>
    database.pool.query(
      `INSERT INTO audit_events (id, actor_kind, action, created_at)
       VALUES ($1, 'system', 'key_ring.rotated', now())`,
      [id],
    );
  const old = Array.from({ length: 3 }, () => newId(Date.now() - 401 * day));
  const young = newId(Date.now() - 399 * day);
  for (const id of [...old, young]) await insert(id);
  expect(await removeOldAuditEvents(400)).toBe(3);
  expect((await eventsOf(null, "key_ring.rotated")).map(({ id }) => id)).toEqual([young]);
});

test("each committed act is also a line outside of the database, beyond its row", async () => {
  const other = await database.account({ actor: owner.actor });
  const id = newId();
  lines.length = 0;
  await expect(
    transaction(async (tx) => {
      await recordAudit(tx, other, { action: "key.created", object: { kind: "key", id: newId() } });
      throw new Error("rolled back");
    }),
  ).rejects.toThrow("rolled back");
  expect(lines).toEqual([]);
  const entry = {
    action: "key.created",
    object: { kind: "key", id, label: "…\u0000abcd" },
    changes: { name: "CI" },
    onceInMinutes: 10,
  } as const;
  await transaction(async (tx) => {
    await recordAudit(tx, other, entry);
    expect(lines).toEqual([]);
  });
  // Not recorded again, and so not told again.
  await record(entry, other);
  const [row] = await eventsOf(other.accountId, "key.created");
  await removeAuditEventsOf(other.accountId);
  expect(await eventsOf(other.accountId, "key.created")).toEqual([]);
  expect(lines).toEqual([
    {
      audit_id: row.id,
      action: "key.created",
      account_id: other.accountId,
      actor: {
        kind: "key",
        id: owner.actor?.id,
        label: "…wxyz",
        address: "192.0.2.7",
        user_agent: "curl/8",
      },
      object: { kind: "key", id, label: "…\ufffdabcd" },
      changes: { name: "CI" },
    },
  ]);
});
