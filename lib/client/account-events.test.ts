import { expect, test } from "vitest";
import { createClient } from "./lathe-client";
import { fakeClock } from "./test/clocks";
import { sendJson, startStubServer } from "./test/stub-service";

const event = (sequence: number) => ({
  sequence,
  id: `e${sequence}`,
  type: "run.completed",
  created_at: "2026-01-01T00:00:00.000Z",
  account_id: "a",
  data: {},
});
const PING = { type: "ping", created_at: "2026-01-01T00:00:00.000Z" };

/** A service whose streams of events are these, one connection after the other. */
async function clientFor(...streams: (object[] | number)[]) {
  const clock = fakeClock();
  const stub = await startStubServer((_, response) => {
    const lines = streams[Math.min(stub.requests.length, streams.length) - 1] ?? [];
    if (typeof lines === "number")
      return sendJson(response, lines, { error: "X", message: "refused" });
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    // Its last line is cut off, as where a connection breaks.
    response.end(`${lines.map((line) => JSON.stringify(line)).join("\n")}\n{"seq`);
  });
  const client = createClient({ apiKey: "k", baseUrl: stub.url, maxReconnects: 3 }, clock);
  const asked = () => stub.requests.map(({ path }) => path);
  return { client, asked, clock };
}

async function firstOf(count: number, events: AsyncIterable<{ sequence: number }>) {
  const seen: number[] = [];
  for await (const { sequence } of events) {
    seen.push(sequence);
    if (seen.length === count) break;
  }
  return seen;
}

test("the account's events come in order and once, over ending connections", async () => {
  const { client, asked } = await clientFor(
    [event(4), PING, event(6)],
    503,
    [event(6), event(7)],
    [event(9)],
  );
  const events = client.events.follow({
    startingAfter: 3,
    types: ["run.completed", "run.failed"],
  });
  expect(await firstOf(4, events)).toEqual([4, 6, 7, 9]);
  expect(asked()[0]).toBe("/v1/events?starting_after=3&types=run.completed%2Crun.failed");
  expect(
    asked().map((path) => new URL(path, "http://x").searchParams.get("starting_after")),
  ).toEqual(["3", "6", "6", "7"]);
});

test("a lasting refusal is thrown at once, and silence after some tries", async () => {
  const refused = await clientFor(401);
  await expect(firstOf(1, refused.client.events.follow())).rejects.toMatchObject({ status: 401 });
  expect(refused.asked()).toHaveLength(1);
  const silent = await clientFor([]);
  await expect(firstOf(1, silent.client.events.follow())).rejects.toMatchObject({
    name: "LatheConnectionError",
  });
  expect(silent.asked()).toHaveLength(3);
});

test("a loop that is left, or aborted, asks no more", async () => {
  const { client, asked } = await clientFor([event(1)], []);
  const leaving = new AbortController();
  const events = client.events.follow({ signal: leaving.signal });
  expect(await events.next()).toMatchObject({ value: { sequence: 1 } });
  leaving.abort(new Error("enough"));
  await expect(events.next()).rejects.toThrow("enough");
  expect(asked()).toHaveLength(1);
});
