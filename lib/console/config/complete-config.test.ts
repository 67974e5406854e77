import { expect, test } from "vitest";
import { completeConfig } from "@/lib/console/config/complete-config";
import { AGENT_CONFIG_JSON_SCHEMA } from "@/lib/model/agent-config/agent-config-json-schema";
import type { JsonObject } from "@/lib/model/json-schema/json-value";

const SCHEMA = AGENT_CONFIG_JSON_SCHEMA as unknown as JsonObject; // a schema is JSON

/** What is offered where `|` stands. */
function at(text: string): string[] {
  return (
    completeConfig(text.slice(0, text.indexOf("|")).split("\n"), SCHEMA, [
      "builtin/offline",
    ])?.options.map(({ label }) => label) ?? []
  );
}

test.each([
  ["the top", "ver|", ["version", "model", "limits", "tools"]],
  ["a map", "version: 1\nlimits:\n  ma|", ["max_steps", "timeout_seconds"]],
  [
    "a map after a comment and an empty line",
    "limits: # bounds\n\n  # how long\n  max_steps: 3\n  |",
    ["timeout_seconds"],
  ],
  [
    "an item of a list",
    "tools:\n  http:\n    - name: a\n      me|",
    ["method", "url", "auth_secret"],
  ],
  ["an item that opens", "tools:\n  http:\n    - |", ["name", "method"]],
  [
    "a list that stands as far in as its key",
    "tools:\n  mcp:\n  - name: a\n    u|",
    ["url", "tools"],
  ],
  ["the second item", "tools:\n  http:\n    - name: a\n      url: x\n    - na|", ["name"]],
  ["the top after deep lines", "tools:\n  http:\n    - name: a\n|", ["permissions"]],
])("keys are offered at %s", (_where, text, labels) =>
  expect(at(text)).toEqual(expect.arrayContaining(labels)),
);

test.each([
  ["of an enumeration", "tools:\n  http:\n    - name: a\n      method: P|", ["POST", "PUT"]],
  ["of a list", "tools:\n  builtin:\n    - w|", ["workspace_files", "web_fetch"]],
  ["that are models", "model: |", ["builtin/offline"]],
  ["that are models in a list", "fallback_models:\n  - |", ["builtin/offline"]],
  ["that are the only one", "version: |", ["1"]],
])("values %s are offered", (_what, text, labels) =>
  expect(at(text)).toEqual(expect.arrayContaining(labels)),
);

test("keys of one place are not offered at another, nor anything in braces or a text", () => {
  expect(at("limits:\n  |")).not.toContain("model");
  expect(at("limits: {ma|")).toEqual([]);
  expect(at("tools:\n  http:\n    - description: some wo|")).toEqual([]);
  expect(at("inputs:\n  properties:\n    topic:\n      |")).toEqual([]);
});

test("the typed letters are what a suggestion replaces", () => {
  expect(completeConfig(["limits:", "  max_"], SCHEMA, [])?.length).toBe(4);
});
