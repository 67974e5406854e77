import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { authenticateKey } from "@/lib/domain/keys/authenticate-key";
import { createKey } from "@/lib/domain/keys/create-key";
import { listKeys } from "@/lib/domain/keys/key-view";
import { revokeKey } from "@/lib/domain/keys/revoke-key";
import { rotateKey } from "@/lib/domain/keys/rotate-key";
import type { Principal } from "@/lib/domain/principal";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { insertTestAgent } from "@/lib/domain/test/insert-test-agent";
import { newId } from "@/lib/platform/ids";

let database: DomainDatabase;
let owner: Principal;
let stranger: Principal;

beforeAll(async () => {
  database = await openDomainDatabase();
});
beforeEach(async () => {
  [owner, stranger] = [await database.account(), await database.account()];
});
afterAll(() => database.close());

const DAY_MS = 24 * 3600 * 1000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);
const make = (of = owner, expiresAt: Date | null = null, agentId: string | null = null) =>
  createKey(of, { name: "k", agentId, expiresAt });
const opens = async (apiKey: string, family: "account" | "app" = "account") =>
  (await authenticateKey(apiKey, family, "read")) !== null;
const expire = (id: string, seconds: number) =>
  database.pool.query(
    "UPDATE api_keys SET expires_at = now() + make_interval(secs => $2) WHERE id = $1",
    [id, seconds],
  );
const setCap = (of: Principal, name: string, cap: number) =>
  database.pool.query(
    `UPDATE accounts SET row_caps = row_caps || jsonb_build_object($2::text, $3::int)
     WHERE id = $1`,
    [of.accountId, name, cap],
  );
const keysOf = async (of: Principal) => (await listKeys(of, { limit: 100, cursor: null })).data;

describe("a key's end", () => {
  test("a key opens the API until it expires, and never again", async () => {
    const key = await make(owner, inDays(1));
    expect(await opens(key.apiKey)).toBe(true);
    await expire(key.id, 5);
    expect(await opens(key.apiKey)).toBe(true);
    await expire(key.id, -1);
    expect(await opens(key.apiKey)).toBe(false);
  });

  test("a revoked key stops at once; revoking again changes nothing", async () => {
    const key = await make();
    const revoked = await revokeKey(owner, key.id);
    expect(await opens(key.apiKey)).toBe(false);
    expect(await revokeKey(owner, key.id)).toEqual(revoked);
  });

  test("another account's key is not there: unrevoked, unrotated, it goes on", async () => {
    const key = await make();
    await expect(revokeKey(stranger, key.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(rotateKey(stranger, key.id, 0)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await opens(key.apiKey)).toBe(true);
    expect(await keysOf(owner)).toMatchObject([{ id: key.id, revokedAt: null, expiresAt: null }]);
    expect(await keysOf(stranger)).toEqual([]);
    await expect(rotateKey(owner, newId(), 0)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("rotation", () => {
  test("without an overlap the old key ends, and its successor has its name and end", async () => {
    const end = inDays(7);
    const old = await make(owner, end);
    const next = await rotateKey(owner, old.id, 0);
    expect(next).toMatchObject({ name: "k", kind: "account", expiresAt: end, revokedAt: null });
    expect([await opens(old.apiKey), await opens(next.apiKey)]).toEqual([false, true]);
  });

  test("with an overlap both keys work until it ends, or the key itself does", async () => {
    const [endless, ending] = [await make(), await make(owner, inDays(1))];
    const next = await rotateKey(owner, endless.id, 60);
    expect([await opens(endless.apiKey), await opens(next.apiKey)]).toEqual([true, true]);
    const [{ minutes }] = (
      await database.pool.query(
        "SELECT extract(epoch FROM expires_at - now()) / 60 AS minutes FROM api_keys WHERE id = $1",
        [endless.id],
      )
    ).rows;
    expect(Number(minutes)).toBeGreaterThan(30);
    expect(Number(minutes)).toBeLessThanOrEqual(60);
    await rotateKey(owner, ending.id, 30 * 24 * 60);
    expect((await keysOf(owner)).find(({ id }) => id === ending.id)?.expiresAt).toEqual(
      ending.expiresAt,
    );
  });

  test.each([
    ["revoked", (id: string) => revokeKey(owner, id)],
    ["expired", (id: string) => expire(id, -1)],
  ])("a key that was %s has no successor, and none is left behind", async (_, end) => {
    const key = await make();
    await end(key.id);
    await expect(rotateKey(owner, key.id, 60)).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await keysOf(owner)).toHaveLength(1);
    expect(await opens(key.apiKey)).toBe(false);
  });

  test("when the successor cannot be stored, the old key lives on as it was", async () => {
    const key = await make();
    await setCap(owner, "keys", 1);
    await expect(rotateKey(owner, key.id, 60)).rejects.toMatchObject({
      code: "CONFLICT",
      message: expect.stringContaining("at most 1 keys"),
    });
    expect(await keysOf(owner)).toMatchObject([{ id: key.id, expiresAt: null }]);
    expect(await opens(key.apiKey)).toBe(true);
  });

  test("a full account rotates without an overlap", async () => {
    const key = await make();
    await setCap(owner, "keys", 1);
    const next = await rotateKey(owner, key.id, 0);
    expect([await opens(key.apiKey), await opens(next.apiKey)]).toEqual([false, true]);
  });

  test("an app key's successor runs the same agent", async () => {
    const agent = await insertTestAgent(owner);
    const key = await make(owner, null, agent.id);
    const next = await rotateKey(owner, key.id, 0);
    expect((await authenticateKey(next.apiKey, "app", "run"))?.principal.agentId).toBe(agent.id);
    expect(await opens(key.apiKey, "app")).toBe(false);
  });
});

describe("the caps of keys", () => {
  test("of many keys made at once as many stay as fit; ended ones do not count", async () => {
    const [revoked, expired] = [await make(), await make()];
    await revokeKey(owner, revoked.id);
    await expire(expired.id, -1);
    await setCap(owner, "keys", 2);
    await make();
    const made = await Promise.allSettled(Array.from({ length: 8 }, () => make()));
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const each of made)
      if (each.status === "rejected") expect(each.reason).toMatchObject({ code: "CONFLICT" });
    expect(await keysOf(owner)).toHaveLength(4);
  });

  test("app keys have a cap for each agent and take no place of the account's keys", async () => {
    const [one, other] = [await insertTestAgent(owner), await insertTestAgent(owner)];
    await setCap(owner, "app_keys", 1);
    await setCap(owner, "keys", 0);
    const made = await Promise.allSettled(
      Array.from({ length: 6 }, () => make(owner, null, one.id)),
    );
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await make(owner, null, other.id);
    await expect(make()).rejects.toMatchObject({ code: "CONFLICT" });
  });
});
