import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { streamRun } from "@/lib/domain/runs/stream-run";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { openRunLog } from "@/lib/engine/events/run-log-writer";
import { beginLog } from "@/lib/engine/test/begin-log";
import { newId } from "@/lib/platform/ids";

let database: DomainDatabase;

beforeAll(async () => {
  database = await openDomainDatabase();
});
afterEach(() => void vi.useRealTimers());
afterAll(() => database.close());

test("a stream whose log cannot be read ends with an error line, no terminal one", async () => {
  const runId = newId();
  await beginLog(database.pool, runId);
  await database.pool.query("ALTER TABLE run_events RENAME TO run_events_away");
  let text = "";
  for await (const more of streamRun(
    { id: runId, accountId: newId() },
    -1,
    "",
    new AbortController().signal,
  ))
    text += more;
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

test("ten seconds of silence have one ping, anew after each line, for who stays", async () => {
  const runId = newId();
  await beginLog(database.pool, runId);
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const lines: string[] = [];
  const stream = streamRun({ id: runId, accountId: newId() }, -1, "", new AbortController().signal);
  const readOne = async () => {
    const { value = "" } = await stream.next();
    for (const line of value.trim().split("\n"))
      lines.push((JSON.parse(line) as { type: string }).type); // our own lines
  };
  await readOne();
  await vi.advanceTimersByTimeAsync(9_999);
  await vi.advanceTimersByTimeAsync(1);
  await readOne();
  await vi.advanceTimersByTimeAsync(9_999);
  const writer = await openRunLog(runId);
  writer?.append({ type: "tool.started", tool_call_id: "1", name: "t" });
  await writer?.flush();
  await readOne();
  writer?.append({ type: "tool.completed", tool_call_id: "1", name: "t", status: "succeeded" });
  await writer?.flush();
  await readOne();
  await vi.advanceTimersByTimeAsync(9_999);
  await vi.advanceTimersByTimeAsync(1);
  await readOne();
  expect(lines).toEqual(["run.created", "ping", "tool.started", "tool.completed", "ping"]);
  await writer?.close();
  const before = vi.getTimerCount();
  const waiting = stream.next();
  await stream.return();
  expect(await waiting).toEqual({ done: true, value: undefined });
  expect(vi.getTimerCount()).toBe(before - 1);
});
