import { expect, test } from "vitest";
import { createClient, LatheRunError, LatheTimeoutError } from "./lathe-client";
import { abortingClock, fakeClock } from "./test/clocks";
import { RUN_ID, sampleRun, sendJson, startStubServer } from "./test/stub-service";

const AGENT_ID = "01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5a";

/**
 * A client whose service gives these bodies in turn, each a 200 unless it is a status of its own;
 * the last one repeats.
 */
async function clientWith(answers: (object | number)[]) {
  const clock = fakeClock();
  const stub = await startStubServer((_, response) => {
    const answer = answers[stub.requests.length - 1] ?? answers.at(-1);
    if (typeof answer === "number")
      sendJson(response, answer, { error: "SERVICE_UNAVAILABLE", message: "" });
    else sendJson(response, 200, answer);
  });
  return {
    client: createClient({ apiKey: "k", baseUrl: stub.url, maxRetries: 0 }, clock),
    clock,
    requests: stub.requests,
  };
}

const caught = (promise: Promise<unknown>) =>
  promise.then(() => null).catch((error: unknown) => error);

for (const status of ["completed", "failed", "cancelled"] as const) {
  test(`wait asks ever more slowly until the run is ${status}`, async () => {
    const running = Array.from({ length: 9 }, () => sampleRun());
    const { client, clock, requests } = await clientWith([
      sampleRun({ status: "pending" }),
      ...running,
      sampleRun({ status }),
    ]);
    expect(await client.runs.wait(RUN_ID)).toMatchObject({ run_id: RUN_ID, status });
    expect(clock.slept.map(Math.round)).toEqual([
      250, 400, 640, 1024, 1638, 2621, 4194, 5000, 5000, 5000,
    ]);
    expect(new Set(requests.map(({ path }) => path))).toEqual(new Set([`/v1/runs/${RUN_ID}`]));
  });
}

test("wait can end at a person's turn, and does not unless it is told so", async () => {
  const asking = sampleRun({ requires_action: { type: "approval", approval_id: AGENT_ID } });
  const { client } = await clientWith([asking, asking, sampleRun({ status: "completed" })]);
  expect(await client.runs.wait(RUN_ID, { untilAction: true })).toEqual(asking);
  expect((await client.runs.wait(RUN_ID)).status).toBe("completed");
});

test("wait gives up in time, and says which run goes on", async () => {
  const { client, clock } = await clientWith([sampleRun()]);
  const error = await caught(client.runs.wait(RUN_ID, { timeoutMs: 3_000 }));
  expect(error).toBeInstanceOf(LatheTimeoutError);
  expect(error).toMatchObject({ runId: RUN_ID });
  expect(clock.slept.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(3_000);
});

test("an outage is waited through, but not for ever", async () => {
  const short = await clientWith([503, 503, 503, sampleRun({ status: "completed" })]);
  expect((await short.client.runs.wait(RUN_ID)).status).toBe("completed");
  const long = await clientWith([503]);
  expect(await caught(long.client.runs.wait(RUN_ID))).toMatchObject({ status: 503 });
  expect(long.requests).toHaveLength(11);
});

test("a signal ends the wait", async () => {
  const controller = new AbortController();
  const stub = await startStubServer((_, response) => sendJson(response, 200, sampleRun()));
  const client = createClient({ apiKey: "k", baseUrl: stub.url }, abortingClock(controller));
  expect(await caught(client.runs.wait(RUN_ID, { signal: controller.signal }))).toMatchObject({
    message: "enough",
  });
});

test("waiting for an agent gives its id, or says why there is none", async () => {
  const made = await clientWith([
    sampleRun(),
    sampleRun({ status: "completed", agent_id: AGENT_ID }),
  ]);
  expect(await made.client.agents.waitForAgent(RUN_ID)).toBe(AGENT_ID);
  const error = { code: "AGENT_BUILD_FAILED", message: "It cannot be done." } as const;
  const failed = await caught(
    (await clientWith([sampleRun({ status: "failed", error })])).client.agents.waitForAgent(RUN_ID),
  );
  expect(failed).toBeInstanceOf(LatheRunError);
  expect(failed).toMatchObject({
    code: "AGENT_BUILD_FAILED",
    run: { run_id: RUN_ID },
    message: expect.stringContaining("It cannot be done."),
  });
  const cancelled = (
    await clientWith([sampleRun({ status: "cancelled" })])
  ).client.agents.waitForAgent(RUN_ID);
  expect(await caught(cancelled)).toMatchObject({ code: "RUN_CANCELLED" });
});

test("waiting for an agent whose creation asked back throws what it asked", async () => {
  const build = {
    outcome: "question" as const,
    assumptions: [],
    left_out: [],
    needs: [],
    question: "Which city?",
  };
  const asked = await clientWith([
    sampleRun({
      status: "completed",
      agent_id: null,
      result: { text: "Which city?", artifacts: [], build },
    }),
  ]);
  expect(await caught(asked.client.agents.waitForAgent(RUN_ID))).toMatchObject({
    code: "AGENT_BUILD_FAILED",
    message: `Run ${RUN_ID} made no agent: Which city?`,
    run: { result: { build } },
  });
});

test("waiting for an edit gives the edit that succeeded, or says why it did not", async () => {
  const edit = { ...sampleRun(), agent_id: AGENT_ID };
  const { client, requests } = await clientWith([
    { ...edit, status: "queued" },
    { ...edit, status: "succeeded" },
  ]);
  expect((await client.agents.waitForEdit(AGENT_ID, RUN_ID)).status).toBe("succeeded");
  expect(requests[0]?.path).toBe(`/v1/agents/${AGENT_ID}/edits/${RUN_ID}`);
  for (const status of ["failed", "cancelled"])
    expect(
      await caught(
        (await clientWith([{ ...edit, status }])).client.agents.waitForEdit(AGENT_ID, RUN_ID),
      ),
    ).toBeInstanceOf(LatheRunError);
});

test("the super-agent's runs are waited for at their own address", async () => {
  const { client, requests } = await clientWith([sampleRun({ status: "completed" })]);
  await client.superAgentRuns.wait(RUN_ID);
  expect(requests[0]?.path).toBe(`/v1/super-agent/runs/${RUN_ID}`);
});
