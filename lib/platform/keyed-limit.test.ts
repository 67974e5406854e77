import { expect, test } from "vitest";
import { KeyedLimit } from "@/lib/platform/wakeable";

function gates() {
  const opened = new Map<string, () => void>();
  const began: string[] = [];
  const work = (name: string) => () => {
    began.push(name);
    return new Promise<void>((resolve) => opened.set(name, resolve));
  };
  return { began, work, end: (name: string) => opened.get(name)?.() };
}

test("no more of a key work at once than its limit, in order; other keys do not wait", async () => {
  const limit = new KeyedLimit(2);
  const { began, work, end } = gates();
  const all = ["a1", "a2", "a3", "a4", "b1"].map((name) => limit.run(name.slice(0, 1), work(name)));
  expect(began).toEqual(["a1", "a2", "b1"]);
  end("a2");
  await all[1];
  expect(began).toEqual(["a1", "a2", "b1", "a3"]);
  for (const name of ["a1", "a3"]) end(name);
  await Promise.all([all[0], all[2]]);
  expect(began.at(-1)).toBe("a4");
  for (const name of ["a4", "b1"]) end(name);
  await Promise.all(all);
});

test("work that fails gives its place on, and its error to whoever asked for it", async () => {
  const limit = new KeyedLimit(1);
  const failed = limit.run("a", () => Promise.reject(new Error("no")));
  const next = limit.run("a", async () => "yes");
  await expect(failed).rejects.toThrow("no");
  expect(await next).toBe("yes");
});
