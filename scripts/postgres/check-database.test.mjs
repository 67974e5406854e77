import { once } from "node:events";
import { connect, createServer } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkDatabase } from "./check-database.mjs";
import { startDisposablePostgres } from "./embedded-postgres.mjs";

const TERMINATE = "X".charCodeAt(0);
/** @type {Awaited<ReturnType<typeof startDisposablePostgres>>} */
let postgres;
beforeAll(async () => {
  postgres = await startDisposablePostgres();
}, 120_000);
afterAll(() => postgres.stop());

test("a database of our own passes, without a word when the clocks agree", async () => {
  /** @type {string[]} */
  const said = [];
  await checkDatabase(postgres.url, { warn: (text) => said.push(text) });
  expect(said).toEqual([]);
});

test("a clock that is off by more than two seconds is told in one sentence", async () => {
  /** @type {string[]} */
  const said = [];
  await checkDatabase(postgres.url, {
    warn: (text) => said.push(text),
    now: () => Date.now() - 60_000,
  });
  expect(said).toEqual([expect.stringMatching(/differs from this machine's by (59|60) s/)]);
});

test("a pooler whose sessions outlive their clients is refused in one sentence", async () => {
  const target = new URL(postgres.url);
  // By TCP, as what stands between two machines is reached.
  target.searchParams.delete("host");
  const database = { host: target.hostname, port: Number(target.port) };
  /** @type {import("node:net").Socket[]} */
  const kept = [];
  // As a pooler does: the client's end is kept from the server, whose session goes on.
  const pooler = createServer((client) => {
    const server = connect(database);
    kept.push(server);
    client.on("data", (chunk) => {
      if (chunk[0] === TERMINATE) client.end();
      else server.write(chunk);
    });
    server.on("data", (chunk) => client.writable && client.write(chunk));
    client.on("error", () => {});
    server.on("error", () => {});
  });
  pooler.listen(0, "127.0.0.1");
  await once(pooler, "listening");
  const address = pooler.address();
  if (typeof address === "object") target.port = String(address?.port);
  await expect(checkDatabase(target.href, { releaseWithinMs: 300 })).rejects.toThrow(
    /pooler in transaction mode/,
  );
  for (const socket of kept) socket.destroy();
  pooler.close();
});
