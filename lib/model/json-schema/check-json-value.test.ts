import { expect, test } from "vitest";
import { checkJsonValue } from "@/lib/model/json-schema/json-value";

const BOUNDS = { maxDepth: 4, maxValues: 10 };

test("a list that is too long is told by its length: no item of it is looked at", () => {
  let looks = 0;
  const list = new Proxy(new Array(1_000), {
    get(target, key, receiver) {
      if (/^\d+$/.test(String(key))) looks += 1;
      return Reflect.get(target, key, receiver);
    },
  });
  expect(checkJsonValue({ list }, BOUNDS)).toEqual({ path: [], message: "More than 10 values." });
  expect(looks).toBe(0);
});

test("as many values as may be are taken, and not one more", () => {
  const of = (count: number) => ({ a: Array.from({ length: count }, () => 1) });
  expect(checkJsonValue(of(8), BOUNDS)).toBeNull();
  expect(checkJsonValue(of(9), BOUNDS)?.message).toBe("More than 10 values.");
  expect(checkJsonValue({ a: [1, 2, 3], b: [4, 5, 6], c: 7 }, BOUNDS)).toBeNull();
  expect(checkJsonValue({ a: [1, 2, 3], b: [4, 5, 6], c: 7, d: 8 }, BOUNDS)).not.toBeNull();
});
