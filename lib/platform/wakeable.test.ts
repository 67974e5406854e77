import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Wakeable } from "@/lib/platform/wakeable";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Whether the rest has ended, looked at after everything that is due now. */
async function ended(rest: Promise<void>): Promise<boolean> {
  const seen = vi.fn();
  void rest.then(seen);
  await vi.advanceTimersByTimeAsync(0);
  return seen.mock.calls.length > 0;
}

test("a rest ends at its time, or at once when it is woken", async () => {
  const wakeable = new Wakeable();
  const timed = wakeable.rest(1_000);
  await vi.advanceTimersByTimeAsync(999);
  expect(await ended(timed)).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await ended(timed)).toBe(true);

  const woken = wakeable.rest(1_000);
  wakeable.wake();
  expect(await ended(woken)).toBe(true);
  expect(vi.getTimerCount(), "no timer is left behind").toBe(0);
});

test("an endless rest is ended by a wake alone, and far times fire not at once", async () => {
  const wakeable = new Wakeable();
  const endless = wakeable.rest(null);
  await vi.advanceTimersByTimeAsync(1e9);
  expect(await ended(endless)).toBe(false);
  wakeable.wake();
  expect(await ended(endless)).toBe(true);
  const past = wakeable.rest(-5);
  await vi.advanceTimersByTimeAsync(1);
  expect(await ended(past)).toBe(true);
  const far = wakeable.rest(1e12);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await ended(far)).toBe(false);
  wakeable.wake();
  await far;
});
