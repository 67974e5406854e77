import { afterAll, beforeAll, expect, test } from "vitest";
import { drainEngine, requireDrained, resumeStarts } from "@/lib/domain/admin/drain-engine";
import type { Principal } from "@/lib/domain/principal";
import { cancelRun } from "@/lib/domain/runs/cancel-run";
import {
  ACCEPTING_KNOWN_MS,
  knownDraining,
  requestRun,
  requireAccepting,
} from "@/lib/domain/runs/request-run";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";

let database: DomainDatabase;
let owner: Principal;

beforeAll(async () => {
  database = await openDomainDatabase();
  owner = await database.account();
});
afterAll(() => database.close());

const start = (parent?: { runId: string; toolCallId: string }) =>
  requestRun(owner, "agent", {
    agentId: null,
    input: { text: "hello" },
    conversationId: null,
    workspaceId: null,
    webhookUrl: null,
    shouldNotify: false,
    model: null,
    metadata: {},
    maxCreditsMicros: null,
    ...(parent && { parent }),
  });
const refused = {
  code: "SERVICE_UNAVAILABLE",
  message: expect.stringContaining("Nothing was started"),
};
/** Lets this process look again. */
const forget = () => {
  knownDraining().until = 0;
};

test("a service that never started has nothing to drain", async () => {
  await expect(drainEngine(0)).rejects.toMatchObject({ code: "CONFLICT" });
});

test("while the engine drains only runs at work start runs; Inngest waits for all", async () => {
  await database.pool.query(
    `INSERT INTO service_identity (key_id, key_fingerprint, file_store)
     VALUES ('k', 'f', 'disk:x')`,
  );
  const run = await start();
  if ("replayed" in run) throw new Error("replayed");
  expect(await drainEngine(0)).toMatchObject({ status: "draining", unrouted: 1 });
  forget();
  await expect(start()).rejects.toMatchObject(refused);
  await expect(start()).rejects.toMatchObject(refused);
  expect(await start({ runId: run.id, toolCallId: "c" })).toMatchObject({ status: "pending" });
  // What nobody has taken up yet is sent to the server; what is at work, nobody would go on with.
  await requireDrained();
  await database.pool.query("UPDATE service_identity SET draining_since = now()");
  await database.pool.query(
    `INSERT INTO engine_runs (id, function_id, event_id, key)
     SELECT gen_random_uuid(), 'f', id, 'k' FROM engine_events WHERE name = 'run/accepted'`,
  );
  await expect(requireDrained()).rejects.toThrow(
    /has not finished 2 of its runs, which an Inngest server does not know/,
  );
  await cancelRun(owner, run.id);
  await database.pool.query("UPDATE engine_events SET routed_at = now()");
  await database.pool.query("UPDATE engine_runs SET status = 'completed', ended_at = now()");
  expect(await drainEngine(0)).toEqual({
    status: "drained",
    at_work: 0,
    unrouted: 0,
    waiting_for_people: 0,
  });
  await requireDrained();
  forget();
  expect(await start()).toMatchObject({ status: "pending" });
});

test("a process goes by what it read for two seconds, and not longer", async () => {
  await resumeStarts();
  forget();
  const now = Date.now();
  await requireAccepting(undefined, now);
  await database.pool.query("UPDATE service_identity SET draining_since = now()");
  await requireAccepting(undefined, now + ACCEPTING_KNOWN_MS - 1);
  await expect(requireAccepting(undefined, now + ACCEPTING_KNOWN_MS)).rejects.toMatchObject(
    refused,
  );
  await resumeStarts();
  await requireAccepting(undefined, now + 2 * ACCEPTING_KNOWN_MS);
});
