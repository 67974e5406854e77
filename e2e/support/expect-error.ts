import { expect } from "@playwright/test";
import type { z } from "zod";
import type { ApiResponse } from "./api-response";
import { errorShape } from "./shapes";

// What must never reach the outside: a stack frame, a source path, a query, a database's own words.
const INTERNALS = /\bat [\w.<>]+ \(|node_modules|\.tsx?\b|\.m?js:\d|SELECT |INSERT INTO|prisma|postgres|violates|\/work\/|\/home\//i;

/** Holds an answer to the error contract: status, code, a message without internals, `details` on INVALID_INPUT, an id, JSON. */
export function expectError(response: ApiResponse, status: number, code: string, path?: string): z.infer<typeof errorShape> {
  expect({ status: response.status, error: readCode(response) }).toEqual({ status, error: code });
  expect(response.header("content-type")).toMatch(/^application\/json/);
  expect(response.header("x-request-id")).toBeTruthy();
  const body = response.as(errorShape);
  expect(body.message).not.toMatch(INTERNALS);
  if (code === "INVALID_INPUT") expect(body.details?.length).toBeGreaterThan(0);
  if (path !== undefined) expect(body.details?.map((detail) => detail.path)).toContain(path);
  return body;
}

function readCode(response: ApiResponse): unknown {
  try {
    return (response.json() as { error?: unknown }).error; // any JSON may come; the shape is checked right after
  } catch {
    return `(not JSON) ${response.text.slice(0, 300)}`;
  }
}
