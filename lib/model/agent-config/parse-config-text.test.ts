import { describe, expect, it } from "vitest";
import { parseConfigText, parseConfigTextInSteps } from "@/lib/model/agent-config/config-text";
import { CONFIG_CONTENT_MAX_CHARACTERS } from "@/lib/model/limits";
import { expectLinear } from "@/lib/platform/test/expect-linear";
import { expectShortSteps } from "@/lib/platform/test/expect-short-steps";

const parse = (text: string) =>
  parseConfigText(text, { isKnownModel: (model) => model.startsWith("known/") });
const errors = (text: string) => {
  const parsed = parse(text);
  return parsed.ok
    ? []
    : parsed.errors.map(
        ({ path, line, column, message }) => `${line}:${column} ${path}: ${message}`,
      );
};
const lines = (...rows: string[]) => `${rows.join("\n")}\n`;
const httpTool = (more: string) =>
  lines(
    "version: 1",
    "tools:",
    "  http:",
    `    - {name: t, method: GET, url: 'https://example.com/a', ${more}}`,
  );

const DOCUMENTED = `
version: 1
model: known/model-1      # from the published list; optional
fallback_models: []
model_settings: {temperature: 0.3, max_output_tokens: 4096}
inputs: {type: object, properties: {topic: {type: string, title: Topic}}, required: [topic]}
output_schema: null
tools:
  builtin: [workspace_files, web_fetch, web_search, run_javascript, todo, artifacts]
  mcp: [{name: github, url: https://example.com/mcp, auth_secret: GITHUB_TOKEN, tools: [get_issue]}]
  http: [{name: create_ticket, description: Opens a ticket, method: POST, url: \
https://api.example.com/tickets, auth_secret: CRM_KEY, input_schema: {type: object}}]
permissions: {allow: [], ask: [create_ticket], deny: []}
limits: {max_steps: 20, timeout_seconds: 600, max_credits: 50, approval_timeout_seconds: 86400}
starters: [Summarise my week]
`;

describe("parseConfigText", () => {
  it("reads the documented config, and the least one", () => {
    const parsed = parse(DOCUMENTED);
    expect(parsed).toMatchObject({
      ok: true,
      config: {
        version: 1,
        model: "known/model-1",
        output_schema: null,
        limits: { max_credits: 50 },
      },
    });
    expect(parse("version: 1")).toEqual({ ok: true, config: { version: 1 } });
    expect(parse('{"version": 1, "starters": ["x"]}')).toEqual({
      ok: true,
      config: { version: 1, starters: ["x"] },
    });
  });

  it.each([
    ["", "1:1 : "],
    ["- version: 1", "1:1 : "],
    ["version: 2", "1:10 version: "],
    ["version: '1'", "1:10 version: "],
    ["model: known/a", "1:1 version: "],
    ["version: 1\nmodel: other/a", "2:8 model: Is not a model of the published list."],
    ["version: 1\nfallback_models: [known/a, other/b]", "2:28 fallback_models.1: Is not a model"],
    ["version: 1\ntemperature: 1", "2:1 temperature: Is not a known key."],
    ["version: 1\nmodel_settings:\n  temperature: 3", "3:16 model_settings.temperature: "],
    [
      "version: 1\nmodel_settings:\n  max_output_tokens: 1.5",
      "3:22 model_settings.max_output_tokens: ",
    ],
    ["version: 1\nlimits: {max_steps: 0}", "2:21 limits.max_steps: "],
    ["version: 1\nlimits: {max_credits: 0}", "2:23 limits.max_credits: "],
    ["version: 1\nlimits: {timeout_seconds: 1e9}", "2:27 limits.timeout_seconds: "],
    ["version: 1\ninputs: {type: array}", '2:16 inputs.type: Must be "object".'],
    [
      "version: 1\ninputs:\n  properties:\n    a: {type: text}",
      "4:15 inputs.properties.a.type: type must be one of",
    ],
    [
      "version: 1\noutput_schema: {properties: {a: {pattern: '(?=a)'}}}",
      "2:43 output_schema.properties.a.pattern: The pattern cannot be used",
    ],
    ["version: 1\ntools: {builtin: [shell]}", "2:19 tools.builtin.0: "],
    ["version: 1\ntools: {mcp: [{name: 1a, url: https://example.com}]}", "2:22 tools.mcp.0.name: "],
    [
      "version: 1\ntools: {mcp: [{name: a, url: 'https://example.com/{x}'}]}",
      "2:30 tools.mcp.0.url: This URL cannot have",
    ],
    ["version: 1\nstarters: ['']", "2:12 starters.0: "],
    ["version: 1\npermissions: {ask: ['a b']}", "2:21 permissions.ask.0: "],
    [httpTool("auth_secret: lower"), "tools.http.0.auth_secret: "],
    [httpTool("auth_header: X-Key"), "tools.http.0.auth_header: Stands without an auth_secret"],
    [
      httpTool("auth_secret: KEY, auth_header: Host"),
      "tools.http.0.auth_header: This header cannot",
    ],
    [
      httpTool("input_schema: {properties: {a: 5}}"),
      "tools.http.0.input_schema.properties.a: A schema must be",
    ],
    [
      "version: 1\ntools:\n  mcp: [{name: a, url: https://example.com}]\n" +
        "  http: [{name: a, method: GET, url: https://example.com}]",
      "4:17 tools.http.0.name: The name a is taken.",
    ],
    [
      "version: 1\ntools:\n  http: [{name: todo, method: GET, url: https://example.com}]",
      "3:17 tools.http.0.name: The name todo is taken.",
    ],
    ...["create_agent", "edit_agent", "try_agent", "finish"].map((name): [string, string] => [
      `version: 1\ntools:\n  client: [{name: ${name}, description: d, input_schema: {}}]`,
      `3:19 tools.client.0.name: The name ${name} is kept for the tool by which agents are built`,
    ]),
    [
      "version: 1\ntools:\n  http: [{name: a, method: get, url: https://example.com}]",
      "3:28 tools.http.0.method: ",
    ],
    [
      "version: 1\ntools:\n  http: [{name: a, method: GET, url: 'https://example.com/{id}', " +
        "input_schema: {properties: {x: {}}}}]",
      "tools.http.0.url: {id} is no property",
    ],
    ["version: 1\nversion: 1", "2:1 : The key version stands here twice."],
    ["version: 1\n  model: a", "1:10 : "],
  ])("refuses %j at its place", (text, expected) => {
    expect(errors(text).join("\n")).toContain(expected);
  });

  it("names at most 20 errors, and short ones", () => {
    expect(
      errors(
        lines("version: 1", ...Array.from({ length: 3_000 }, (_, index) => `unknown_${index}: 1`)),
      ),
    ).toHaveLength(20);
    expect(
      errors(`version: 1\nstarters: [${"1, ".repeat(20)}]\nfallback_models: [1]`),
    ).toHaveLength(20);
    expect(errors(`version: 1\n"${"k".repeat(500)}": 1`)[0]?.length).toBeLessThan(300);
  });

  it("takes a text of 131,072 characters, and not one more", () => {
    const text = `version: 1 #${"é".repeat(CONFIG_CONTENT_MAX_CHARACTERS - 12)}`;
    expect(text).toHaveLength(CONFIG_CONTENT_MAX_CHARACTERS);
    expect(parse(text)).toEqual({ ok: true, config: { version: 1 } });
    expect(errors(`${text}é`).join()).toContain("Longer than 131072 characters.");
  });

  const wide = (count: number, row: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => row(index)).join("");
  it.each<[string, number, (size: number) => string]>([
    [
      "thousands of items in every list",
      900,
      (size) =>
        `version: 1\nstarters: [${"x,".repeat(size)}]\nfallback_models: [${"a,".repeat(size / 8)}]`,
    ],
    [
      "many schemas with patterns",
      112,
      (size) =>
        "version: 1\ninputs:\n  properties:\n" +
        `${wide(size, (index) => `    a${index}: {pattern: '(a?){300}${index}'}\n`)}`,
    ],
    [
      "references in circles",
      150,
      (size) =>
        "version: 1\ninputs:\n  $ref: '#/$defs/a0'\n  $defs:\n" +
        wide(size, (index) => `    a${index}: {allOf: [$ref: '#/$defs/a${(index + 1) % size}']}\n`),
    ],
    [
      "unknown keys everywhere",
      375,
      (size) => `version: 1\n${wide(size, (index) => `k${index}: {a: 1}\n`)}`,
    ],
    [
      "bad tools",
      187,
      (size) => `version: 1\ntools: {http: [${wide(size, () => "{name: 1, method: X, url: y},")}]}`,
    ],
  ])("survives %s, at a cost that grows with the length alone", async (_, size, textOf) => {
    expect(parse(textOf(size * 8)).ok).toBe(false);
    await expectLinear(size, textOf, parse);
    expectShortSteps(() => parseConfigTextInSteps(textOf(size * 8)));
  });
});
