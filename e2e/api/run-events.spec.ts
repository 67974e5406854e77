import type { RunEvent } from "@/lib/client/schemas";
import type { Schemas } from "../support/api-document";
import { expectError } from "../support/expect-answers";
import { expectWholeLog, RunStream } from "../support/run-log";
import { startRun, waitForRun } from "../support/runs";
import { expect, test } from "../support/test";

const withoutPings = (lines: RunEvent[]) => lines.filter((line) => line.type !== "ping");

test("what was streamed and what is stored are the same lines with the same numbers", async ({
  api,
  script,
}) => {
  const one = await script(
    { text: "Thinking it over.", tool_calls: [{ name: "todo", fill: true }] },
    { text: "A longer answer in many pieces.", chunk_delay_ms: 5 },
  );
  const live = await RunStream.start(api, { input: { text: one.mark } });
  await live.readAll();
  expectWholeLog(live.lines);
  const stored = await RunStream.follow(api, live.runId);
  expect(stored.response.headers.get("content-type")).toMatch(/^application\/x-ndjson/);
  expect(await stored.readAll()).toEqual(withoutPings(live.lines));
});

test("a stream broken off is resumed, no line lost or twice, while the run goes on", async ({
  api,
  script,
}) => {
  const one = await script({
    text: "one two three four five six seven",
    chunk_size: 4,
    hold_after: 4,
  });
  const first = await RunStream.start(api, { input: { text: one.mark } });
  await first.readTo((line) => line.type === "output_text.delta");
  first.leave();
  const seen = first.numbered.at(-1)?.sequence_number ?? -1;
  const rest = await RunStream.follow(api, first.runId, seen);
  await one.release();
  await rest.readAll();
  expectWholeLog([...first.lines, ...rest.lines]);
  expect(rest.lines.at(-1)).toMatchObject({
    type: "run.completed",
    result: { text: "one two three four five six seven" },
  });
});

test("many followers of one run all read the same whole log, whenever they came", async ({
  api,
  script,
}) => {
  const one = await script({
    text: "a text that is long enough to be cut into many pieces",
    chunk_size: 3,
    hold_after: 5,
  });
  const run = await startRun(api, { input: { text: one.mark } });
  const early = await Promise.all(
    Array.from({ length: 8 }, () => RunStream.follow(api, run.run_id)),
  );
  const reading = early.map((stream) => stream.readAll());
  await one.waitForCalls(1);
  await one.release();
  const logs = await Promise.all(reading);
  for (const log of logs) expectWholeLog(log);
  const late = await RunStream.follow(api, run.run_id);
  await late.readAll();
  for (const log of logs) expect(withoutPings(log)).toEqual(late.lines);
});

test("starting_after leaves out what came before; after an end nothing", async ({
  api,
  script,
}) => {
  const one = await script({ text: "ok" });
  const run = await waitForRun(api, (await startRun(api, { input: { text: one.mark } })).run_id);
  const all = await (await RunStream.follow(api, run.run_id, -1)).readAll();
  const tail = await (await RunStream.follow(api, run.run_id, 1)).readAll();
  expect(tail).toEqual(all.slice(2));
  expect(await (await RunStream.follow(api, run.run_id, all.length - 1)).readAll()).toEqual([]);
});

test("a page of events is JSON, oldest first, and next_cursor is the next starting_after", async ({
  api,
  script,
}) => {
  const one = await script(
    { text: "several words of an answer", tool_calls: [{ name: "todo", fill: true }] },
    { text: "end" },
  );
  const run = await waitForRun(api, (await startRun(api, { input: { text: one.mark } })).run_id);
  const all = await (await RunStream.follow(api, run.run_id)).readAll();
  const found: RunEvent[] = [];
  let after: string | number | null = -1;
  for (let rounds = 0; after !== null && rounds < 100; rounds += 1) {
    const response = await api.get(`/v1/runs/${run.run_id}/events`, {
      query: { starting_after: after, limit: 2 },
      headers: { accept: "application/json" },
    });
    expect(response.header("content-type")).toMatch(/^application\/json/);
    const got: Schemas["RunEventPage"] = response.as("RunEventPage");
    expect(got.data.length).toBeLessThanOrEqual(2);
    found.push(...got.data);
    after = got.has_more ? got.next_cursor : null;
  }
  expect(found).toEqual(all);
});

for (const starting_after of ["x", "-2", "1.5", "", "99999999999999999999"]) {
  test(`a starting_after that is no sequence number is refused: "${starting_after}"`, async ({
    api,
    script,
  }) => {
    const one = await script({ text: "ok" });
    const run = await waitForRun(api, (await startRun(api, { input: { text: one.mark } })).run_id);
    for (const accept of ["application/x-ndjson", "application/json"]) {
      const response = await api.get(`/v1/runs/${run.run_id}/events`, {
        query: { starting_after },
        headers: { accept },
      });
      expectError(response, 400, "INVALID_INPUT", "starting_after");
    }
  });
}
