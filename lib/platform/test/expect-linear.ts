import { expect } from "vitest";

/**
 * The larger input is this many times the smaller one: linear work costs as many times more,
 * quadratic work sixty-four times.
 */
const FACTOR = 8;
/**
 * How much worse than linear is still taken for linear: caches and collections of garbage make
 * large inputs dearer.
 */
const TOLERANCE = 3;
const ROUNDS_MAX = 12;
/**
 * What costs less than this is taken to cost this much: below it the clock tells chance rather than
 * work.
 */
const NOISE_MS = 1;

/**
 * Fails when `work` costs more than its input grows: it is done with an input of `size` and with
 * one of eight times `size`, and the CPU time of both is compared with each other, never with a
 * constant, so that a slow or busy machine changes nothing. Of each the cheapest of several rounds
 * counts, as other work only ever adds; rounds are made only until the two fit.
 */
export async function expectLinear<Input>(
  size: number,
  inputOf: (size: number) => Input,
  work: (input: Input) => unknown,
): Promise<void> {
  const small = inputOf(size);
  const large = inputOf(size * FACTOR);
  let least = { small: Number.POSITIVE_INFINITY, large: Number.POSITIVE_INFINITY };
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    least = {
      small: Math.min(least.small, await costOf(work, small)),
      large: Math.min(least.large, await costOf(work, large)),
    };
    if (least.large <= boundFor(least.small)) return;
  }
  expect(
    least.large,
    `milliseconds for ${FACTOR} times the input, which cost ${least.small} ms`,
  ).toBeLessThanOrEqual(boundFor(least.small));
}

function boundFor(smallMs: number): number {
  return Math.max(NOISE_MS, smallMs) * FACTOR * TOLERANCE;
}

async function costOf<Input>(work: (input: Input) => unknown, input: Input): Promise<number> {
  const before = process.cpuUsage();
  await work(input);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
