import { expect, test } from "vitest";
import { BUILT_IN_TOOL_NAMES, builtInToolsOf } from "@/lib/model/agent-config/built-in-tools";
import { effectiveConfig } from "@/lib/model/agent-config/effective-config";

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
  "an agent that lists no built-in tools, with %j, has web_fetch: %s; all others but run_python it has",
  (tools, hasFetch) => {
    const expected = BUILT_IN_TOOL_NAMES.filter(
      (name) => name !== "run_python" && (hasFetch || name !== "web_fetch"),
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
  expect(builtInToolsOf()).toEqual(BUILT_IN_TOOL_NAMES.filter((name) => name !== "run_python"));
});
