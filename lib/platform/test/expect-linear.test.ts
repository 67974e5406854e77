import { expect, test } from "vitest";
import { expectLinear } from "@/lib/platform/test/expect-linear";

const spin = (steps: number) => {
  let sum = 0;
  for (let step = 0; step < steps; step += 1) sum = Math.imul(sum + step, 31);
  return sum;
};

test("work that grows with its input passes, with its square not", async () => {
  await expectLinear(
    1_000_000,
    (size) => size,
    (size) => spin(size),
  );
  const squared = expectLinear(
    1_500,
    (size) => size,
    (size) => spin(size * size),
  );
  await expect(squared).rejects.toThrow("times the input");
});
