import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { getApproval } from "@/lib/domain/approvals/approval-view";
import { listApprovals } from "@/lib/domain/approvals/list-approvals";
import { authenticateClientToken } from "@/lib/domain/client-tokens/authenticate-client-token";
import { readClientToken } from "@/lib/domain/client-tokens/client-token";
import {
  createClientToken,
  type NewClientToken,
} from "@/lib/domain/client-tokens/create-client-token";
import { requireConversation } from "@/lib/domain/conversations/take-conversation";
import { authenticateKey } from "@/lib/domain/keys/authenticate-key";
import { createKey } from "@/lib/domain/keys/create-key";
import { revokeKey } from "@/lib/domain/keys/revoke-key";
import type { Principal } from "@/lib/domain/principal";
import { cancelRun } from "@/lib/domain/runs/cancel-run";
import { listRuns } from "@/lib/domain/runs/list-runs";
import { getRun } from "@/lib/domain/runs/run-view";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { insertTestAgent } from "@/lib/domain/test/insert-test-agent";
import { startTestRun } from "@/lib/domain/test/start-test-run";
import { CLIENT_RUNS_PER_MINUTE } from "@/lib/model/client-token";
import { newId } from "@/lib/platform/ids";

let database: DomainDatabase;
let owner: Principal;
let keyId: string;
let agentId: string;

beforeAll(async () => {
  database = await openDomainDatabase({ env: { SIGNING_SECRET: "a secret of this test" } });
});
beforeEach(async () => {
  const account = await database.account();
  const key = await createKey(account, { name: "backend", agentId: null, expiresAt: null });
  keyId = key.id;
  owner = (await authenticateKey(key.apiKey, "account", "read"))?.principal ?? account;
  agentId = (await insertTestAgent(owner)).id;
});
afterAll(() => database.close());

const make = async (more: Partial<NewClientToken> = {}, by = owner) => {
  const { token } = await createClientToken(by, {
    agentId,
    endUser: "ada",
    conversationId: null,
    can: ["run", "read", "cancel", "approve"],
    origins: ["https://app.example.com"],
    expiresInSeconds: 60,
    ...more,
  });
  const claims = readClientToken(token);
  if (!claims) throw new Error("a token of ours was not read");
  return claims;
};
const enter = async (claims: Awaited<ReturnType<typeof make>>) => {
  const entry = await authenticateClientToken(claims, "read");
  if (!entry) throw new Error("the token was not let in");
  return entry.principal;
};
const opens = async (claims: Awaited<ReturnType<typeof make>>) =>
  (await authenticateClientToken(claims, "read")) !== null;
const appRun = (endUser: string | null, more = {}) =>
  startTestRun(owner, { agentId, metadata: endUser ? { end_user: endUser } : {}, ...more }, "app");
const ALL = {
  kinds: ["app"],
  statuses: null,
  agentId: null,
  conversationId: null,
  createdAfter: null,
  createdBefore: null,
  metadata: {},
} as const;
const PAGE = { limit: 100, cursor: null };

describe("a token's end", () => {
  test("it opens until its time is over", async () => {
    const claims = await make();
    expect(await opens(claims)).toBe(true);
    expect(await opens({ ...claims, expiresAt: new Date(Date.now() - 1) })).toBe(false);
  });

  test("it ends with the key that made it, and with no other", async () => {
    const claims = await make();
    const other = await createKey(owner, { name: "other", agentId: null, expiresAt: null });
    await revokeKey(owner, other.id);
    expect(await opens(claims)).toBe(true);
    await revokeKey(owner, keyId);
    expect(await opens(claims)).toBe(false);
  });

  test("it ends when its key expires, as at the end of a rotation's overlap", async () => {
    const claims = await make();
    await database.pool.query("UPDATE api_keys SET expires_at = now() WHERE id = $1", [keyId]);
    expect(await opens(claims)).toBe(false);
  });

  test("it ends when its agent is archived", async () => {
    const claims = await make();
    await database.pool.query("UPDATE agents SET status = 'archived' WHERE id = $1", [agentId]);
    expect(await opens(claims)).toBe(false);
  });

  test.each([
    ["blocked", "UPDATE accounts SET blocked = true WHERE id = $1"],
    ["being deleted", "UPDATE accounts SET deleting_at = now() WHERE id = $1"],
  ])("it ends when its account is %s", async (_, statement) => {
    const claims = await make();
    await database.pool.query(statement, [owner.accountId]);
    expect(await opens(claims)).toBe(false);
  });

  test("one made by a session ends with it, and with the password that began it", async () => {
    const signIn = async () => {
      const sessionId = newId();
      await database.pool.query(
        `INSERT INTO user_sessions (id, user_id, account_id, version, address, user_agent,
           expires_at)
         SELECT $1, u.id, u.account_id, u.session_version, '', '', now() + interval '1 day'
         FROM users u WHERE u.account_id = $2`,
        [sessionId, owner.accountId],
      );
      const session: Principal = { ...owner, via: "session", sessionId };
      return { sessionId, claims: await make({}, session) };
    };
    const [one, two] = [await signIn(), await signIn()];
    expect([await opens(one.claims), await opens(two.claims)]).toEqual([true, true]);
    await database.pool.query("UPDATE user_sessions SET ended_at = now() WHERE id = $1", [
      one.sessionId,
    ]);
    expect([await opens(one.claims), await opens(two.claims)]).toEqual([false, true]);
    await database.pool.query(
      "UPDATE users SET session_version = session_version + 1 WHERE account_id = $1",
      [owner.accountId],
    );
    expect(await opens(two.claims)).toBe(false);
  });

  test("claims that join what does not belong together open nothing", async () => {
    const claims = await make();
    const stranger = await database.account();
    const theirs = await insertTestAgent(stranger);
    expect(await opens({ ...claims, agent: theirs.id })).toBe(false);
    expect(await opens({ ...claims, account: stranger.accountId })).toBe(false);
    expect(await opens({ ...claims, account: stranger.accountId, agent: theirs.id })).toBe(false);
    expect(await opens({ ...claims, maker: "session" })).toBe(false);
  });

  test("neither an app key nor the service itself makes one", async () => {
    const system: Principal = { ...owner, via: "system" };
    await expect(make({}, system)).rejects.toThrow("an account key or a session");
  });
});

describe("what a token sees", () => {
  test("runs of its agent and its person, by id and list, whatever the filter", async () => {
    const [ada, grace, nobody] = [await appRun("ada"), await appRun("grace"), await appRun(null)];
    const another = await insertTestAgent(owner);
    const elsewhere = await appRun("ada", { agentId: another.id });
    const client = await enter(await make());
    expect((await getRun(client, ada.id, ["app"])).id).toBe(ada.id);
    for (const { id } of [grace, nobody, elsewhere]) {
      await expect(getRun(client, id, ["app"])).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
      await expect(cancelRun(client, id, ["app"])).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
    }
    const list = async (more = {}) =>
      (await listRuns(client, PAGE, { ...ALL, ...more })).data.map(({ id }) => id);
    expect(await list()).toEqual([ada.id]);
    expect(await list({ agentId: another.id })).toEqual([ada.id]);
    expect(await list({ metadata: { end_user: "grace" } })).toEqual([]);
    expect(await list({ conversationId: grace.conversationId })).toEqual([]);
  });

  test("a person whose name begins as another's, or is a pattern, is their own", async () => {
    await appRun("ada");
    for (const endUser of ["ad", "ada ", "ADA", "%", "ad_", ""]) {
      const client = await enter({ ...(await make()), user: endUser });
      expect((await listRuns(client, PAGE, ALL)).data, JSON.stringify(endUser)).toEqual([]);
    }
  });

  test("with a conversation that one alone, of their own", async () => {
    const [one, two] = [await appRun("ada"), await appRun("ada")];
    const grace = await appRun("grace");
    const client = await enter(await make({ conversationId: one.conversationId }));
    expect((await listRuns(client, PAGE, ALL)).data.map(({ id }) => id)).toEqual([one.id]);
    await expect(getRun(client, two.id, ["app"])).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
    expect(
      (await listRuns(client, PAGE, { ...ALL, conversationId: two.conversationId })).data,
    ).toEqual([]);
    const notFound = { code: "CONVERSATION_NOT_FOUND" };
    for (const id of [two.conversationId, grace.conversationId])
      await expect(requireConversation(client, id ?? "", "agent")).rejects.toMatchObject(notFound);
    await expect(make({ conversationId: grace.conversationId })).rejects.toMatchObject(notFound);
    await expect(make({ conversationId: newId() })).rejects.toMatchObject(notFound);
  });

  test("a conversation of somebody else's or an empty one is not theirs to go on", async () => {
    const mixed = await appRun("ada");
    await database.pool.query("UPDATE conversations SET active_run_id = NULL WHERE id = $1", [
      mixed.conversationId,
    ]);
    const client = await enter(await make());
    const ask = () => requireConversation(client, mixed.conversationId ?? "", "agent");
    await ask();
    // As before conversations were somebody's.
    await database.pool.query("UPDATE conversations SET end_user = NULL WHERE id = $1", [
      mixed.conversationId,
    ]);
    await appRun("grace", { conversationId: mixed.conversationId });
    await expect(ask()).rejects.toMatchObject({ code: "CONVERSATION_NOT_FOUND" });
    const empty = newId();
    await database.pool.query(
      `INSERT INTO conversations (id, account_id, family, updated_at)
       VALUES ($1, $2, 'agent', now())`,
      [empty, owner.accountId],
    );
    await expect(requireConversation(client, empty, "agent")).rejects.toMatchObject({
      code: "CONVERSATION_NOT_FOUND",
    });
  });

  test("approvals of its runs on the app path alone", async () => {
    const ask = async (endUser: string | null, kind: "app" | "agent" = "app") => {
      const run = await startTestRun(
        owner,
        { agentId, metadata: endUser ? { end_user: endUser } : {} },
        kind,
      );
      const id = newId();
      await database.pool.query(
        `INSERT INTO approvals (id, run_id, account_id, agent_id, tool_call_id, tool_name,
           arguments, summary, status, expires_at)
         VALUES ($1, $2, $3, $4, 'c', 'pay', '{}', 'pay', 'pending', now() + interval '1 day')`,
        [id, run.id, owner.accountId, agentId],
      );
      return id;
    };
    const theirs = await ask("ada");
    const others = [await ask("grace"), await ask(null), await ask("ada", "agent")];
    const client = await enter(await make());
    const list = { ...PAGE, statuses: null, runId: null };
    expect((await listApprovals(client, list)).data.map(({ id }) => id)).toEqual([theirs]);
    expect((await getApproval(client, theirs)).id).toBe(theirs);
    for (const id of others)
      await expect(getApproval(client, id)).rejects.toMatchObject({ code: "APPROVAL_NOT_FOUND" });
    const appKey: Principal = { ...owner, agentId };
    const seen = (await listApprovals(appKey, list)).data.map(({ id }) => id);
    expect(seen.sort()).toEqual([theirs, ...others.slice(0, 2)].sort());
    expect((await listApprovals(owner, list)).data).toHaveLength(4);
  });
});

test("one person's tokens share one budget, used up apart from the account's", async () => {
  const [one, two] = [await make(), await make()];
  const budgets: boolean[] = [];
  for (let asked = 0; asked < CLIENT_RUNS_PER_MINUTE + 5; asked += 1)
    budgets.push(
      (await authenticateClientToken(asked % 2 ? one : two, "run"))?.budget.exceeded ?? false,
    );
  expect(budgets.filter((exceeded) => exceeded)).toHaveLength(5);
  expect(budgets.slice(0, CLIENT_RUNS_PER_MINUTE)).not.toContain(true);
  const { rows } = await database.pool.query(
    "SELECT count FROM minute_buckets WHERE key = 'all:' || $1",
    [owner.accountId],
  );
  // One more: the key's own.
  expect(rows[0]?.count).toBe(CLIENT_RUNS_PER_MINUTE + 1);
  const grace = await authenticateClientToken(await make({ endUser: "grace" }), "run");
  expect(grace?.budget.exceeded).toBe(false);
});
