import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import path from "node:path";
import { freePort } from "../support/servers";
import { startService } from "../support/start-service";
import { expect, test } from "./support/fault-test";
import type { World } from "./support/world";

/** What a start says that is refused; "started" when it is not. */
async function refusal(
  world: World,
  environment: Record<string, string>,
  dataDir = world.dataDir,
): Promise<string> {
  try {
    const service = await startService({
      port: await freePort(),
      dataDir,
      modelUrl: `http://127.0.0.1:${world.modelLink.port}`,
      logFile: path.join(world.lab.folder, `${randomBytes(6).toString("hex")}.log`),
      readyWithinMs: 60_000,
      environment: { DATABASE_URL: world.cluster.url(world.database), ...environment },
    });
    await service.kill();
    return "started";
  } catch (error) {
    return String(error);
  }
}

/** One sentence for the person at the terminal, and no trace of a stack. */
function expectSentence(said: string, about: RegExp): void {
  expect(said).toMatch(/ended before it was ready \(code 1,/);
  expect(said).toMatch(about);
  expect(said).not.toMatch(/\n\s+at /);
}

test("a second machine with other keys on the database is refused, the first goes on", async ({
  open,
}) => {
  const world = await open();
  const secret = { name: "TOKEN", value: "a-value", allowed_hosts: ["api.example.test"] };
  expect((await world.api().post("/v1/secrets", secret)).status).toBe(201);
  const elsewhere = path.join(world.lab.folder, "another-machine");
  mkdirSync(elsewhere);
  expectSentence(await refusal(world, {}, elsewhere), /key|secret/i);
  expect((await world.api().get("/v1/account")).status).toBe(200);
});

test("settings that cannot be read are refused in one sentence", async ({ open }) => {
  expectSentence(
    await refusal(await open({ processes: 0 }), { TRUSTED_PROXIES: "nonsense" }),
    /TRUSTED_PROXIES holds "nonsense"/,
  );
});

test("a default model that is missing is refused by a sentence naming those that are", async ({
  open,
}) => {
  expectSentence(
    await refusal(await open({ processes: 0 }), { DEFAULT_MODEL: "test-model" }),
    /DEFAULT_MODEL cannot be used: no model “test-model” is known\. Switched on: .*compatible\/test-model/,
  );
});

test("a database that a newer version has migrated is refused in one sentence", async ({
  open,
}) => {
  const world = await open({ processes: 0 });
  await world.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, started_at,
       applied_steps_count) VALUES ($1, 'x', '29990101000000_from_the_future', now(), now(), 1)`,
    [randomBytes(8).toString("hex")],
  );
  expectSentence(await refusal(world, {}), /newer/);
});

test("a pooler that mixes up sessions is refused in one sentence", async ({ open }) => {
  const world = await open({ processes: 0 });
  const kept: Socket[] = [];
  // Its essential property: the server's session outlives the client's.
  const pooler = createServer((client) => {
    const server = connect(world.cluster.port, "127.0.0.1");
    kept.push(server);
    client.on("data", (chunk) =>
      chunk[0] === "X".charCodeAt(0) ? client.end() : server.write(chunk),
    );
    server.on("data", (chunk) => client.writable && client.write(chunk));
    for (const socket of [client, server]) socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => pooler.listen(0, "127.0.0.1", resolve));
  const address = pooler.address();
  const url = new URL(world.cluster.url(world.database));
  url.port = String(typeof address === "object" ? address?.port : "");
  expectSentence(await refusal(world, { DATABASE_URL: url.href }), /pooler/);
  for (const socket of kept) socket.destroy();
  pooler.close();
});

test("a database that cannot be reached is refused in one sentence", async ({ open }) => {
  const world = await open({ processes: 0 });
  const url = new URL(world.cluster.url(world.database));
  url.port = String(await freePort());
  expectSentence(await refusal(world, { DATABASE_URL: url.href }), /database/i);
});

test("a service whose output nobody reads goes on serving, and stops in good order", async ({
  open,
}) => {
  const world = await open();
  const { service } = world.process(0);
  service.loseOutput();
  expect((await world.api().get("/v1/account")).status).toBe(200);
  // As it stops it has something to say.
  await service.stop();
  expect(service.end()).toBe("code 0, signal null");
});
