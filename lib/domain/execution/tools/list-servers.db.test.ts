import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { built, failures, listServers } from "@/lib/domain/execution/tools/list-servers";
import { connectorPort } from "@/lib/domain/execution/tools/run-tools";
import type { Principal } from "@/lib/domain/principal";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import type { McpServer } from "@/lib/model/agent-config/effective-config";
import type { ConnectorPort } from "@/lib/runtime/tools/tool-ports";

const settings = {
  ENCRYPTION_KEYS: JSON.stringify([{ id: "k1", key: Buffer.alloc(32, 1).toString("base64") }]),
  LOG_LEVEL: "silent",
};

let database: DomainDatabase;
let owner: Principal;
let server: Server;
let url: string;
/** What a listing waits for. */
let held: Promise<void>;
let names: string[];
let ttlMs: number | undefined;
let isBroken: boolean;
let listings: number;

beforeAll(async () => {
  database = await openDomainDatabase({ env: settings });
  server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    // A request without an encoding yields buffers.
    for await (const part of request) parts.push(part as Buffer);
    const { id, method } = JSON.parse(Buffer.concat(parts).toString()) as {
      id: number;
      method: string;
    }; // the client's JSON-RPC
    if (isBroken) return void response.writeHead(500).end();
    if (method === "tools/list") {
      listings += 1;
      await held;
    }
    const tools = names.map((name) => ({ name, inputSchema: { type: "object" } }));
    const result =
      method === "server/discover"
        ? { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } }
        : { tools, ...(ttlMs !== undefined && { ttlMs, cacheScope: "private" }) };
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ jsonrpc: "2.0", id, result: { resultType: "complete", ...result } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`; // listens on TCP
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await database.close();
});

beforeEach(async () => {
  owner = await database.account();
  held = Promise.resolve();
  names = ["search"];
  ttlMs = 600_000;
  isBroken = false;
  listings = 0;
});

const never = new AbortController().signal;

async function list(
  options: Parameters<typeof listServers>[4] = {},
  { who = owner, sealed = "v1", config = {} as Partial<McpServer> } = {},
) {
  const run = { accountId: who.accountId, endUser: null, secrets: [{ name: "KEY", sealed }] };
  const port: ConnectorPort = {
    ...connectorPort({ accountId: who.accountId, endUser: null }),
    reach: { allow: [new URL(url).host] },
    openSecret: async () => "value",
  };
  const asked = { name: "hub", url, tools: null, read_only: [], ...config };
  const { tools, unavailable } = await listServers(run, [asked], port, never, options);
  return {
    names: tools.map(({ name, isStale }) => (isStale ? `${name} (stale)` : name)),
    unavailable,
  };
}

/** What this process remembers, as if another one asked. */
function forget(): void {
  built().clear();
  failures().clear();
}

const age = () =>
  database.pool.query(
    "UPDATE mcp_listings SET fresh_until = now() - interval '1 second' WHERE account_id = $1",
    [owner.accountId],
  );

test("a server is asked once for all processes, for as long as it says", async () => {
  expect((await list()).names).toEqual(["hub__search"]);
  forget();
  names = ["other"];
  expect((await list()).names).toEqual(["hub__search"]);
  expect(listings).toBe(1);
  const { rows } = await database.pool.query<{ minutes: number }>(
    `SELECT round(extract(epoch FROM fresh_until - listed_at) / 60)::int AS minutes
     FROM mcp_listings WHERE account_id = $1`,
    [owner.accountId],
  );
  expect(rows).toEqual([{ minutes: 10 }]);
});

test.each([
  [undefined, 0, 60],
  [0, 0, 60],
  [-5, 0, 60],
  [999_999_999_999, 3_600, 3_600],
])("a promise of %s ms is kept within bounds", async (promised, least, most) => {
  ttlMs = promised;
  expect(await list()).toEqual({ names: ["hub__search"], unavailable: [] });
  const { rows } = await database.pool.query<{ seconds: number }>(
    `SELECT round(extract(epoch FROM fresh_until - listed_at))::int AS seconds
     FROM mcp_listings WHERE account_id = $1`,
    [owner.accountId],
  );
  expect(rows[0]?.seconds).toBeGreaterThanOrEqual(least);
  expect(rows[0]?.seconds).toBeLessThanOrEqual(most);
});

test("nobody waits for a server listed once: it is asked behind, once for all", async () => {
  await list();
  await age();
  forget();
  names = ["other"];
  let release = () => {};
  held = new Promise((resolve) => {
    release = resolve;
  });
  expect((await list()).names).toEqual(["hub__search (stale)"]);
  expect((await list()).names).toEqual(["hub__search (stale)"]);
  // A call is dispatched by what the server lists now.
  const dispatched = list({ current: true });
  release();
  expect((await dispatched).names).toEqual(["hub__other"]);
  expect((await list()).names).toEqual(["hub__other"]);
  expect(listings).toBe(2);
});

test("before an approved call the server is asked anew, whatever is kept", async () => {
  await list();
  names = ["other"];
  expect((await list({ fresh: true })).names).toEqual(["hub__other"]);
  expect((await list()).names).toEqual(["hub__other"]);
});

test("a server out of reach has no tools, and is asked again later", async () => {
  await list();
  await age();
  isBroken = true;
  expect(await list({ current: true })).toMatchObject({
    names: [],
    unavailable: [{ name: "hub" }],
  });
  expect(await list()).toMatchObject({ names: [], unavailable: [{ name: "hub" }] });
  isBroken = false;
  forget();
  expect((await list()).names).toEqual(["hub__search"]);
});

test("another account, value of the secret or choice of tools is another listing", async () => {
  const keyed = { auth_secret: "KEY" };
  await list({}, { config: keyed });
  names = ["other"];
  expect((await list({}, { config: keyed })).names).toEqual(["hub__search"]);
  expect((await list({}, { config: keyed, sealed: "v2" })).names).toEqual(["hub__other"]);
  expect((await list({}, { config: keyed, who: await database.account() })).names).toEqual([
    "hub__other",
  ]);
  expect((await list({}, { config: { ...keyed, tools: ["search"] } })).names).toEqual([]);
  expect((await list({}, { config: { ...keyed, name: "again" } })).names).toEqual([
    "again__search",
  ]);
});

test("an account keeps its newest hundred listings", async () => {
  await database.pool.query(
    `INSERT INTO mcp_listings (account_id, listing_key, definitions, listed_at, fresh_until)
     SELECT $1, decode(lpad(n::text, 4, '0'), 'hex'), '[]', now() - n * interval '1 minute', now()
     FROM generate_series(1, 150) n`,
    [owner.accountId],
  );
  await list();
  const { rows } = await database.pool.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM mcp_listings WHERE account_id = $1",
    [owner.accountId],
  );
  expect(rows).toEqual([{ count: 100 }]);
});
