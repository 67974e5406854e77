import { expect, test } from "vitest";
import { BUILT_IN_TOOL_NAMES, builtInToolsOf } from "@/lib/model/agent-config/built-in-tools";
import { effectiveConfig } from "@/lib/model/agent-config/effective-config";

/** What an agent has only where its config lists it. */
const LISTED_ONLY: readonly string[] = ["run_python", "ask_user"];
const http = [{ name: "find", method: "GET" as const, url: "https://crm.example.com/find" }];
const mcp = [{ name: "hub", url: "https://hub.example.com/mcp" }];
const client = [{ name: "pick", description: "Picks.", input_schema: {} }];

test.each([
  [{}, true],
  [{ http }, false],
  [{ mcp }, false],
  [{ client }, false],
  [{ http: [], mcp: [], client: [] }, true],
  [{ http, web: { allowed_hosts: ["example.org"] } }, true],
  [{ http, web: { allowed_hosts: [] } }, false],
])(
  "an agent without a list of tools, with %j, has web_fetch: %s, and all the usual others",
  (tools, hasFetch) => {
    const expected = BUILT_IN_TOOL_NAMES.filter(
      (name) => !LISTED_ONLY.includes(name) && (hasFetch || name !== "web_fetch"),
    );
    expect(builtInToolsOf(tools)).toEqual(expected);
    expect(effectiveConfig({ version: 1, tools }).tools.builtin).toEqual(expected);
  },
);

test("a list is taken as it is, once each", () => {
  expect(builtInToolsOf({ builtin: ["web_fetch", "todo", "web_fetch"], http })).toEqual([
    "web_fetch",
    "todo",
  ]);
  expect(builtInToolsOf({ builtin: [] })).toEqual([]);
  expect(builtInToolsOf({ builtin: ["run_python"] })).toEqual(["run_python"]);
  expect(builtInToolsOf({ builtin: ["ask_user"] })).toEqual(["ask_user"]);
  expect(builtInToolsOf()).toEqual(
    BUILT_IN_TOOL_NAMES.filter((name) => !LISTED_ONLY.includes(name)),
  );
});
