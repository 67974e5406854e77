import { expectError } from "../support/expect-answers";
import { expectWholeLog, lastMessageText, RunStream } from "../support/run-log";
import { waitForRun } from "../support/runs";
import { expect, test } from "../support/test";

/**
 * Exactly when is shown with a clock of its own in stream-run.db.test.ts; a busy machine may be
 * late.
 */
const PING_AFTER_MS = 10_000;

test("a streamed run is NDJSON that no proxy may keep or hold back", async ({
  api,
  sharedAgent,
  script,
}) => {
  const one = await script({ text: "Hello from the stream." });
  const stream = await RunStream.start(api, {
    agent_id: sharedAgent.agent_id,
    input: { text: one.mark },
    metadata: { a: "b" },
  });
  expect(stream.response.headers.get("content-type")).toMatch(/^application\/x-ndjson/);
  expect(stream.response.headers.get("cache-control")).toBe("no-store");
  expect(stream.response.headers.get("x-accel-buffering")).toBe("no");
  expect(stream.response.headers.get("x-request-id")).toBeTruthy();
  expect(stream.response.headers.get("x-ratelimit-limit")).toMatch(/^\d+$/);
  await stream.readAll();
  const last = expectWholeLog(stream.lines);
  expect(stream.lines[0]).toMatchObject({
    type: "run.created",
    render_protocol: 1,
    agent_id: sharedAgent.agent_id,
  });
  expect(last).toMatchObject({
    type: "run.completed",
    status: "completed",
    agent_id: sharedAgent.agent_id,
    result: { text: "Hello from the stream." },
  });
  expect(lastMessageText(stream.lines)).toBe("Hello from the stream.");
  const run = (await api.get(`/v1/runs/${stream.runId}`)).as("Run");
  expect(run).toMatchObject({
    status: "completed",
    kind: "agent",
    metadata: { a: "b" },
    result: { text: "Hello from the stream." },
  });
  expect(last.usage).toEqual(run.usage);
});

test("the words arrive while the model still speaks", async ({ api, script }) => {
  const one = await script({ text: "first second third", chunk_size: 6, hold_after: 1 });
  const stream = await RunStream.start(api, { input: { text: one.mark } });
  expect(await stream.readTo((line) => line.type === "output_text.delta")).toMatchObject({
    delta: "first ",
  });
  expect((await one.calls())[0]).toMatchObject({ finished_at: null, disconnected_at: null });
  expect((await api.get(`/v1/runs/${stream.runId}`)).as("Run").status).toBe("running");
  await one.release();
  await stream.readAll();
  expect(lastMessageText(stream.lines)).toBe("first second third");
});

test("each turn in which the model speaks is a message, and the result the last one's", async ({
  api,
  script,
}) => {
  const one = await script(
    { text: "Let me plan.", tool_calls: [{ name: "todo", fill: true }] },
    { text: "Now once more.", tool_calls: [{ name: "todo", fill: true }] },
    { text: "The final word 🌍." },
  );
  const stream = await RunStream.start(api, { input: { text: one.mark } });
  await stream.readAll();
  const messages = stream.lines
    .filter((line) => line.type === "message.created")
    .map((line) => line.message_id);
  expect([messages.length, new Set(messages).size]).toEqual([3, 3]);
  expect(lastMessageText(stream.lines)).toBe("The final word 🌍.");
  expect(expectWholeLog(stream.lines)).toMatchObject({ result: { text: "The final word 🌍." } });
});

test("the model's reasoning is shown as a thinking card, never as its answer", async ({
  api,
  script,
}) => {
  const one = await script({ reasoning: "The user greets; I greet back.", text: "Hello!" });
  const stream = await RunStream.start(api, { input: { text: one.mark } });
  await stream.readAll();
  const card = stream.lines.find((line) => line.type === "card.created");
  expect(card).toMatchObject({ card: { kind: "thinking" } });
  const thought = stream.lines
    .filter((line) => line.type === "thinking.delta")
    .map((line) => line.delta);
  expect(thought.join("")).toBe("The user greets; I greet back.");
  expect(stream.lines.filter((line) => line.type === "card.updated").at(-1)).toMatchObject({
    card: { kind: "thinking", status: "done" },
  });
  expect(expectWholeLog(stream.lines)).toMatchObject({ result: { text: "Hello!" } });
});

test("an answer cut off is asked for again, and the half that was shown replaced", async ({
  api,
  script,
}) => {
  const one = await script(
    { text: "a broken half of", chunk_size: 4, cut_after: 2 },
    { text: "The whole answer." },
  );
  const stream = await RunStream.start(api, { input: { text: one.mark } });
  await stream.readAll();
  const [half, whole] = stream.lines.filter((line) => line.type === "message.created");
  expect(whole?.replaces).toBe(half?.message_id);
  expect(lastMessageText(stream.lines)).toBe("The whole answer.");
  expect(expectWholeLog(stream.lines)).toMatchObject({
    type: "run.completed",
    result: { text: "The whole answer." },
  });
});

test("the run goes on when its client goes away", async ({ api, script }) => {
  const one = await script({ text: "heard by nobody", chunk_size: 4, hold_after: 1 });
  const stream = await RunStream.start(api, { input: { text: one.mark } });
  await stream.readTo((line) => line.type === "output_text.delta");
  stream.leave();
  await one.release();
  expect(await waitForRun(api, stream.runId)).toMatchObject({
    status: "completed",
    result: { text: "heard by nobody" },
  });
  expect((await one.calls())[0]?.disconnected_at).toBeNull();
});

test("silence is filled with a ping every ten seconds that carries no number", async ({
  api,
  script,
}) => {
  const one = await script({ text: "at last", hold_first: true });
  const stream = await RunStream.start(api, { input: { text: one.mark } });
  await stream.readTo((line) => line.type === "run.created");
  const ping = await stream.readTo((line) => line.type === "ping");
  expect(ping).not.toHaveProperty("sequence_number");
  const [before] = stream.lines.slice(-2);
  const silence = Date.parse(String(ping.created_at)) - Date.parse(String(before?.created_at));
  expect(silence).toBeGreaterThan(PING_AFTER_MS * 0.9);
  await one.release();
  await stream.readAll();
  expectWholeLog(stream.lines);
});

test("a streamed run takes no webhook, and refuses before the stream begins", async ({
  api,
  inbox,
}) => {
  expectError(
    await api.post("/v1/realtime/runs", { input: {}, webhook_url: inbox.url }),
    400,
    "INVALID_INPUT",
    "webhook_url",
  );
});

test("usage by model is part of the stream and only grows", async ({ api, script }) => {
  const one = await script(
    { text: "one", tool_calls: [{ name: "todo", fill: true }], usage: { input: 100, output: 10 } },
    { text: "two", usage: { input: 200, output: 20 } },
  );
  const stream = await RunStream.start(api, { input: { text: one.mark } });
  await stream.readAll();
  const last = expectWholeLog(stream.lines);
  const growing = stream.lines
    .filter((line) => line.type === "usage.updated")
    .map((line) => line.usage.credits);
  expect(growing.length).toBeGreaterThan(0);
  expect(growing).toEqual([...growing].sort((a, b) => a - b));
  expect(growing.at(-1)).toBe(last.usage?.credits);
});

test("fifty streams at once all end whole, each with its own answer", async ({ api, script }) => {
  const scripts = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      script({ text: `answer number ${index}`, chunk_delay_ms: 10 }),
    ),
  );
  const streams = await Promise.all(
    scripts.map((one) => RunStream.start(api, { input: { text: one.mark } })),
  );
  await Promise.all(streams.map((stream) => stream.readAll()));
  for (const [index, stream] of streams.entries())
    expect(expectWholeLog(stream.lines)).toMatchObject({
      result: { text: `answer number ${index}` },
    });
});

test("a client that asks for an event stream gets newline-delimited JSON all the same", async ({
  api,
  script,
}) => {
  const one = await script({ text: "ok" });
  const stream = await RunStream.open(api, "POST", "/v1/realtime/runs", {
    json: { input: { text: one.mark } },
    headers: { accept: "text/event-stream" },
  });
  expect(stream.response.headers.get("content-type")).toMatch(/^application\/x-ndjson/);
  expectWholeLog(await stream.readAll());
});

test("NUL and lone surrogates in a model's words and calls do not break the run", async ({
  api,
  script,
}) => {
  const one = await script(
    {
      reasoning: "h\u0000m",
      text: "a\u0000b\ud800c",
      tool_calls: [{ name: "todo", args: { items: [{ text: "x\u0000y\udc00" }] } }],
    },
    { text: "Done \ud83d\ude00.", chunk_size: 1 },
  );
  const stream = await RunStream.start(api, { input: { text: one.mark } });
  await stream.readAll();
  expect(expectWholeLog(stream.lines)).toMatchObject({
    type: "run.completed",
    result: { text: "Done 😀." },
  });
  const said = stream.lines
    .flatMap((line) => (line.type === "output_text.delta" ? [line.delta] : []))
    .join("");
  expect(said).toBe("a\ufffdb\ufffdcDone 😀.");
});
