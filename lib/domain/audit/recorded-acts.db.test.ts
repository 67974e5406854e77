import { afterAll, beforeAll, expect, test } from "vitest";
import { changePassword } from "@/lib/domain/account/change-password";
import { createAccount } from "@/lib/domain/account/create-account";
import { updateAccount } from "@/lib/domain/account/update-account";
import { verifySignIn } from "@/lib/domain/account/verify-sign-in";
import { administerAccount } from "@/lib/domain/admin/administer-account";
import { archiveAgent } from "@/lib/domain/agents/archive-agent";
import { updateAgent } from "@/lib/domain/agents/update-agent";
import {
  type AuditEvent,
  listAllAuditEvents,
  listAuditEvents,
} from "@/lib/domain/audit/list-audit-events";
import { recordSignIn } from "@/lib/domain/audit/record-sign-in";
import { createKey } from "@/lib/domain/keys/create-key";
import { revokeKey, revokeKeyAsOperator } from "@/lib/domain/keys/revoke-key";
import { rotateKey } from "@/lib/domain/keys/rotate-key";
import { type Actor, findPrincipalByEmail, type Principal } from "@/lib/domain/principal";
import { createSecret } from "@/lib/domain/secrets/create-secret";
import { deleteSecret } from "@/lib/domain/secrets/delete-secret";
import { updateSecret } from "@/lib/domain/secrets/update-secret";
import { endSessions } from "@/lib/domain/sessions/end-sessions";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { newAgent } from "@/lib/domain/test/new-agent";
import { rotateSigningSecret, showSigningSecret } from "@/lib/domain/webhooks/signing-secret";
import type { AuditAction } from "@/lib/model/audit";
import { newId } from "@/lib/platform/ids";

let database: DomainDatabase;
beforeAll(async () => {
  database = await openDomainDatabase({
    env: {
      ENCRYPTION_KEYS: JSON.stringify([{ id: "k1", key: Buffer.alloc(32, 7).toString("base64") }]),
    },
  });
});
afterAll(() => database.close());

const ORIGIN = { address: "2001:db8::7", userAgent: "Browser/1" };
const change = (current: string, next: string) => ({ current, next, revokeKeys: false });
const EVERYTHING = { action: null, after: null, before: null };
const ALL = { limit: 100, cursor: null };

/** A signed-in owner, with a password where one is given. */
async function signedIn(password: string | null = null): Promise<Principal & { email: string }> {
  const email = `${newId()}@example.test`;
  const { accountId, userId } = await createAccount({ email, password });
  const actor: Actor = { kind: "user", id: userId, label: email, ...ORIGIN };
  const rights = {
    agentId: null,
    isAdmin: false,
    blocked: false,
    superAgentAccess: false,
    writePerHour: null,
  };
  return { accountId, userId, via: "session", ...rights, actor, email };
}

async function asAdmin(): Promise<Principal> {
  const owner = await signedIn();
  return { ...owner, isAdmin: true };
}

/** The account's events as the table has them, oldest first, without the account's creation. */
async function events(accountId: string): Promise<AuditEvent[]> {
  const { data } = await listAllAuditEvents(await asAdmin(), ALL, { ...EVERYTHING, accountId });
  return data.toReversed().filter(({ action }) => action !== "account.created");
}
const facts = async (accountId: string) =>
  (await events(accountId)).map(({ action, objectLabel, changes }) => [
    action,
    objectLabel,
    changes,
  ]);

test("keys made, rotated and revoked are recorded by name, last four, who and where", async () => {
  const owner = await signedIn();
  const key = await createKey(owner, { name: "CI", agentId: null, expiresAt: null });
  const next = await rotateKey(owner, key.id, 30);
  await revokeKey(owner, next.id);
  await revokeKey(owner, next.id);
  const recorded = await events(owner.accountId);
  expect(
    recorded.map(({ action, objectId, objectLabel }) => [action, objectId, objectLabel]),
  ).toEqual([
    ["key.created", key.id, `CI …${key.lastFour}`],
    ["key.created", next.id, `CI …${next.lastFour}`],
    ["key.rotated", key.id, `CI …${key.lastFour}`],
    ["key.revoked", next.id, `CI …${next.lastFour}`],
  ]);
  for (const event of recorded) {
    expect(event).toMatchObject({
      actorKind: "user",
      actorId: owner.userId,
      actorLabel: owner.email,
      ...ORIGIN,
    });
  }
  expect(recorded[2]?.changes).toEqual({ successor: `…${next.lastFour}`, overlap_minutes: 30 });
});

test("archiving an agent records each ended app key; an operator's is their own", async () => {
  const owner = await signedIn();
  const agent = await newAgent(owner);
  const keys = [];
  for (const name of ["one", "two"])
    keys.push(await createKey(owner, { name, agentId: agent.id, expiresAt: null }));
  await revokeKeyAsOperator(keys[0]?.id ?? "");
  await archiveAgent(owner, agent.id);
  const revoked = (await events(owner.accountId)).filter(({ action }) => action === "key.revoked");
  expect(revoked.map(({ objectId, actorKind }) => [objectId, actorKind])).toEqual([
    [keys[0]?.id, "operator"],
    [keys[1]?.id, "user"],
  ]);
});

test("secrets are recorded by name and hosts, and a refused change is not", async () => {
  const owner = await signedIn();
  await createSecret(owner, {
    name: "CRM_KEY",
    value: "v1",
    description: null,
    allowedHosts: ["a.example"],
  });
  await updateSecret(owner, "CRM_KEY", { value: "v2", allowedHosts: ["b.example"] });
  await expect(
    updateSecret({ ...owner, writePerHour: 0 }, "CRM_KEY", { value: "v3" }),
  ).rejects.toMatchObject({ code: "RATE_LIMITED" });
  await deleteSecret(owner, "CRM_KEY");
  expect(await facts(owner.accountId)).toEqual([
    ["secret.created", "CRM_KEY", { allowed_hosts: ["a.example"] }],
    [
      "secret.updated",
      "CRM_KEY",
      { value: "replaced", allowed_hosts: { from: ["a.example"], to: ["b.example"] } },
    ],
    ["secret.deleted", "CRM_KEY", {}],
  ]);
});

test("showing the webhook secret is recorded once by asker, its rotation always", async () => {
  const owner = await signedIn();
  for (let count = 0; count < 3; count++) await showSigningSecret(owner);
  await rotateSigningSecret(owner, 5);
  await rotateSigningSecret(owner, 0);
  expect((await facts(owner.accountId)).map(([action, , changes]) => [action, changes])).toEqual([
    ["webhook_secret.shown", {}],
    ["webhook_secret.rotated", { overlap_minutes: 5 }],
    ["webhook_secret.rotated", { overlap_minutes: 0 }],
  ]);
});

test("each change of an account by an operator is an event; no change is none", async () => {
  const { accountId, email } = await signedIn();
  const operator = await findPrincipalByEmail(email);
  await updateAccount(operator, {
    isAdmin: true,
    superAgentAccess: true,
    blocked: true,
    addCredits: 2.5,
    writePerHour: 7,
    name: "Crew",
    password: "a new password",
  });
  await updateAccount(operator, {
    isAdmin: true,
    superAgentAccess: true,
    blocked: true,
    writePerHour: 7,
    name: "Crew",
  });
  await updateAccount(operator, {
    isAdmin: false,
    superAgentAccess: false,
    blocked: false,
    credits: 10,
  });
  const recorded = await events(accountId);
  expect(recorded.map(({ action, changes }) => [action, changes])).toEqual([
    ["account.renamed", { name: { from: email.split("@")[0], to: "Crew" } }],
    ["account.blocked", {}],
    ["admin.granted", {}],
    ["super_agent.allowed", {}],
    ["password.reset", {}],
    ["credits.added", { available: { from: 1000, to: 1002.5 } }],
    ["account.limits_changed", { write_per_hour: { from: null, to: 7 } }],
    ["account.unblocked", {}],
    ["admin.removed", {}],
    ["super_agent.denied", {}],
    ["credits.set", { available: { from: 1002.5, to: 10 } }],
  ] satisfies [AuditAction, object][]);
  for (const event of recorded)
    expect(event).toMatchObject({
      actorKind: "operator",
      actorLabel: expect.stringContaining("@"),
      objectLabel: email,
    });
});

test("an admin's act is in the account's log: the owner reads what, admins who", async () => {
  const [admin, owner] = [await asAdmin(), await signedIn()];
  await administerAccount(admin, owner.accountId, { superAgentAccess: true });
  expect((await listAuditEvents(owner, ALL, EVERYTHING)).data[0]).toMatchObject({
    action: "super_agent.allowed",
    actorKind: "admin",
    actorId: null,
    actorLabel: null,
    address: null,
    userAgent: null,
  });
  expect((await events(owner.accountId)).at(-1)).toMatchObject({
    actorId: admin.userId,
    actorLabel: admin.actor?.label,
    ...ORIGIN,
  });
  expect((await listAuditEvents(admin, ALL, EVERYTHING)).data.map(({ action }) => action)).toEqual([
    "account.created",
  ]);
});

test("a password change and the end of all sessions are recorded", async () => {
  const owner = await signedIn("the old password");
  await expect(
    changePassword(owner, change("wrong", "the new password"), newId()),
  ).rejects.toMatchObject({ code: "INVALID_INPUT" });
  await changePassword(owner, change("the old password", "the new password"), newId());
  await endSessions(owner);
  expect((await facts(owner.accountId)).map(([action]) => action)).toEqual([
    "password.changed",
    "session.all_ended",
  ]);
});

test("sign-ins are in their owner's log; nobody's keeps no text but an address", async () => {
  const owner = await signedIn("the right password");
  expect((await verifySignIn(owner.email, "the right password", "192.0.2.1")).outcome).toBe(
    "signed-in",
  );
  await recordSignIn("sign_in.succeeded", { email: owner.email.toUpperCase() }, ORIGIN);
  await recordSignIn("sign_in.failed", { email: owner.email }, ORIGIN);
  for (let count = 0; count < 5; count++)
    await recordSignIn("sign_in.locked", { email: owner.email }, ORIGIN);
  await recordSignIn("session.signed_out", { userId: owner.userId ?? "" }, ORIGIN);
  const recorded = await events(owner.accountId);
  expect(
    recorded.map(({ action, actorKind, actorId, actorLabel }) => [
      action,
      actorKind,
      actorId,
      actorLabel,
    ]),
  ).toEqual([
    ["sign_in.succeeded", "user", owner.userId, owner.email],
    ["sign_in.failed", "anonymous", null, owner.email],
    ["sign_in.locked", "anonymous", null, owner.email],
    ["session.signed_out", "user", owner.userId, owner.email],
  ]);
  await recordSignIn("sign_in.failed", { email: "my secret p@ssword" }, ORIGIN);
  await recordSignIn("sign_in.failed", { email: "Nobody@Example.test" }, ORIGIN);
  const { rows } = await database.pool.query(
    `SELECT actor_label, object_label, address FROM audit_events WHERE account_id IS NULL
     ORDER BY id`,
  );
  expect(rows).toEqual([
    { actor_label: null, object_label: null, address: ORIGIN.address },
    {
      actor_label: "nobody@example.test",
      object_label: "nobody@example.test",
      address: ORIGIN.address,
    },
  ]);
});

test("a change of an agent's reach is recorded, before and after; others are not", async () => {
  const owner = await signedIn();
  const agent = await newAgent(owner);
  await updateAgent(owner, agent.id, { name: "Renamed", skillContent: "Do more." });
  await updateAgent(owner, agent.id, { writeAutonomy: "full_auto" });
  const http = [
    {
      name: "send",
      method: "POST",
      url: "https://api.example/hook?token=in-the-url",
      auth_secret: "CRM_KEY",
    },
  ];
  await updateAgent(owner, agent.id, {
    config: { version: 1, tools: { builtin: ["todo"], http }, permissions: { ask: ["send"] } },
  });
  expect(await facts(owner.accountId)).toEqual([
    [
      "agent.autonomy_changed",
      "Renamed",
      { write_autonomy: { from: agent.writeAutonomy, to: "full_auto" } },
    ],
    [
      "agent.permissions_changed",
      "Renamed",
      {
        ask: { from: [], to: ["send"] },
        tools: { from: expect.arrayContaining(["web_fetch", "todo"]), to: ["todo"] },
        connectors: { from: [], to: ["send: POST api.example with CRM_KEY"] },
      },
    ],
  ]);
});

test("no value of a secret, no password and no whole key is anywhere in the log", async () => {
  const owner = await signedIn("the-old-password");
  const key = await createKey(owner, { name: "K", agentId: null, expiresAt: null });
  const next = await rotateKey(owner, key.id, 0);
  await createSecret(owner, {
    name: "S",
    value: "first-secret-value",
    description: null,
    allowedHosts: [],
  });
  await updateSecret(owner, "S", { value: "second-secret-value" });
  const [one, two] = [await showSigningSecret(owner), await rotateSigningSecret(owner, 5)];
  await changePassword(owner, change("the-old-password", "the-new-password"), newId());
  await updateAccount(await findPrincipalByEmail(owner.email), { password: "the-reset-password" });
  const { rows } = await database.pool.query<{ log: string }>(
    "SELECT string_agg(to_jsonb(e)::text, '') AS log FROM audit_events e",
  );
  const secrets = [
    key.apiKey,
    next.apiKey,
    one.secret,
    two.secret,
    "first-secret-value",
    "second-secret-value",
  ];
  for (const secret of [...secrets, "the-old-password", "the-new-password", "the-reset-password"]) {
    for (let start = 0; start + 10 <= secret.length; start += 5)
      expect(rows[0]?.log).not.toContain(secret.slice(start, start + 10));
  }
});

test("owners read their own log alone, by act, time and page; admins all of it", async () => {
  const [owner, stranger] = [await signedIn(), await signedIn()];
  for (const name of ["A", "B", "C"])
    await createKey(owner, { name, agentId: null, expiresAt: null });
  await endSessions(owner);
  await createKey(stranger, { name: "theirs", agentId: null, expiresAt: null });
  const names: (string | null)[] = [];
  for (let cursor: string | null = null, more = true; more; more = cursor !== null) {
    const page = await listAuditEvents(
      owner,
      { limit: 2, cursor },
      { ...EVERYTHING, action: "key.created" },
    );
    names.push(...page.data.map(({ objectLabel }) => objectLabel));
    cursor = page.nextCursor;
  }
  expect(names.map((name) => name?.slice(0, 1))).toEqual(["C", "B", "A"]);
  const [newest] = (await listAuditEvents(owner, ALL, EVERYTHING)).data;
  const at = newest?.createdAt.getTime() ?? 0;
  expect(newest?.action).toBe("session.all_ended");
  const between = async (after: number, before: number) =>
    (
      await listAuditEvents(owner, ALL, {
        action: "session.all_ended",
        after: new Date(after),
        before: new Date(before),
      })
    ).data.length;
  expect([
    await between(at, at + 1),
    await between(at + 1, at + 2),
    await between(at - 1, at),
  ]).toEqual([1, 0, 0]);
  await expect(
    listAllAuditEvents(owner, ALL, { ...EVERYTHING, accountId: null }),
  ).rejects.toMatchObject({ code: "NOT_FOUND" });
  const all = await listAllAuditEvents(await asAdmin(), ALL, {
    ...EVERYTHING,
    action: "key.created",
    accountId: null,
  });
  expect(all.data[0]).toMatchObject({
    accountId: stranger.accountId,
    accountEmail: stranger.email,
  });
});
