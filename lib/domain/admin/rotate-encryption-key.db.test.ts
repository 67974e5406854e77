import { mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterAll, beforeEach, expect, test } from "vitest";
import {
  makeKey,
  resealValues,
  rotateEncryptionKey,
} from "@/lib/domain/admin/rotate-encryption-key";
import { connectionScope } from "@/lib/domain/connections/connection-store";
import type { Actor, Principal } from "@/lib/domain/principal";
import { createSecret } from "@/lib/domain/secrets/create-secret";
import {
  keyRing,
  sealingRing,
  TOTP_SCOPE,
  WEBHOOK_SECRET_SCOPE,
} from "@/lib/domain/secrets/key-ring";
import { updateSecret } from "@/lib/domain/secrets/update-secret";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { readSigningSecret, rotateSigningSecret } from "@/lib/domain/webhooks/signing-secret";
import { type KeyRing, parseKeyRing, readRingFile } from "@/lib/platform/crypto/key-ring";
import { openSealed, seal } from "@/lib/platform/crypto/seal";
import { newId } from "@/lib/platform/ids";

const path = `${mkdtempSync(`${tmpdir()}/ring-`)}/secrets.json`;

const OPERATOR: Actor = {
  kind: "operator",
  id: null,
  label: "root@host",
  address: null,
  userAgent: null,
};
const FIRST = { id: "first", key: Buffer.alloc(32, 1).toString("base64") };
let database: DomainDatabase;
let owner: Principal;

const ringInFile = (): KeyRing =>
  parseKeyRing(JSON.stringify(JSON.parse(readFileSync(path, "utf8")).ENCRYPTION_KEYS));
const writeRing = (...keys: (typeof FIRST)[]) =>
  writeFileSync(
    path,
    JSON.stringify({ NEXTAUTH_SECRET: "stays", SIGNING_SECRET: "stays", ENCRYPTION_KEYS: keys }),
    { mode: 0o640 },
  );
const newSecret = (name: string, value: string) => ({
  name,
  value,
  description: null,
  allowedHosts: ["a.example"],
});

beforeEach(async () => {
  await database?.close();
  writeRing(FIRST);
  database = await openDomainDatabase({ env: { ENCRYPTION_KEYS_FILE: path } });
  owner = await database.account();
  await createSecret(owner, newSecret("A", "value of A"));
  await createSecret(owner, newSecret("B", "value of B"));
});
afterAll(() => database.close());

/**
 * Every stored value, opened by the ring that is given, or that is asked for after they were read:
 * names and values of secrets, then the signing secrets.
 */
async function opened(given: KeyRing | (() => KeyRing)): Promise<string[]> {
  const secrets = await database.pool.query(
    "SELECT account_id, name, sealed FROM secrets ORDER BY name",
  );
  const signing = await database.pool.query(
    "SELECT account_id, $1 AS name, sealed FROM webhook_secrets ORDER BY id",
    [WEBHOOK_SECRET_SCOPE],
  );
  const connections = await database.pool.query(
    `SELECT account_id, 'mcp-connection:' || server_url AS name, sealed FROM mcp_connections
     ORDER BY id`,
  );
  const apps = await database.pool.query(
    "SELECT account_id, $1 AS name, sealed FROM totp_factors ORDER BY id",
    [TOTP_SCOPE],
  );
  const ring = typeof given === "function" ? given() : given;
  return [...secrets.rows, ...signing.rows, ...connections.rows, ...apps.rows].map(
    ({ account_id, name, sealed }) =>
      `${name}=${openSealed(ring, sealed, { accountId: account_id, name })}`,
  );
}

test("one command makes a key and seals all anew: the fresh key alone opens it", async () => {
  const before = await readSigningSecret(owner);
  const after = await rotateSigningSecret(owner, 60);
  const sealed = seal(
    keyRing(),
    "tokens",
    connectionScope(owner.accountId, "https://mcp.example.com/"),
  );
  await database.pool.query(
    `INSERT INTO mcp_connections (id, account_id, server_url, scopes, sealed)
     VALUES ($1, $2, 'https://mcp.example.com/', '{}', $3)`,
    [newId(), owner.accountId, sealed],
  );
  const app = seal(keyRing(), "of the app", { accountId: owner.accountId, name: TOTP_SCOPE });
  await database.pool.query(
    "INSERT INTO totp_factors (id, account_id, user_id, sealed) VALUES ($1, $2, $3, $4)",
    [newId(), owner.accountId, owner.userId, app],
  );
  const old = ringInFile();
  const rotated = await rotateEncryptionKey(OPERATOR);
  const fresh = ringInFile();
  expect(rotated).toEqual({
    key_id: fresh.currentId,
    secrets: 2,
    webhook_secrets: 2,
    connections: 1,
    second_factors: 1,
    retired: ["first"],
    unreadable: 0,
  });
  expect([...fresh.keys.keys()]).toEqual([fresh.currentId]);
  expect(await opened(fresh)).toEqual([
    "A=value of A",
    "B=value of B",
    `webhook-signing=${before.secret}`,
    `webhook-signing=${after.secret}`,
    "mcp-connection:https://mcp.example.com/=tokens",
    "totp=of the app",
  ]);
  await expect(opened(old)).rejects.toThrow("cannot be opened");
  expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({
    NEXTAUTH_SECRET: "stays",
    SIGNING_SECRET: "stays",
  });
  expect(statSync(path).mode & 0o777).toBe(0o640);
});

test("each rotation makes its own key, and says so in the audit log without the key", async () => {
  const [one, two] = [await rotateEncryptionKey(OPERATOR), await rotateEncryptionKey(OPERATOR)];
  expect(two.key_id).not.toBe(one.key_id);
  expect(two.retired).toEqual([one.key_id]);
  const { rows } = await database.pool.query(
    "SELECT * FROM audit_events WHERE action = 'key_ring.rotated' ORDER BY id",
  );
  expect(
    rows.map(({ account_id, actor_kind, actor_label, changes }) => ({
      account_id,
      actor_kind,
      actor_label,
      changes,
    })),
  ).toEqual([
    {
      account_id: null,
      actor_kind: "operator",
      actor_label: "root@host",
      changes: { key_id: one.key_id, retired: ["first"] },
    },
    {
      account_id: null,
      actor_kind: "operator",
      actor_label: "root@host",
      changes: { key_id: two.key_id, retired: [one.key_id] },
    },
  ]);
  const keys = readRingFile(path).entries.map(({ key }) => key);
  for (const key of [FIRST.key, ...keys]) expect(JSON.stringify(rows)).not.toContain(key);
});

test.each([
  ["the fresh key was kept", async () => {}],
  [
    "some values were sealed anew",
    async () => {
      const { rows } = await database.pool.query(
        "SELECT id, account_id, name, sealed FROM secrets WHERE name = 'A'",
      );
      const scope = { accountId: rows[0].account_id, name: "A" };
      const sealed = seal(keyRing(), openSealed(keyRing(), rows[0].sealed, scope), scope);
      await database.pool.query("UPDATE secrets SET sealed = $2 WHERE id = $1", [
        rows[0].id,
        sealed,
      ]);
    },
  ],
  ["every value was sealed anew", async () => void (await resealValues())],
])(
  "killed when %s, everything opens, and running it again finishes with the key that was made",
  async (_, more) => {
    const made = await makeKey(path);
    await more();
    const values = ["A=value of A", "B=value of B"];
    expect(await opened(ringInFile())).toEqual(values);
    expect(await rotateEncryptionKey(OPERATOR)).toMatchObject({ key_id: made, retired: ["first"] });
    expect(await opened(ringInFile())).toEqual(values);
    expect([...ringInFile().keys.keys()]).toEqual([made]);
  },
);

test("a value being stored as the key changes is waited for, and sealed freshly", async () => {
  const writer = await database.pool.connect();
  await writer.query("BEGIN");
  const scope = { accountId: owner.accountId, name: "LATE" };
  const sealed = seal(await sealingRing(writer), "value of LATE", scope);
  await writer.query(
    `INSERT INTO secrets (id, account_id, name, allowed_hosts, sealed, updated_at)
     VALUES ($1, $2, 'LATE', '{}', $3, now())`,
    [newId(), owner.accountId, sealed],
  );
  const rotation = rotateEncryptionKey(OPERATOR);
  await expect
    .poll(
      async () => (await database.pool.query("SELECT 1 FROM pg_locks WHERE NOT granted")).rowCount,
    )
    .toBe(1);
  await writer.query("COMMIT");
  writer.release();
  await rotation;
  expect(await opened(ringInFile())).toContain("LATE=value of LATE");
});

test("writes and reads go on during rotations, and the last key alone opens it all", async () => {
  const state = { rotating: true, writes: 0 };
  const writes = async (name: string) => {
    for (; state.rotating || state.writes < 4; state.writes++) {
      await updateSecret(owner, name, { value: `value of ${name}, ${state.writes}` });
      await rotateSigningSecret(owner, 0);
      await opened(keyRing);
    }
  };
  const rotations = async () => {
    try {
      for (let count = 0; count < 4; count++) await rotateEncryptionKey(OPERATOR);
    } finally {
      state.rotating = false;
    }
  };
  await Promise.all([writes("A"), writes("B"), rotations()]);
  expect((await opened(ringInFile())).slice(0, 2)).toEqual([
    expect.stringMatching(/^A=value of A, /),
    expect.stringMatching(/^B=value of B, /),
  ]);
});

test("two rotations at once leave one key, which opens everything", async () => {
  await Promise.all([rotateEncryptionKey(OPERATOR), rotateEncryptionKey(OPERATOR)]);
  expect(ringInFile().keys.size).toBe(1);
  expect(await opened(ringInFile())).toEqual(["A=value of A", "B=value of B"]);
});

test("a process with the old ring takes up the fresh key, and opens what it had read", async () => {
  const before = keyRing();
  const { rows } = await database.pool.query("SELECT sealed FROM secrets WHERE name = 'A'");
  // As another process does it: nothing in this one is told.
  const second = { id: "second", key: Buffer.alloc(32, 2).toString("base64") };
  writeRing(second, FIRST);
  expect(before.currentId).toBe("first");
  expect(keyRing().currentId).toBe("second");
  writeRing(second);
  expect(openSealed(keyRing(), rows[0].sealed, { accountId: owner.accountId, name: "A" })).toBe(
    "value of A",
  );
});

test("a value that does not open keeps its key, is named, and holds nothing else up", async () => {
  await database.pool.query(
    "UPDATE secrets SET sealed = regexp_replace(sealed, '.{4}$', 'AAAA') WHERE name = 'A'",
  );
  await expect(rotateEncryptionKey(OPERATOR)).rejects.toMatchObject({
    code: "CONFLICT",
    message: expect.stringContaining(`A of account ${owner.accountId}`),
  });
  expect([...ringInFile().keys.keys()]).toEqual([ringInFile().currentId, "first"]);
  await database.pool.query("DELETE FROM secrets WHERE name = 'A'");
  expect(await rotateEncryptionKey(OPERATOR)).toMatchObject({
    key_id: ringInFile().currentId,
    retired: ["first"],
  });
  expect(await opened(ringInFile())).toEqual(["B=value of B"]);
});

test("a value whose key was lost long ago is counted and left as it is", async () => {
  const [scope, lost] = [
    { accountId: owner.accountId, name: "A" },
    parseKeyRing(JSON.stringify([{ id: "lost", key: FIRST.key }])),
  ];
  await database.pool.query("UPDATE secrets SET sealed = $1 WHERE name = 'A'", [
    seal(lost, "gone", scope),
  ]);
  expect(await rotateEncryptionKey(OPERATOR)).toMatchObject({
    secrets: 1,
    unreadable: 1,
    retired: ["first"],
  });
});
