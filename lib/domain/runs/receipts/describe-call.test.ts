import { expect, test } from "vitest";
import {
  describeCall,
  describeUnkept,
  shownTarget,
} from "@/lib/domain/runs/receipts/describe-call";
import { effectiveConfig } from "@/lib/model/agent-config/effective-config";
import { ACTION_TARGET_MAX_CHARACTERS } from "@/lib/model/run/run-action";

const { tools } = effectiveConfig({
  version: 1,
  tools: {
    http: [
      { name: "read_row", method: "GET", url: "https://user.example.com/rows/{id}?token=t0" },
      { name: "add_row", method: "POST", url: "https://api.example.com:8443/rows" },
    ],
    mcp: [{ name: "hub", url: "https://hub.example.com/mcp", read_only: ["list"] }],
    client: [{ name: "ship", description: "Ships.", input_schema: { type: "object" } }],
  },
});

test("a call without record is described by the agent's definition, else writes", () => {
  const of = (name: string, input: unknown = {}) => describeUnkept({ name, input }, { tools });
  expect(of("read_row", { id: "a b" })).toEqual({
    kind: "read",
    target: "user.example.com/rows/a%20b",
  });
  expect(of("add_row", { id: "x" })).toEqual({
    kind: "write",
    target: "api.example.com:8443/rows",
  });
  expect(of("hub__list")).toEqual({ kind: "write", target: "hub/list" });
  expect(of("ship")).toEqual({ kind: "write", target: "ship" });
  expect(of("nobody_knows")).toEqual({ kind: "write", target: "nobody_knows" });
  expect(of("files_read", { path: "a.txt" })).toEqual({ kind: "read", target: "a.txt" });
  expect(of("files_write", { path: "a.txt", content: "b" })).toEqual({
    kind: "write",
    target: "a.txt",
  });
  expect(of("web_fetch", { url: "https://u:p@news.example.com/a?q=secret#x" })).toEqual({
    kind: "read",
    target: "news.example.com/a",
  });
});

test("without the agent's definition a connector is what it is called, and writes", () => {
  expect(describeUnkept({ name: "read_row", input: null }, null)).toEqual({
    kind: "write",
    target: "read_row",
  });
});

test("what a call writes into a file, a note or a list is no part of what it went to", () => {
  const call = {
    name: "memory",
    input: { action: "save", text: "Kim's birthday is in May." },
  };
  expect(describeCall({ name: "memory", kind: "internal" }, call)).toEqual({
    kind: "write",
    target: "memory",
  });
  expect(
    describeCall(
      { name: "memory", kind: "internal" },
      { name: "memory", input: { action: "list" } },
    ).kind,
  ).toBe("read");
});

test("a call of another agent went to that agent: its inputs are not told", () => {
  const tool = {
    name: "research",
    kind: "internal",
    startsRun: true,
    target: "the agent Shop Researcher",
  } as const;
  const input = { path: "planted", query: "planted", title: "planted" };
  expect(describeCall(tool, { name: "research", input })).toEqual({
    kind: "write",
    target: "the agent Shop Researcher",
  });
});

test("a target is one line of a bounded length, and no mark turns its direction", () => {
  expect(shownTarget("a\n\tb\u202ec\u0000d")).toBe("a b c d");
  const long = shownTarget("😀".repeat(400));
  expect(long.length).toBeLessThanOrEqual(ACTION_TARGET_MAX_CHARACTERS);
  expect(long.isWellFormed()).toBe(true);
  expect(long.endsWith("…")).toBe(true);
});
