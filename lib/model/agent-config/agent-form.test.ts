import { describe, expect, it } from "vitest";
import {
  applyFormLine,
  FORM_KEYS,
  type FormAgent,
  formLineOf,
  readFormLine,
  withFormLines,
} from "@/lib/model/agent-config/agent-form";
import { checkAgentConfig } from "@/lib/model/agent-config/check-agent-config";
import { expectLinear } from "@/lib/platform/test/expect-linear";

const EMPTY: FormAgent = {
  name: "",
  description: "",
  writeAutonomy: "approval_required",
  config: { version: 1 },
};

function apply(line: string, agent: FormAgent = EMPTY) {
  const read = readFormLine(line);
  if (read === null) throw new Error(`${line} is no line of the form`);
  return applyFormLine(agent, read, { isKnownModel: (id) => id === "openai/gpt-5.1" });
}

function configOf(line: string, before: FormAgent["config"] = EMPTY.config) {
  const result = apply(line, { ...EMPTY, config: before });
  if (!result.ok) throw new Error(result.problem);
  const checked = checkAgentConfig(result.agent.config);
  expect(checked.ok).toBe(true);
  return result.agent.config;
}

describe("a line of the form", () => {
  it.each<[line: string, part: FormAgent["config"]]>([
    ["max_steps: 8", { limits: { max_steps: 8 } }],
    ["Max Steps: 8", { limits: { max_steps: 8 } }],
    ["limits.max_steps: 8", { limits: { max_steps: 8 } }],
    ["max_credits: 2.50", { limits: { max_credits: 2.5 } }],
    ["max_credits: null", { limits: { max_credits: null } }],
    ["temperature: 0.2", { model_settings: { temperature: 0.2 } }],
    ["reasoning: low", { model_settings: { reasoning: "low" } }],
    ["model: openai/gpt-5.1", { model: "openai/gpt-5.1" }],
    ["tools: web_search, memory", { tools: { builtin: ["web_search"], memory: true } }],
    ["tools: none", { tools: { builtin: [] } }],
    ["allowed_hosts: example.com", { tools: { web: { allowed_hosts: ["example.com"] } } }],
    ["ask before: web_fetch, mail", { permissions: { ask: ["web_fetch", "mail"] } }],
    ["never call: web_fetch", { permissions: { deny: ["web_fetch"] } }],
    [
      "starters: Total by region; Total, by month",
      { starters: ["Total by region", "Total, by month"] },
    ],
    ["inputs: default", {}],
    [
      'inputs: year (integer, required), region, kind (a | b; "what, it (is)"), n (number or null)',
      {
        inputs: {
          type: "object",
          properties: {
            year: { type: "integer" },
            region: { type: "string" },
            kind: { type: "string", enum: ["a", "b"], description: "what, it (is)" },
            n: { type: ["number", "null"] },
          },
          required: ["year"],
        },
      },
    ],
    [
      "output: level (integer, 1 | 2)",
      {
        output_schema: {
          type: "object",
          properties: { level: { type: "integer", enum: [1, 2] } },
        },
      },
    ],
  ])("%s is set as the config has it", (line, part) => {
    expect(configOf(line)).toEqual({ version: 1, ...part });
  });

  it("takes a setting away with the value default, and leaves what stands beside it", () => {
    const before = { version: 1, limits: { max_steps: 8, max_credits: 2 } };
    expect(configOf("max_steps: default", before)).toEqual({
      version: 1,
      limits: { max_credits: 2 },
    });
  });

  it.each([
    ["max_steps: eight", /limits\.max_steps: .*number/],
    ["max_steps: 100000", /limits\.max_steps: /],
    ["timeout_seconds: 5 minutes", /limits\.timeout_seconds: /],
    ["model: acme/best", /model: Is not a model of the published list/],
    ["tools: fax", /tools\.builtin\.0: /],
    ["output: a table of totals, by month", /“a table of totals” is no name/],
    ["inputs: year (whole number)", /inputs\.properties\.year\.type: /],
    ["inputs: year (integer, number)", /one type/],
    ["inputs: year, year", /twice/],
    ["inputs: year (integer", /stays open/],
    ["inputs: year) integer", /stays open/],
    ["inputs: year (integer) or so", /“or so” stands behind/],
    ["inputs: ,", /names no field/],
    ["inputs: __proto__", /__proto__ is not allowed/],
    ["output:", /has no value/],
    ["write_autonomy: sometimes", /full_auto, approval_required, blocked/],
    [`name: ${"x".repeat(256)}`, /1 to 255/],
  ])("%s is refused with what is wrong", (line, problem) => {
    const result = apply(line);
    expect(result).toEqual({ ok: false, problem: expect.stringMatching(problem) });
  });

  it.each([
    "Answer briefly: in one sentence.",
    "  max_steps: 8",
    "- max_steps: 8",
    "max_steps 8",
    ": 8",
    "The name: Bob",
    "toString: 1",
    "",
  ])("%j is none", (line) => {
    expect(readFormLine(line)).toBeNull();
  });

  it("has every key of the documentation, and the agent's own fields", () => {
    for (const key of FORM_KEYS) expect(formLineOf(key.toUpperCase(), "1")?.key).toBe(key);
    expect(apply("name: “Sales Scout”")).toMatchObject({
      ok: true,
      agent: { name: "Sales Scout" },
    });
    expect(apply("description: It's “said”.")).toMatchObject({
      agent: { description: "It's “said”." },
    });
    expect(apply("write_autonomy: Blocked")).toMatchObject({ agent: { writeAutonomy: "blocked" } });
  });

  it.each(["(", '"', ",", "a(", "a ", "“", "a(b|", "|"])(
    "of many %j costs as much as it is long",
    async (part) => {
      await expectLinear(
        20_000,
        (size) => `inputs: ${part.repeat(size)}`,
        (line) => apply(line),
      );
    },
  );
});

describe("fields of a page", () => {
  it("become lines behind the request, each on one line, and none where they are empty", () => {
    const written = withFormLines("Sort mail. ", {
      inputs: "year (integer),\n region",
      output: " ",
      "ask before": "web_fetch",
    });
    expect(written).toBe("Sort mail.\n\ninputs: year (integer),  region\nask before: web_fetch");
    expect(written.split("\n").map((line) => readFormLine(line)?.key)).toEqual([
      undefined,
      undefined,
      "inputs",
      "ask before",
    ]);
    expect(withFormLines("Sort mail. ", { output: "" })).toBe("Sort mail. ");
  });
});
