import { expect, test } from "vitest";
import { createHashQueue, QueueFull } from "@/lib/platform/crypto/password";

/** Work that ends when it is told to. */
function heldWork() {
  const log: { begun: number[]; most: number; now: number } = { begun: [], most: 0, now: 0 };
  const ends = new Map<number, () => void>();
  const work = (id: number) => () =>
    new Promise<number>((resolve) => {
      log.begun.push(id);
      log.now += 1;
      log.most = Math.max(log.most, log.now);
      ends.set(id, () => {
        log.now -= 1;
        resolve(id);
      });
    });
  return { log, work, end: (id: number) => ends.get(id)?.() };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("two work at once, the others wait in order, and one too many is refused", async () => {
  const queue = createHashQueue({ atOnce: 2, waiting: 3 });
  const { log, work, end } = heldWork();
  const taken = [1, 2, 3, 4, 5].map((id) => queue(work(id)));
  await expect(queue(work(6))).rejects.toThrow(QueueFull);
  expect(log.begun).toEqual([1, 2]);
  for (const id of [1, 2, 3, 4, 5]) {
    end(id);
    await settled();
  }
  expect(await Promise.all(taken)).toEqual([1, 2, 3, 4, 5]);
  expect([log.begun, log.most]).toEqual([[1, 2, 3, 4, 5], 2]);
});

test("work that fails gives its place back", async () => {
  const queue = createHashQueue({ atOnce: 1, waiting: 1 });
  const fail = () => Promise.reject(new Error("broken"));
  const all = await Promise.allSettled([queue(fail), queue(fail)]);
  expect(all.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await queue(async () => "works")).toBe("works");
});
