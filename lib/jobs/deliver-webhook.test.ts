import { expect, test } from "vitest";
import type { AttemptOutcome } from "@/lib/domain/webhooks/attempt-delivery";
import { deliver } from "@/lib/jobs/deliver-webhook";

/**
 * Delivers with the service's own pauses, in no time: what each attempt gives stands in `outcomes`,
 * the last one for all that follow.
 */
async function delivered(...outcomes: AttemptOutcome[]) {
  const seen = { attempts: 0, sleepsMs: [] as number[], gaveUp: 0 };
  const step = {
    run: async <T>(_: string, work: () => T | Promise<T>): Promise<T> =>
      JSON.parse(JSON.stringify((await work()) ?? null)),
    sleep: async (_: string, milliseconds: number) => void seen.sleepsMs.push(milliseconds),
  };
  const attempt = async () =>
    outcomes[Math.min(seen.attempts++, outcomes.length - 1)] ?? { outcome: "stop" as const };
  await deliver(step, attempt, async () => void seen.gaveUp++);
  return seen;
}

const again = (retryAfterSeconds: number | null = null): AttemptOutcome => ({
  outcome: "retry",
  retryAfterSeconds,
});
const seconds = (text: number[]) => text.map((milliseconds) => milliseconds / 1000);

test("attempts are made at 0 s, 5 s, 30 s, 2 min and 10 min, or a tenth later", async () => {
  const { attempts, sleepsMs, gaveUp } = await delivered(again());
  expect({ attempts, gaveUp }).toEqual({ attempts: 5, gaveUp: 1 });
  const times = [5, 30, 120, 600];
  const pauses = times.map((time, index) => time - (times[index - 1] ?? 0));
  for (const [index, pause] of pauses.entries()) {
    expect(seconds(sleepsMs)[index]).toBeGreaterThanOrEqual(pause);
    expect(seconds(sleepsMs)[index]).toBeLessThanOrEqual(pause * 1.1 + 0.001);
  }
  expect(sleepsMs).toHaveLength(pauses.length);
});

test("many failed deliveries do not return at once", async () => {
  const first = await Promise.all(
    Array.from({ length: 20 }, async () => (await delivered(again())).sleepsMs[0]),
  );
  expect(new Set(first).size).toBeGreaterThan(1);
});

test("a receiver's Retry-After makes a pause longer, never shorter", async () => {
  const { sleepsMs } = await delivered(again(60), again(1), again(3600), again());
  expect(seconds(sleepsMs)[0]).toBe(60);
  expect(seconds(sleepsMs)[1]).toBeGreaterThanOrEqual(25);
  expect(seconds(sleepsMs)[2]).toBe(3600);
});

test("what was delivered is not tried again, and what was refused is given up", async () => {
  expect(await delivered(again(), { outcome: "delivered" })).toMatchObject({
    attempts: 2,
    gaveUp: 0,
  });
  expect(await delivered({ outcome: "stop" })).toEqual({ attempts: 1, sleepsMs: [], gaveUp: 1 });
});
