import { describe, expect, it } from "vitest";
import { createSlots } from "@/lib/runtime/sandbox/run-limited-child";

const never = new AbortController().signal;
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Asks for places by name (`a1` for the key `a`) and notes who got one. */
function holders(count: number, share: number) {
  const slots = createSlots(count, share);
  const got: string[] = [];
  const leave = new Map<string, () => void>();
  return {
    got,
    ask(name: string, signal = never) {
      const asked = slots.acquire(name.slice(0, 1), signal).then((release) => {
        got.push(name);
        leave.set(name, release);
      });
      asked.catch(() => {});
      return asked;
    },
    async leave(name: string) {
      leave.get(name)?.();
      await settled();
    },
  };
}

describe("places that keys share", () => {
  it("are never all one key's: another's first call takes the one left", async () => {
    const { ask, got } = holders(4, 1);
    for (const name of ["a1", "a2", "a3", "b1"]) void ask(name);
    await settled();
    expect(got).toEqual(["a1", "b1"]);
  });

  it("are given to the waiting keys in turn, and within a key by order", async () => {
    const { ask, got, leave } = holders(1, 1);
    for (const name of ["a1", "a2", "a3", "b1", "c1", "b2"]) void ask(name);
    await settled();
    for (let at = 0; at < 5; at++) await leave(got[at] ?? "");
    expect(got).toEqual(["a1", "a2", "b1", "c1", "a3", "b2"]);
  });

  it("go free once, however often given back, and pass over who gave up", async () => {
    const { ask, got, leave } = holders(1, 1);
    const gaveUp = new AbortController();
    void ask("a1");
    const asked = ask("b1", gaveUp.signal);
    for (const name of ["c1", "d1"]) void ask(name);
    await settled();
    gaveUp.abort(new Error("enough"));
    await expect(asked).rejects.toThrow("enough");
    await leave("a1");
    await leave("a1");
    expect(got).toEqual(["a1", "c1"]);
  });
});
