import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { AGENT_CONFIG_JSON_SCHEMA } from "@/lib/model/agent-config/agent-config-json-schema";
import { BUILT_IN_TOOL_NAMES } from "@/lib/model/agent-config/built-in-tools";
import { checkAgentConfig, configWarnings } from "@/lib/model/agent-config/check-agent-config";
import { effectiveConfig } from "@/lib/model/agent-config/effective-config";
import { toDottedPath } from "@/lib/model/json-schema/json-value";

const issues = (value: unknown) => {
  const checked = checkAgentConfig(value);
  return checked.ok
    ? []
    : checked.issues.map(({ path, message }) => `${toDottedPath(path)}: ${message}`);
};
const tool = (name: string, url = "https://example.com/a") => ({ name, method: "GET", url });

describe("checkAgentConfig", () => {
  it("gives back exactly what was given", () => {
    const config = {
      version: 1,
      inputs: { properties: { constructor: { type: "string" } }, "x-more": [1, { a: null }] },
      limits: { max_credits: null },
    };
    expect(checkAgentConfig(config)).toEqual({ ok: true, config });
  });

  it("bounds what no YAML text bounded", () => {
    let deep: unknown = 1;
    for (let level = 0; level < 10_000; level += 1) deep = [deep];
    expect(issues({ version: 1, inputs: { default: deep } })[0]).toContain("Nested deeper");
    expect(
      issues({ version: 1, starters: Array.from({ length: 300_000 }, () => "x") })[0],
    ).toContain("More than 8000 values");
    expect(issues({ version: 1, inputs: { title: "x".repeat(140_000) } })[0]).toContain(
      "at most 131072 characters",
    );
    expect(issues({ version: 1, inputs: { title: "\u0000" } })[0]).toContain(
      "inputs.title: The text must not contain NUL",
    );
    expect(issues(JSON.parse('{"version": 1, "__proto__": {"model": "x"}}'))[0]).toContain(
      "__proto__",
    );
    for (const value of [null, [], "version: 1", 1, undefined, Number.NaN, () => 1])
      expect(issues(value)).not.toEqual([]);
  });

  it("allows no more connectors, names and texts than documented", () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => tool(`t${index}`));
    expect(issues({ version: 1, tools: { http: many(50) } })).toEqual([]);
    expect(issues({ version: 1, tools: { http: many(51) } })).toHaveLength(1);
    expect(issues({ version: 1, tools: { http: [tool("a".repeat(64))] } })).toEqual([]);
    expect(issues({ version: 1, tools: { http: [tool("a".repeat(65))] } })).toHaveLength(1);
    expect(
      issues({ version: 1, tools: { http: [tool("a", "https://user@example.com/a")] } })[0],
    ).toContain("must not carry a user name");
  });

  it("publishes a JSON Schema that takes what is taken, and refuses unknown keys", () => {
    const fits = new Ajv2020({ strict: true, allowUnionTypes: true, logger: false }).compile(
      AGENT_CONFIG_JSON_SCHEMA,
    );
    expect(
      fits({
        version: 1,
        tools: { http: [tool("a")] },
        inputs: { type: "object" },
        output_schema: null,
      }),
    ).toBe(true);
    expect(fits({ version: 1, nope: 1 })).toBe(false);
    expect(fits({ version: 1, tools: { http: [tool("1a")] } })).toBe(false);
    expect(fits({})).toBe(false);
  });
});

describe("effectiveConfig", () => {
  it("fills the documented defaults", () => {
    expect(effectiveConfig({ version: 1 })).toEqual({
      model: null,
      fallback_models: [],
      model_settings: { temperature: null, max_output_tokens: null, reasoning: null, cache: null },
      inputs: null,
      output_schema: null,
      tools: {
        builtin: BUILT_IN_TOOL_NAMES.filter((name) => name !== "run_python" && name !== "ask_user"),
        mcp: [],
        http: [],
        client: [],
        agents: [],
        python: "sandbox",
        memory: false,
        web: { allowed_hosts: [] },
      },
      permissions: { allow: [], ask: [], deny: [] },
      limits: {
        max_steps: 20,
        timeout_seconds: 600,
        max_credits: null,
        on_budget: "fail",
        approval_timeout_seconds: 86_400,
        code_seconds: 10,
      },
      skills: null,
      starters: [],
    });
  });

  it("keeps what is given, an empty list of built-in tools too, describes a tool's places", () => {
    const config = effectiveConfig({
      version: 1,
      limits: { max_steps: 3 },
      tools: {
        builtin: [],
        mcp: [{ name: "m", url: "https://example.com/mcp" }],
        http: [{ name: "h", method: "GET", url: "https://example.com/{id}" }],
      },
    });
    expect(config.limits).toMatchObject({ max_steps: 3, timeout_seconds: 600 });
    expect(config.tools.builtin).toEqual([]);
    expect(config.tools.mcp).toEqual([
      { name: "m", url: "https://example.com/mcp", tools: null, read_only: [] },
    ]);
    expect(config.tools.http[0]?.input_schema).toEqual({
      type: "object",
      properties: { id: { type: "string", minLength: 1 } },
      required: ["id"],
      additionalProperties: false,
    });
  });
});

describe("configWarnings", () => {
  it("warns of permissions that name no tool, or name one twice", () => {
    const tools = { builtin: ["todo" as const], mcp: [{ name: "gh", url: "https://example.com" }] };
    const warnings = configWarnings({
      version: 1,
      tools,
      permissions: { deny: ["todo"], ask: ["gh__get_issue", "typo"], allow: ["todo"] },
    });
    expect(warnings.map(({ path }) => toDottedPath(path))).toEqual([
      "permissions.ask.1",
      "permissions.allow.0",
    ]);
  });
});
