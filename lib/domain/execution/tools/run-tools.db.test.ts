import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { connectorPort, runTools, skillPort } from "@/lib/domain/execution/tools/run-tools";
import type { Principal } from "@/lib/domain/principal";
import { loadRun } from "@/lib/domain/run-steps";
import { createSecret } from "@/lib/domain/secrets/create-secret";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { newId } from "@/lib/platform/ids";

const settings = {
  ENCRYPTION_KEYS: JSON.stringify([{ id: "k1", key: Buffer.alloc(32, 1).toString("base64") }]),
  LOG_LEVEL: "silent",
};

let database: DomainDatabase;
let owner: Principal;
let other: Principal;

beforeAll(async () => {
  database = await openDomainDatabase({ env: settings });
});
beforeEach(async () => {
  owner = await database.account();
  other = await database.account();
});
afterAll(() => database.close());

test("a run reads its account's enabled skills and the built-in ones, no others", async () => {
  const insert = (account: Principal, name: string, enabled: boolean, content: string) =>
    database.pool.query(
      `INSERT INTO skills (id, account_id, name, description, content, enabled, updated_at)
       VALUES ($1, $2, $3, '', $4, $5, now())`,
      [newId(), account.accountId, name, content, enabled],
    );
  await insert(owner, "on", true, "Mine.");
  await insert(owner, "off", false, "Mine, too.");
  await insert(other, "on", true, "Theirs.");
  await insert(other, "theirs", true, "Theirs.");
  const port = skillPort(owner.accountId);
  expect(await port.find("on")).toEqual({ content: "Mine.", files: [] });
  expect([await port.find("off"), await port.find("theirs"), await port.find("ON")]).toEqual([
    null,
    null,
    null,
  ]);
});

test("where a config names skills, only those are read, as are the files beside them", async () => {
  for (const name of ["a", "b"]) {
    const id = newId();
    await database.pool.query(
      `INSERT INTO skills (id, account_id, name, description, content, enabled, updated_at)
       VALUES ($1, $2, $3, '', $3, true, now())`,
      [id, owner.accountId, name],
    );
    await database.pool.query(
      "INSERT INTO skill_files (skill_id, path, bytes) VALUES ($1, 'x.py', $2)",
      [id, Buffer.from(name)],
    );
  }
  const read = async (names: string[] | null) => {
    const port = skillPort(owner.accountId, names);
    const told = [];
    for (const name of ["a", "b"])
      told.push([
        (await port.find(name))?.files,
        (await port.readFile(name, "x.py"))?.bytes?.toString(),
      ]);
    return told;
  };
  const none = [undefined, undefined];
  expect(await read(["a"])).toEqual([[["x.py"], "a"], none]);
  expect(await read([])).toEqual([none, none]);
  expect(await read(null)).toEqual([
    [["x.py"], "a"],
    [["x.py"], "b"],
  ]);
  // One that is too large is not read first.
  const port = skillPort(owner.accountId);
  expect(await port.readFile("a", "x.py", 0)).toEqual({ sizeBytes: 1, bytes: null });
});

test("a secret is opened for its account and hosts alone, and only then noted", async () => {
  const secret = (account: Principal, value: string) =>
    createSecret(account, {
      name: "KEY",
      value,
      description: null,
      allowedHosts: ["api.example.com"],
    });
  await secret(other, "their-secret-value");
  const url = new URL("https://api.example.com/in");
  const open = (to = url) =>
    connectorPort({ accountId: owner.accountId, endUser: null }).openSecret("KEY", to, to.href);
  await expect(open()).rejects.toThrow(
    "The account has no secret named KEY. Its owner can add one.",
  );
  await secret(owner, "my-secret-value");
  const used = async () =>
    (
      await database.pool.query("SELECT account_id FROM secrets WHERE last_used_at IS NOT NULL")
    ).rows.map(({ account_id }) => account_id);
  await expect(open(new URL("https://far.example.com/in"))).rejects.toThrow(
    /^The secret KEY may not be sent to https:\/\/far\.example\.com: .*Nothing was sent\.$/,
  );
  expect(await used()).toEqual([]);
  expect(await open()).toBe("my-secret-value");
  expect(await used()).toEqual([owner.accountId]);
});

test("a port outlives its run, of which it keeps only for whom it was", async () => {
  const secret = { name: "KEY", description: null, allowedHosts: ["api.example.com"] };
  await createSecret(owner, { ...secret, value: "my-secret-value" });
  const run = Proxy.revocable({ accountId: owner.accountId, endUser: null }, {});
  const port = connectorPort(run.proxy);
  // Whoever reads anything of the run from now on fails.
  run.revoke();
  const url = new URL("https://api.example.com/in");
  expect(await port.openSecret("KEY", url, url.href)).toBe("my-secret-value");
  await expect(port.accessToken("https://mcp.example.com/", null)).rejects.toThrow(/sign/);
});

test("hosts a person named earlier may be fetched from; those of answers not", async () => {
  const conversation = newId();
  const { pool } = database;
  await pool.query(
    `INSERT INTO conversations (id, account_id, family, updated_at)
     VALUES ($1, $2, 'agent', now())`,
    [conversation, owner.accountId],
  );
  const workspace = newId();
  await pool.query(
    "INSERT INTO workspaces (id, account_id, name, updated_at) VALUES ($1, $2, 'Books', now())",
    [workspace, owner.accountId],
  );
  let time = Date.now();
  const start = async (
    request: string,
    { account = owner, origin = "key", role = "user" } = {},
  ) => {
    time += 1;
    const id = newId(time);
    await pool.query(
      `INSERT INTO runs (id, account_id, kind, status, input, model, conversation_id, workspace_id,
         origin) VALUES ($1, $2, 'agent', 'completed', '{}', 'm', $3, $4, $5)`,
      [id, account.accountId, conversation, workspace, origin],
    );
    await pool.query(
      "INSERT INTO messages (id, conversation_id, run_id, role, text) VALUES ($1, $2, $3, $4, $5)",
      [newId(time), conversation, id, role, request],
    );
    return id;
  };
  await start("Read asked.example.com.");
  await start("Read answered.example.com.", { role: "assistant" });
  await start("Read agents.example.com.", { origin: "agent" });
  await start("Read theirs.example.com.", { account: other });
  const run = await loadRun(await start("Go on."));
  await start("Read later.example.com.");
  const tool = (await runTools(run, new AbortController().signal)).find(
    ({ name }) => name === "web_fetch",
  );
  const asks = async (host: string) =>
    (await tool?.reasonToAsk?.({ url: `https://${host}.example.com/` })) != null;
  const hosts = ["asked", "answered", "agents", "theirs", "later"];
  expect(await Promise.all(hosts.map(asks))).toEqual([false, true, true, true, true]);
});
