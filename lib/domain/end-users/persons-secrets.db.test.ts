import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { requestErasure } from "@/lib/domain/deletion/request-erasure";
import { secretRedactor } from "@/lib/domain/execution/run/secret-redactor";
import { listServers } from "@/lib/domain/execution/tools/list-servers";
import { connectorPort } from "@/lib/domain/execution/tools/run-tools";
import type { Principal } from "@/lib/domain/principal";
import { loadRun } from "@/lib/domain/run-steps";
import { createSecret } from "@/lib/domain/secrets/create-secret";
import { deleteSecret } from "@/lib/domain/secrets/delete-secret";
import { listSecrets } from "@/lib/domain/secrets/list-secrets";
import { getSecret } from "@/lib/domain/secrets/secret-view";
import { updateSecret } from "@/lib/domain/secrets/update-secret";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { startTestRun } from "@/lib/domain/test/start-test-run";
import {
  END_USER_SECRETS_MAX,
  END_USER_SECRETS_MAX_BYTES,
  SECRET_VALUE_MAX_BYTES,
} from "@/lib/model/secret/allowed-host";

const settings = {
  ENCRYPTION_KEYS: JSON.stringify([{ id: "k1", key: Buffer.alloc(32, 1).toString("base64") }]),
  LOG_LEVEL: "silent",
};
const ADA = "ada";
const BOB = "bob";
const EVERYBODY = [null, ADA, BOB] as const;

let database: DomainDatabase;
let owner: Principal;
let server: Server;
let url: string;
/** What the server was sent as the bearer, request by request. */
let sent: (string | undefined)[];

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer); // of a request without encoding
    const { id, method } = JSON.parse(Buffer.concat(parts).toString() || "{}");
    sent.push(request.headers.authorization);
    if (id === undefined) return response.writeHead(202).end();
    const result =
      method === "initialize"
        ? {
            protocolVersion: "2025-06-18",
            capabilities: {},
            serverInfo: { name: "s", version: "1" },
          }
        : method === "tools/list"
          ? { tools: [{ name: "who", inputSchema: { type: "object" } }] }
          : { content: [{ type: "text", text: "done" }] };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`; // a TCP server's
  database = await openDomainDatabase({ env: { ...settings, EGRESS_ALLOW: new URL(url).host } });
});
beforeEach(async () => {
  owner = await database.account();
  sent = [];
});
afterAll(async () => {
  await database.close();
  server.close();
});

const secretOf = (endUser: string | null, value: string, name = "KEY") =>
  createSecret(owner, {
    ...{ name, endUser, value },
    description: null,
    allowedHosts: ["api.example.com", new URL(url).host],
  });
const target = new URL("https://api.example.com/in");
const open = (endUser: string | null, name = "KEY", who = owner) =>
  connectorPort({ accountId: who.accountId, endUser }).openSecret(name, target, target.href);
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "none",
    (error: { code?: string }) => String(error.code ?? error),
  );

test("a person's secret precedes the account's in their runs, and no other's", async () => {
  const stranger = await database.account();
  await secretOf(ADA, "value-of-ada");
  expect(await open(ADA)).toBe("value-of-ada");
  for (const endUser of [null, BOB, `${ADA}\n`, "ADA", ""])
    await expect(open(endUser)).rejects.toThrow("has no secret named KEY");
  await expect(open(ADA, "KEY", stranger)).rejects.toThrow("has no secret named KEY");
  await secretOf(null, "value-of-all");
  await secretOf(BOB, "value-of-bob");
  expect(await Promise.all(EVERYBODY.map((endUser) => open(endUser)))).toEqual([
    "value-of-all",
    "value-of-ada",
    "value-of-bob",
  ]);
  // A name with whose it is in it is no way to another's.
  await expect(open(null, `KEY\n${ADA}`)).rejects.toThrow("has no secret named");
  await deleteSecret(owner, "KEY", ADA);
  expect(await open(ADA)).toBe("value-of-all");
  expect(await open(BOB)).toBe("value-of-bob");
});

test("a person's own that its hosts hold back is not sent, nor the account's", async () => {
  await secretOf(null, "value-of-all");
  await createSecret(owner, {
    ...{ name: "KEY", endUser: ADA, value: "value-of-ada", description: null },
    allowedHosts: ["elsewhere.example.com"],
  });
  await expect(open(ADA)).rejects.toThrow("may not be sent");
  expect(await open(BOB)).toBe("value-of-all");
  await database.pool.query(
    `UPDATE secrets SET sealed = (SELECT s.sealed FROM secrets s WHERE s.account_id = $1
         AND s.end_user IS NULL), allowed_hosts = '{api.example.com}' WHERE account_id = $1
       AND end_user = $2`,
    [owner.accountId, ADA],
  );
  // Sealed for the account, it opens in nobody's row.
  await expect(open(ADA)).rejects.toThrow("cannot be opened");
});

test("each is listed, read, changed and deleted by owner, the account's alone", async () => {
  await secretOf(null, "all");
  await secretOf(ADA, "ada");
  await secretOf(ADA, "ada", "OTHER");
  const names = async (endUser: string | null) =>
    (await listSecrets(owner, { limit: 10, cursor: null }, endUser)).data.map(({ name }) => name);
  expect(await names(null)).toEqual(["KEY"]);
  expect(await names(ADA)).toEqual(["OTHER", "KEY"]);
  expect(await names(BOB)).toEqual([]);
  expect(await getSecret(owner, "KEY", ADA)).toMatchObject({ name: "KEY", endUser: ADA });
  expect(await getSecret(owner, "KEY")).toMatchObject({ name: "KEY", endUser: null });
  expect(await codeOf(getSecret(owner, "OTHER"))).toBe("SECRET_NOT_FOUND");
  expect(await codeOf(updateSecret(owner, "KEY", { value: "x" }, BOB))).toBe("SECRET_NOT_FOUND");
  expect(await codeOf(secretOf(ADA, "again"))).toBe("CONFLICT");
  await updateSecret(owner, "KEY", { value: "ada, changed" }, ADA);
  expect([await open(null), await open(ADA)]).toEqual(["all", "ada, changed"]);
  await deleteSecret(owner, "KEY");
  expect(await codeOf(getSecret(owner, "KEY"))).toBe("SECRET_NOT_FOUND");
  expect(await open(ADA)).toBe("ada, changed");
  const { rows } = await database.pool.query<{ line: string }>(
    "SELECT row_to_json(a)::text AS line FROM audit_events a WHERE account_id = $1",
    [owner.accountId],
  );
  // The log outlives people: it has their row's id in place of their name.
  expect(rows.filter(({ line }) => line.includes('"end_user_id"'))).toHaveLength(3);
  expect(rows.filter(({ line }) => line.includes(`"${ADA}"`))).toEqual([]);
});

test("a run is searched for its account's and its person's values, and nobody else's", async () => {
  await secretOf(null, "value-of-all");
  await secretOf(ADA, "value-of-ada");
  await secretOf(BOB, "value-of-bob");
  const text = "value-of-all value-of-ada value-of-bob";
  const seen = await Promise.all(
    EVERYBODY.map(async (endUser) => {
      const { id } = await startTestRun(owner, { endUser });
      const { surroundings } = await loadRun(id);
      expect(surroundings.endUser).toBe(endUser);
      return (await secretRedactor(owner.accountId, surroundings.secrets)).results.redact(text);
    }),
  );
  expect(seen).toEqual([
    "[redacted] value-of-ada value-of-bob",
    "[redacted] [redacted] value-of-bob",
    "[redacted] value-of-ada [redacted]",
  ]);
});

test("tools listed before a person had a secret send it in nobody else's run", async () => {
  await secretOf(null, "value-of-all");
  const call = async (endUser: string | null) => {
    const { id } = await startTestRun(owner, { endUser });
    const run = await loadRun(id);
    const { tools } = await listServers(
      run.surroundings,
      [{ name: "hub", url, tools: null, read_only: [], auth_secret: "KEY" }],
      connectorPort(run),
      new AbortController().signal,
    );
    sent = [];
    const context = {
      signal: new AbortController().signal,
      toolCallId: "call",
      redactor: (await secretRedactor(owner.accountId, run.surroundings.secrets)).results,
    };
    // What a connector's tool needs of it.
    await tools[0]?.execute({}, context as unknown as Parameters<(typeof tools)[0]["execute"]>[1]);
    return [...new Set(sent)];
  };
  expect(await call(ADA)).toEqual(["Bearer value-of-all"]);
  await secretOf(ADA, "value-of-ada");
  expect(await call(BOB)).toEqual(["Bearer value-of-all"]);
  expect(await call(null)).toEqual(["Bearer value-of-all"]);
  expect(await call(ADA)).toEqual(["Bearer value-of-ada"]);
});

test("a person has so many secrets, apart from the account's; while erased none", async () => {
  const big = "x".repeat(SECRET_VALUE_MAX_BYTES);
  for (let made = 0; made < END_USER_SECRETS_MAX_BYTES / SECRET_VALUE_MAX_BYTES; made++)
    await secretOf(BOB, big, `BIG_${made}`);
  expect(await codeOf(secretOf(BOB, "x", "MORE"))).toBe("CONFLICT");
  for (let made = 0; made < END_USER_SECRETS_MAX; made++) await secretOf(ADA, "x", `S_${made}`);
  const both = await Promise.all(
    ["A", "B"].map((name) => codeOf(secretOf(ADA, "x", `MORE_${name}`))),
  );
  expect(both).toEqual(["CONFLICT", "CONFLICT"]);
  const { rows } = await database.pool.query(
    `SELECT name, count FROM row_counts WHERE account_id = $1 AND name LIKE '%secrets'
       AND count > 0`,
    [owner.accountId],
  );
  expect(rows).toEqual([{ name: "end_user_secrets", count: END_USER_SECRETS_MAX + 2 }]);
  await requestErasure(owner, ADA);
  await deleteSecret(owner, "S_0", ADA);
  expect(await codeOf(secretOf(ADA, "x", "S_0"))).toBe("CONFLICT");
});
