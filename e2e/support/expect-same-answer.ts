import { expect } from "@playwright/test";
import type { ApiResponse } from "./api-response";

// What differs between two answers to anybody: ids and clocks.
const PASSING = new Set(["x-request-id", "date", "ratelimit", "x-ratelimit-remaining", "x-ratelimit-reset", "connection", "keep-alive"]);

/** Byte for byte the same answer, request id aside: what belongs to somebody else looks like what is not there. */
export function expectSameAnswer(foreign: ApiResponse, missing: ApiResponse, status: number): void {
  const seen = (response: ApiResponse) => ({
    status: response.status,
    body: response.text.replaceAll(response.header("x-request-id") ?? "\u0000", "REQUEST"),
    headers: [...response.headers].filter(([name]) => !PASSING.has(name)),
  });
  expect(seen(foreign)).toEqual(seen(missing));
  expect(foreign.status).toBe(status);
}
