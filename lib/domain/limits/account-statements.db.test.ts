import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toErrorAnswer } from "@/lib/api/http/answer";
import { storeBytes } from "@/lib/domain/blobs/stored-bytes";
import { artifactPort } from "@/lib/domain/execution/tools/dispatch-tool";
import { commitFile } from "@/lib/domain/files/save-file";
import type { Principal } from "@/lib/domain/principal";
import { cancelRun } from "@/lib/domain/runs/cancel-run";
import { requestRun } from "@/lib/domain/runs/request-run";
import { settleRun } from "@/lib/domain/runs/settle-run";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { createWorkspace } from "@/lib/domain/workspaces/create-workspace";
import { newId } from "@/lib/platform/ids";
import { createDiskFileStore } from "@/lib/storage/files/disk-file-store";
import { prisma } from "@/lib/storage/prisma";

let database: DomainDatabase;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lathe-account-statements-"));
  database = await openDomainDatabase({ files: createDiskFileStore(folder) });
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

async function start(owner: Principal): Promise<string> {
  const run = await requestRun(owner, "agent", {
    agentId: null,
    input: { request: "Do it." },
    conversationId: null,
    workspaceId: null,
    webhookUrl: null,
    shouldNotify: false,
    model: null,
    metadata: {},
    maxCreditsMicros: null,
  });
  if ("replayed" in run) throw new Error("there is no key to replay");
  return run.id;
}

const fail = (runId: string) =>
  settleRun(runId, { status: "failed", error: { code: "TIMEOUT", message: "over" } }, null);
const content = () => new Blob(["x"]).stream();

/** What runs of an account do to its row: made ready by a first call, done by the second. */
const DEEDS: [name: string, prepare: (owner: Principal) => Promise<() => Promise<unknown>>][] = [
  [
    "fail",
    async (owner) => {
      const runId = await start(owner);
      return () => fail(runId);
    },
  ],
  [
    "are cancelled",
    async (owner) => {
      const runId = await start(owner);
      return () => cancelRun(owner, runId);
    },
  ],
  ["are accepted", async (owner) => () => start(owner)],
  [
    "keep artifacts",
    async (owner) => {
      const port = artifactPort({ id: await start(owner), accountId: owner.accountId }, newId());
      return () => port.create({ title: "A", name: "a.txt", type: "text/plain", content: "x" });
    },
  ],
  [
    "write files",
    async (owner) => {
      const { id } = await createWorkspace(owner, { name: newId(), description: null });
      const stored = await storeBytes(owner.accountId, content());
      return () =>
        commitFile(owner, id, { path: "a.txt", contentType: null, stored, countsAsWrite: false });
    },
  ],
];

test.each(DEEDS)(
  "while an account's row is held, its runs that %s keep no other account's run back",
  async (_, prepare) => {
    const [held, other] = [await database.account(), await database.account()];
    // More than the pool has connections.
    const waiting = await Promise.all(Array.from({ length: 40 }, () => prepare(held)));
    const [its, last] = [await prepare(other), await start(other)];
    const locker = new pg.Client(database.pool.options);
    await locker.connect();
    let done: Promise<unknown> = Promise.resolve();
    try {
      await locker.query("BEGIN");
      await locker.query("SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE", [held.accountId]);
      done = Promise.all(waiting.map((deed) => deed()));
      // They have come as far as they can: somebody waits for the row.
      const blocked = () => locker.query("SELECT 1 FROM pg_locks WHERE NOT granted");
      await expect
        .poll(async () => (await blocked()).rowCount, { interval: 10 })
        .toBeGreaterThan(0);
      let ended = false;
      void its()
        .then(() => fail(last))
        .then(() => {
          ended = true;
        });
      await expect.poll(() => ended, { interval: 10, timeout: 5_000 }).toBe(true);
    } finally {
      await locker.end();
      await done;
    }
  },
  60_000,
);

test("while an account's row is held, its requests hold nobody else up", async () => {
  const [held, other] = [await database.account(), await database.account()];
  await createWorkspace(other, { name: "there", description: null });
  const locker = new pg.Client(database.pool.options);
  await locker.connect();
  try {
    await locker.query("BEGIN");
    await locker.query("SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE", [held.accountId]);
    let over = 0;
    const outcomes = Array.from({ length: 80 }, () =>
      createWorkspace(held, { name: newId(), description: null }).then(
        () => null,
        (error: unknown) => error,
      ),
    );
    for (const outcome of outcomes) void outcome.then(() => over++);
    await expect
      .poll(async () => (await locker.query("SELECT 1 FROM pg_locks WHERE NOT granted")).rowCount)
      .toBeGreaterThan(0);
    const begun = performance.now();
    for (let count = 0; count < 20; count++)
      expect(await prisma().workspace.count({ where: { accountId: other.accountId } })).toBe(1);
    expect(performance.now() - begun).toBeLessThan(1_500);
    expect(over).toBe(0);
    const first = await Promise.race(outcomes);
    expect(toErrorAnswer(first, "r")).toMatchObject({
      status: 503,
      headers: { "retry-after": "5" },
    });
    expect(performance.now() - begun).toBeLessThan(4_000);
    await locker.query("ROLLBACK");
    expect(
      (await Promise.all(outcomes)).filter((outcome) => outcome === null).length,
    ).toBeGreaterThan(60);
  } finally {
    await locker.end();
  }
}, 60_000);
