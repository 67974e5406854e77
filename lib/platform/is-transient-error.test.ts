import { describe, expect, test, vi } from "vitest";
import { isTransientError, retryTransient } from "@/lib/platform/is-transient-error";

const withCode = (code: string) => Object.assign(new Error("x"), { code });

test.each([
  withCode("57P01"),
  withCode("57P03"),
  withCode("40P01"),
  withCode("53300"),
  withCode("08006"),
  withCode("ECONNREFUSED"),
  new AggregateError([withCode("ECONNREFUSED")]),
  Object.assign(withCode("ENOENT"), { syscall: "connect" }),
  new Error("Connection terminated unexpectedly"),
  new Error("Client has encountered a connection error and is not queryable"),
  new Error("timeout exceeded when trying to connect"),
])("%s (%#) may work in a moment", (error) => expect(isTransientError(error)).toBe(true));

test.each([
  withCode("23505"),
  withCode("22P05"),
  withCode("42P01"),
  Object.assign(withCode("ENOENT"), { syscall: "open" }),
  new Error("the condition cannot be evaluated"),
  new TypeError("x is not a function"),
  "text",
  null,
])("%s (%#) will not work the next time either", (error) =>
  expect(isTransientError(error)).toBe(false),
);

describe("retryTransient", () => {
  const away = () => Object.assign(new Error("the database is starting"), { code: "57P03" });
  const failing = (times: number, error: () => Error = away) => {
    const attempt = vi.fn(async (failures: number) => {
      if (failures < times) throw error();
      return failures;
    });
    return attempt;
  };

  test("tries again until the database is back, and tells each attempt its failures", async () => {
    const attempt = failing(3);
    await expect(retryTransient(attempt)).resolves.toBe(3);
    expect(attempt.mock.calls.map(([failures]) => failures)).toEqual([0, 1, 2, 3]);
  });

  test("throws at once what will not pass", async () => {
    const attempt = failing(1, () => Object.assign(new Error("no such column"), { code: "42703" }));
    await expect(retryTransient(attempt)).rejects.toThrow("no such column");
    expect(attempt).toHaveBeenCalledTimes(1);
  });

  test("gives up with the last failure when its time or its reason is over", async () => {
    const timed = failing(Number.POSITIVE_INFINITY);
    await expect(retryTransient(timed, { giveUpMs: 50 })).rejects.toThrow("is starting");
    expect(timed.mock.calls.length).toBeGreaterThan(1);
    const pointless = failing(Number.POSITIVE_INFINITY);
    await expect(
      retryTransient(pointless, { isOver: () => pointless.mock.calls.length === 2 }),
    ).rejects.toThrow("is starting");
    expect(pointless).toHaveBeenCalledTimes(2);
  });
});
