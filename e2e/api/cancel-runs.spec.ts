import { availableMicros } from "../support/accounts";
import { expectWholeLog, RunStream } from "../support/run-log";
import { startRun, waitForRun } from "../support/runs";
import { expect, test } from "../support/test";

/**
 * A model that says a word every ten milliseconds, for a minute: of a second's words it may still
 * say no more than these.
 */
const SLOWLY = {
  text: Array.from({ length: 6_000 }, (_, at) => `word${at} `).join(""),
  chunk_size: 5,
  chunk_delay_ms: 10,
};
const WORDS_OF_A_SECOND = 100;

for (const [where, turn] of [
  ["in the middle of its answer", SLOWLY],
  ["before its first word", { text: "never said", hold_first: true }],
] as const) {
  test(`cancelling aborts the model call in a second, ${where}, and ends the stream`, async ({
    api,
    script,
  }) => {
    const one = await script(turn);
    const stream = await RunStream.start(api, { input: { text: one.mark } });
    await stream.readTo((line) => line.type === "run.created");
    await one.waitForCalls(1);
    if (turn === SLOWLY) await stream.readTo((line) => line.type === "output_text.delta");
    const said = (await one.calls())[0]?.sent ?? 0;
    const response = await api.post(`/v1/runs/${stream.runId}/cancel`);
    expect(response.status).toBe(202);
    expect(response.as("Run").run_id).toBe(stream.runId);
    // The server counts by its own clock, which a busy machine slows like everything else.
    const call = await one.waitForDisconnect();
    expect(call.sent - said).toBeLessThan(WORDS_OF_A_SECOND);
    await stream.readAll();
    expect(expectWholeLog(stream.lines)).toMatchObject({
      type: "run.failed",
      status: "failed",
      error: { code: "RUN_CANCELLED" },
    });
    const run = await waitForRun(api, stream.runId);
    expect(run).toMatchObject({ status: "cancelled" });
    expect(run.completed_at).toBeTruthy();
    expect(await one.calls()).toHaveLength(1);
  });
}

test("a cancelled run stays so whatever the model does, and is answered again with 200", async ({
  api,
  script,
}) => {
  const one = await script({ text: "too late", hold_first: true });
  const run = await startRun(api, { input: { text: one.mark } });
  await one.waitForCalls(1);
  await api.post(`/v1/runs/${run.run_id}/cancel`);
  await waitForRun(api, run.run_id);
  // What the call that was cut off had used is paid right after the end; nothing changes after
  // that.
  const credits = async () => (await waitForRun(api, run.run_id)).usage?.credits;
  await expect.poll(credits).toBeGreaterThan(0);
  const cancelled = await waitForRun(api, run.run_id);
  await one.release();
  const again = await api.post(`/v1/runs/${run.run_id}/cancel`);
  expect(again.status).toBe(200);
  expect(again.as("Run")).toEqual(cancelled);
  expect((await api.get(`/v1/runs/${run.run_id}`)).as("Run")).toEqual(cancelled);
});

test("cancelling a completed or a failed run answers 200 and changes nothing", async ({
  api,
  script,
}) => {
  for (const [turn, status] of [
    [{ text: "ok" }, "completed"],
    [{ status: 400 }, "failed"],
  ] as const) {
    const one = await script(turn);
    const ended = await waitForRun(
      api,
      (await startRun(api, { input: { text: one.mark } })).run_id,
    );
    const response = await api.post(`/v1/runs/${ended.run_id}/cancel`);
    expect(response.status).toBe(200);
    expect(response.as("Run")).toEqual(ended);
    expect(ended.status).toBe(status);
  }
});

test("twenty cancels at once are all answered and end the run once", async ({ api, script }) => {
  const one = await script({ text: "x", hold_first: true });
  const run = await startRun(api, { input: { text: one.mark } });
  await one.waitForCalls(1);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => api.post(`/v1/runs/${run.run_id}/cancel`)),
  );
  for (const answer of answers) expect([200, 202]).toContain(answer.status);
  expect(answers.filter((answer) => answer.status === 202).length).toBeGreaterThan(0);
  expect((await waitForRun(api, run.run_id)).status).toBe("cancelled");
  expectWholeLog(await (await RunStream.follow(api, run.run_id)).readAll());
});

test("a run cancelled as it was accepted ends as cancelled, whether it had begun or not", async ({
  api,
  script,
}) => {
  const one = await script({ text: "x", hold_first: true });
  const started = await Promise.all(
    Array.from({ length: 10 }, () => startRun(api, { input: { text: one.mark } })),
  );
  await Promise.all(started.map((run) => api.post(`/v1/runs/${run.run_id}/cancel`)));
  for (const run of started) {
    expect((await waitForRun(api, run.run_id)).status).toBe("cancelled");
    expectWholeLog(await (await RunStream.follow(api, run.run_id)).readAll());
  }
});

test("a cancelled run frees its conversation and its hold, and pays for what it used", async ({
  newAccount,
  script,
}) => {
  const { api } = await newAccount({ credits: 1000 });
  const before = await availableMicros(api);
  const one = await script({ text: "a".repeat(400), chunk_size: 100, hold_after: 2 });
  const stream = await RunStream.start(api, { input: { text: one.mark } });
  await stream.readTo((line) => line.type === "output_text.delta");
  await api.post(`/v1/runs/${stream.runId}/cancel`);
  const run = await waitForRun(api, stream.runId);
  await expect
    .poll(async () => before - (await availableMicros(api)))
    .toBe(
      Math.round(
        ((await api.get(`/v1/runs/${run.run_id}`)).as("Run").usage?.credits ?? 0) * 1_000_000,
      ),
    );
  const next = await script({ text: "free again" });
  const second = await startRun(api, {
    input: { text: next.mark },
    conversation_id: run.conversation_id,
  });
  expect((await waitForRun(api, second.run_id)).status).toBe("completed");
});

test("cancel accepts an empty object as its body", async ({ api, script }) => {
  const one = await script({ text: "x", hold_first: true });
  const run = await startRun(api, { input: { text: one.mark } });
  expect((await api.post(`/v1/runs/${run.run_id}/cancel`, {})).status).toBe(202);
});
