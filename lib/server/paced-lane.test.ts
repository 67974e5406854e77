import { expect, test } from "vitest";
import { PacedLane } from "@/lib/server/fair-queue";

function laneOf(eachTurn: number, waitingMax?: number) {
  const turns: (() => void)[] = [];
  const lane = new PacedLane(eachTurn, waitingMax, (work) => void turns.push(work));
  const done: number[] = [];
  return {
    lane,
    done,
    add: (n: number) => lane.do(() => void done.push(n)),
    turn: () => turns.shift()?.(),
  };
}

test("a few things are done at once, a flood a few in each turn of the loop", () => {
  const { done, add, turn } = laneOf(3);
  for (let n = 0; n < 8; n++) add(n);
  expect(done).toEqual([0, 1, 2]);
  turn();
  expect(done).toEqual([0, 1, 2, 3, 4, 5]);
  add(8);
  turn();
  expect(done).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  turn();
  add(9);
  expect(done.at(-1)).toBe(9);
});

test("what would wait behind too many others is not taken", () => {
  const { add } = laneOf(1, 2);
  expect([add(0), add(1), add(2), add(3)]).toEqual([true, true, true, false]);
});
