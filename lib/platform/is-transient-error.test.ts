import { expect, test } from "vitest";
import { isTransientError } from "@/lib/platform/is-transient-error";

const withCode = (code: string) => Object.assign(new Error("x"), { code });

test.each([
  withCode("57P01"),
  withCode("57P03"),
  withCode("40P01"),
  withCode("53300"),
  withCode("08006"),
  withCode("ECONNREFUSED"),
  new AggregateError([withCode("ECONNREFUSED")]),
  new Error("Connection terminated unexpectedly"),
  new Error("Client has encountered a connection error and is not queryable"),
  new Error("timeout exceeded when trying to connect"),
])("%s (%#) may work in a moment", (error) => expect(isTransientError(error)).toBe(true));

test.each([
  withCode("23505"),
  withCode("22P05"),
  withCode("42P01"),
  new Error("the condition cannot be evaluated"),
  new TypeError("x is not a function"),
  "text",
  null,
])("%s (%#) will not work the next time either", (error) => expect(isTransientError(error)).toBe(false));
