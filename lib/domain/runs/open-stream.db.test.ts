import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { openStream } from "@/lib/domain/runs/open-stream";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";

let database: DomainDatabase;

beforeAll(async () => {
  database = await openDomainDatabase();
});
afterAll(() => database.close());
afterEach(() => {
  vi.useRealTimers();
});

/** A stream that gives what is asked of it, and when it was ended. */
function source(lines = Number.POSITIVE_INFINITY) {
  const ended = vi.fn();
  let given = 0;
  const open = async () =>
    new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          given += 1;
          if (given > lines) controller.close();
          else controller.enqueue(new Uint8Array([given]));
        },
        cancel: ended,
      },
      { highWaterMark: 0 },
    );
  return { open: vi.fn(open), ended };
}

const isLimited = expect.objectContaining({ code: "RATE_LIMITED", message: expect.stringMatching(/has \d+ streams open/) });

test("an account may have as many streams open as it may start runs in a minute, and one too many starts nothing", async () => {
  const [account, other] = [await database.account(), await database.account()];
  await database.pool.query("UPDATE accounts SET runs_per_minute = 2 WHERE id = $1", [account.accountId]);
  const streams = [await openStream(account, source().open), await openStream(account, source().open)];
  const oneTooMany = source();
  await expect(openStream(account, oneTooMany.open)).rejects.toEqual(isLimited);
  expect(oneTooMany.open).not.toHaveBeenCalled();
  await (await openStream(other, source().open)).cancel();
  await streams[0]?.cancel();
  await (await openStream(account, source().open)).cancel();
  await streams[1]?.cancel();
});

test("without an override it is the service's budget, exact when many are opened at once", async () => {
  const account = await database.account();
  const opened = await Promise.allSettled(Array.from({ length: 50 }, () => openStream(account, source().open)));
  const open = opened.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  expect(open).toHaveLength(30);
  await Promise.all(open.map((stream) => stream.cancel()));
});

test("a stream counts no more however it ended: read to its end, left, broken, or never opened", async () => {
  const account = await database.account();
  await database.pool.query("UPDATE accounts SET runs_per_minute = 1 WHERE id = $1", [account.accountId]);
  const broken = async () => new ReadableStream<Uint8Array>({ pull: () => Promise.reject(new Error("gone")) });
  for (const round of [1, 2]) {
    expect((await new Response(await openStream(account, source(3).open)).arrayBuffer()).byteLength).toBe(3);
    const left = source();
    await (await openStream(account, left.open)).cancel();
    expect(left.ended).toHaveBeenCalledTimes(1);
    await expect(new Response(await openStream(account, broken)).text()).rejects.toThrow("gone");
    await expect(openStream(account, () => Promise.reject(new Error(`refused ${round}`)))).rejects.toThrow("refused");
  }
});

test("a stream of which nothing is read for a minute breaks off and is let go; a slower one than its run is not", async () => {
  const account = await database.account();
  const run = source();
  const stream = await openStream(account, run.open);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const reader = stream.getReader();
  for (let n = 0; n < 3; n++) {
    expect((await reader.read()).done).toBe(false);
    await vi.advanceTimersByTimeAsync(59_000);
  }
  expect(run.ended).not.toHaveBeenCalled();
  await reader.read();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(run.ended).toHaveBeenCalledTimes(1);
  await expect(reader.read()).rejects.toThrow("Nothing of the stream was read");
});
