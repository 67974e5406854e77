import { afterAll, beforeAll, expect, test } from "vitest";
import { streamRun } from "@/lib/domain/runs/stream-run";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { createRunLog } from "@/lib/engine/events/create-run-log";
import { newId } from "@/lib/platform/ids";

let database: DomainDatabase;

beforeAll(async () => {
  database = await openDomainDatabase();
});
afterAll(() => database.close());

test("a stream whose log cannot be read any more ends with an error line, and no terminal one", async () => {
  const runId = newId();
  await createRunLog(database.pool, runId, {
    type: "run.created",
    render_protocol: 1,
    status: "pending",
    agent_id: null,
    conversation_id: null,
  });
  await database.pool.query("ALTER TABLE run_events RENAME TO run_events_away");
  const text = await new Response(streamRun({ id: runId, accountId: newId() }, -1, "", new AbortController().signal)).text();
  await database.pool.query("ALTER TABLE run_events_away RENAME TO run_events");
  const lines = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toEqual([
    {
      type: "error",
      sequence_number: 0,
      run_id: runId,
      created_at: expect.any(String),
      code: "STREAM_INTERRUPTED",
      message: expect.any(String),
    },
  ]);
});
