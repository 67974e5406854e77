import fc from "fast-check";
import { expect, test } from "vitest";
import { expectLinear } from "@/lib/platform/test/expect-linear";
import { type Clock, SYSTEM_CLOCK } from "./clock";
import {
  type ClientOptions,
  createClient,
  LatheApiError,
  LatheError,
  LatheRunUnknownError,
  LatheStreamError,
} from "./lathe-client";
import type { LoggedEvent } from "./schemas";
import { abortingClock, fakeClock } from "./test/clocks";
import { type Cut, RUN_ID, sampleLog, startStubRun } from "./test/stub-service";

const LOG = sampleLog(["Grüße ", "an 🌍, ", "", "日本", "\u2028 und alle"]);
const FIRST_LINE_BYTES = Buffer.byteLength(`${JSON.stringify(LOG[0])}\n`);

async function clientFor(
  cuts: readonly Cut[],
  { log = LOG, ...options }: Partial<ClientOptions> & { log?: LoggedEvent[] } = {},
) {
  const clock = fakeClock();
  const stub = await startStubRun(log, cuts);
  const client = createClient({ apiKey: "svc_sk_test", baseUrl: stub.url, ...options }, clock);
  const resumed = () =>
    stub.requests
      .map(({ path }) => new URL(path, stub.url).searchParams.get("starting_after"))
      .filter((after) => after !== null);
  return { client, clock, resumed, requests: stub.requests };
}

/** All that a stream gives, and how it ended. */
async function read(stream: AsyncIterable<LoggedEvent>) {
  const events: LoggedEvent[] = [];
  try {
    for await (const event of stream) events.push(event);
    return { events, error: null };
  } catch (error) {
    return { events, error };
  }
}

test("a whole stream is one request, and gives every event but the pings", async () => {
  const { client, requests } = await clientFor([]);
  const stream = client.runs.stream({ input: { text: "x" } });
  expect(requests).toEqual([]);
  expect(await read(stream)).toEqual({ events: LOG, error: null });
  expect([stream.runId, stream.lastSequenceNumber]).toEqual([RUN_ID, LOG.length - 1]);
  expect(requests).toMatchObject([
    {
      method: "POST",
      path: "/v1/realtime/runs",
      body: '{"input":{"text":"x"}}',
      headers: { accept: "application/x-ndjson" },
    },
  ]);
});

test("a stream cut at any byte, any number of times, is resumed whole and once", async () => {
  const whole = LOG.reduce(
    (bytes, event) => bytes + Buffer.byteLength(JSON.stringify(event)) + 80,
    0,
  );
  const cut = fc.record({
    bytes: fc.integer({ min: 0, max: whole }),
    ends: fc.constantFrom("break" as const, "end" as const),
    chunk: fc.integer({ min: 1, max: 400 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: FIRST_LINE_BYTES, max: whole }),
      fc.array(cut, { maxLength: 6 }),
      async (bytes, more) => {
        const { client, requests } = await clientFor([{ bytes, ends: "break" }, ...more]);
        expect(await read(client.runs.stream({ input: {} }))).toEqual({ events: LOG, error: null });
        expect(requests.filter(({ method }) => method === "POST")).toHaveLength(1);
      },
    ),
    { numRuns: 60 },
  );
});

test("a cut in the middle of a character and of a line loses neither", async () => {
  const text = LOG.map((event) => `${JSON.stringify(event)}\n`).join("");
  const inCharacter = Buffer.byteLength(text.slice(0, text.indexOf("🌍"))) + 2;
  const { client, resumed } = await clientFor([
    { text, bytes: inCharacter, ends: "break" },
    { bytes: 10 },
  ]);
  expect(await read(client.runs.stream({ input: {} }))).toEqual({ events: LOG, error: null });
  expect(resumed()).toEqual(["1", "1"]);
});

test("a character whose bytes come one by one is whole", async () => {
  const { client } = await clientFor([{ chunk: 1 }]);
  expect(await read(client.runs.events(RUN_ID))).toEqual({ events: LOG, error: null });
});

test("lines that come again are given once", async () => {
  const again = LOG.map((event) => `${JSON.stringify(event)}\n`).join("");
  const { client } = await clientFor([
    { bytes: FIRST_LINE_BYTES + 300, ends: "break" },
    { text: again + again },
  ]);
  expect((await read(client.runs.stream({ input: {} }))).events).toEqual(LOG);
});

test("a line that is left out is fetched, not skipped", async () => {
  const text = LOG.filter(({ sequence_number }) => sequence_number !== 2)
    .map((event) => `${JSON.stringify(event)}\n`)
    .join("");
  const { client, resumed } = await clientFor([{ text }]);
  expect(await read(client.runs.stream({ input: {} }))).toEqual({ events: LOG, error: null });
  expect(resumed()).toEqual(["1"]);
});

for (const [name, text] of [
  [
    "an error line",
    '{"type":"error","sequence_number":1,"run_id":"r","created_at":"",' +
      '"code":"STREAM_INTERRUPTED","message":"No."}\n',
  ],
  ["a line that is no JSON", "<html>\n"],
  ["a line that is no object", "42\n"],
  ["bytes that are no UTF-8", "\ud800"],
] as const) {
  test(`${name} ends the connection, not the stream`, async () => {
    const first = `${JSON.stringify(LOG[0])}\n`;
    const { client, resumed } = await clientFor([{ text: first + text }]);
    expect(await read(client.runs.stream({ input: {} }))).toEqual({ events: LOG, error: null });
    expect(resumed()).toEqual(["0"]);
  });
}

test("silence counts as a broken connection", async () => {
  const { client, resumed } = await clientFor([{ bytes: FIRST_LINE_BYTES, ends: "hang" }], {
    stallMs: 40,
  });
  expect(await read(client.runs.stream({ input: {} }))).toEqual({ events: LOG, error: null });
  expect(resumed()).toEqual(["0"]);
});

test("a service that restarts meanwhile is waited for, as it asks", async () => {
  const down = { status: 503, headers: { "retry-after": "4" } };
  const { client, clock } = await clientFor([
    { bytes: FIRST_LINE_BYTES, ends: "break" },
    down,
    { status: 500 },
    down,
  ]);
  expect(await read(client.runs.stream({ input: {} }))).toEqual({ events: LOG, error: null });
  expect(clock.slept).toEqual([250, 4500, 1000, 4500]);
});

test("when nothing comes again and again, the error says how to go on", async () => {
  const { client, clock } = await clientFor(
    [{ bytes: FIRST_LINE_BYTES, ends: "break" }, ...Array(20).fill({ status: 503 })],
    {
      maxReconnects: 4,
    },
  );
  const { events, error } = await read(client.runs.stream({ input: {} }));
  expect(events).toEqual(LOG.slice(0, 1));
  expect(error).toBeInstanceOf(LatheStreamError);
  expect(error).toMatchObject({ runId: RUN_ID, lastSequenceNumber: 0, cause: { status: 503 } });
  expect(clock.slept).toEqual([250, 500, 1000, 2000]);
});

test("what will not pass is not tried again", async () => {
  const { client, requests } = await clientFor([
    { bytes: FIRST_LINE_BYTES, ends: "break" },
    { status: 404 },
  ]);
  expect((await read(client.runs.stream({ input: {} }))).error).toBeInstanceOf(LatheApiError);
  expect(requests).toHaveLength(2);
});

for (const [name, cut] of [
  ["broken", { bytes: FIRST_LINE_BYTES - 1, ends: "break" }],
  ["closed", { bytes: 0, ends: "end" }],
  ["answered by a gateway", { text: "<html>\n" }],
] as const) {
  test(`a start with a connection ${name} before its run is made once, and says so`, async () => {
    const { client, requests } = await clientFor([cut]);
    const { events, error } = await read(client.runs.stream({ input: {} }));
    expect(events).toEqual([]);
    expect(error).toBeInstanceOf(LatheRunUnknownError);
    expect(requests).toHaveLength(1);
  });
}

test("a refused start is thrown as such; a full budget is waited for", async () => {
  const refused = await clientFor([{ status: 503 }]);
  expect((await read(refused.client.runs.stream({ input: {} }))).error).toMatchObject({
    code: "SERVICE_UNAVAILABLE",
  });
  expect(refused.requests).toHaveLength(1);
  const limited = await clientFor([{ status: 429, headers: { "retry-after": "3" } }]);
  expect(await read(limited.client.runs.stream({ input: {} }))).toEqual({
    events: LOG,
    error: null,
  });
  expect(limited.clock.slept).toEqual([3500]);
});

test("a run that is there is read from where the reader is", async () => {
  const { client, resumed } = await clientFor([{ bytes: 20, ends: "break" }]);
  expect(await read(client.runs.events(RUN_ID, { startingAfter: 2 }))).toEqual({
    events: LOG.slice(3),
    error: null,
  });
  expect(resumed()).toEqual(["2", "2"]);
});

test("nothing left to read is an end; a rest that is no longer kept is an error", async () => {
  const all = await clientFor([]);
  const last = LOG.length - 1;
  expect(await read(all.client.runs.events(RUN_ID, { startingAfter: last }))).toEqual({
    events: [],
    error: null,
  });
  expect(await all.client.runs.events(RUN_ID, { startingAfter: last }).end()).toBeNull();
  const gone = await clientFor([
    { bytes: FIRST_LINE_BYTES, ends: "end" },
    { text: "" },
    { text: "" },
  ]);
  expect((await read(gone.client.runs.stream({ input: {} }))).error).toMatchObject({
    message: expect.stringContaining("no longer keeps"),
  });
});

test("a run that ends while nobody is connected is read to its end", async () => {
  const { client } = await clientFor([{ bytes: FIRST_LINE_BYTES, ends: "end" }, { text: "" }]);
  expect(await read(client.runs.stream({ input: {} }))).toEqual({ events: LOG, error: null });
});

test("end() reads to the terminal event", async () => {
  const { client } = await clientFor([{ bytes: 700, ends: "break" }]);
  expect(await client.runs.stream({ input: {} }).end()).toEqual(LOG.at(-1));
});

test("leaving the loop closes the connection, and a stream is read once", async () => {
  const { client, requests } = await clientFor([{ bytes: FIRST_LINE_BYTES, ends: "hang" }]);
  const stream = client.runs.stream({ input: {} });
  for await (const event of stream) {
    expect(event).toEqual(LOG[0]);
    break;
  }
  expect(
    (await read({ [Symbol.asyncIterator]: () => stream[Symbol.asyncIterator]() })).error,
  ).toBeInstanceOf(LatheError);
  expect(requests).toHaveLength(1);
});

test("a signal ends a stream at once, even within what has arrived already", async () => {
  const controller = new AbortController();
  const { client } = await clientFor([]);
  const seen: LoggedEvent[] = [];
  const reading = (async () => {
    for await (const event of client.runs.stream({ input: {} }, { signal: controller.signal })) {
      seen.push(event);
      controller.abort(new Error("enough"));
    }
  })();
  await expect(reading).rejects.toThrow("enough");
  expect(seen).toEqual(LOG.slice(0, 1));
});

test("a signal ends a stream that is silent, and one that waits to be resumed", async () => {
  const controller = new AbortController();
  const { url } = await startStubRun(LOG, [{ bytes: FIRST_LINE_BYTES, ends: "break" }]);
  const client = createClient({ apiKey: "k", baseUrl: url }, abortingClock(controller));
  expect(
    (await read(client.runs.stream({ input: {} }, { signal: controller.signal }))).error,
  ).toMatchObject({ message: "enough" });
  const silent = await clientFor([{ bytes: FIRST_LINE_BYTES, ends: "hang" }]);
  const again = new AbortController();
  const stream = silent.client.runs
    .stream({ input: {} }, { signal: again.signal })
    [Symbol.asyncIterator]();
  expect((await stream.next()).value).toEqual(LOG[0]);
  const next = stream.next();
  again.abort(new Error("enough"));
  await expect(next).rejects.toThrow("enough");
});

/** A clock whose waits never end by themselves, but are cut short by `act`. */
function waitingClock(act: () => void): Clock {
  return {
    ...SYSTEM_CLOCK,
    sleep(_, signal) {
      queueMicrotask(act);
      return SYSTEM_CLOCK.sleep(3_600_000, signal);
    },
  };
}

test("retryNow ends the wait for the next try, and the reader is told of each wait", async () => {
  const cut = { bytes: FIRST_LINE_BYTES, ends: "break" } as const;
  const { url, requests } = await startStubRun(LOG, [
    cut,
    { status: 503 },
    { status: 503, headers: { "retry-after": "50" } },
  ]);
  let waits = 0;
  const client = createClient(
    { apiKey: "k", baseUrl: url, maxReconnects: 2 },
    waitingClock(() => stream.retryNow()),
  );
  const stream = client.runs.stream({ input: {} }, { onReconnect: () => (waits += 1) });
  expect(await read(stream)).toEqual({ events: LOG, error: null });
  expect([waits, requests.length]).toEqual([3, 4]);
});

test("retryNow keeps no signal from ending the wait, and leaves open streams", async () => {
  const controller = new AbortController();
  const { url } = await startStubRun(LOG, [{ bytes: FIRST_LINE_BYTES, ends: "break" }]);
  const clock = waitingClock(() => controller.abort(new Error("enough")));
  const stopped = createClient({ apiKey: "k", baseUrl: url }, clock).runs.stream(
    { input: {} },
    { signal: controller.signal },
  );
  stopped.retryNow();
  expect((await read(stopped)).error).toMatchObject({ message: "enough" });
  const { client, requests } = await clientFor([]);
  const whole = client.runs.events(RUN_ID);
  const events: LoggedEvent[] = [];
  for await (const event of whole) {
    whole.retryNow();
    events.push(event);
  }
  expect(events).toEqual(LOG);
  expect(requests).toHaveLength(1);
});

test("a run whose log is gone is found to have ended without a wait", async () => {
  const { client, clock } = await clientFor([{ text: "" }, { text: "" }]);
  expect(await read(client.runs.events(RUN_ID))).toEqual({ events: [], error: null });
  expect(clock.slept).toEqual([]);
});

test("events and fields that this client does not know pass through", async () => {
  const [first, ...rest] = LOG;
  const strange = { ...first, type: "mood.changed", sequence_number: 1, mood: "good" };
  const shifted = rest.map((event) => ({
    ...event,
    sequence_number: event.sequence_number + 1,
    more: true,
  }));
  const text = [first, strange, { type: "note", run_id: RUN_ID }, ...shifted]
    .map((event) => `${JSON.stringify(event)}\n`)
    .join("");
  const { client } = await clientFor([{ text }]);
  expect((await read(client.runs.stream({ input: {} }))).events).toEqual([
    first,
    strange,
    ...shifted,
  ]);
});

test("a long line costs no more than its length", async () => {
  await expectLinear(
    1_000_000,
    (size) => sampleLog(["x".repeat(size)]),
    async (log) => {
      const { client } = await clientFor([{ chunk: 4096 }], { log });
      expect((await read(client.runs.stream({ input: {} }))).events).toEqual(log);
    },
  );
});
