import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkAgentConfig } from "@/lib/model/agent-config/check-agent-config";
import { expectLinear } from "@/lib/platform/test/expect-linear";
import { CREATE_AGENT_TOOL, FINISH_TOOL } from "@/lib/runtime/prompts/agent-tools";
import { draftAgent } from "./draft-agent";
import { splitSentences } from "./request-text";
import { workOf } from "./skill-text";

const draft = (...messages: string[]) => {
  const { draft: drafted, end, notes } = draftAgent(messages, ["openai/gpt-5.1"]);
  const parsed = CREATE_AGENT_TOOL.schema.parse(drafted);
  const { needs, assumptions } = FINISH_TOOL.schema.parse({ outcome: "built", text: "", ...notes });
  const config = checkAgentConfig(parsed.config);
  if (!config.ok) throw new Error(JSON.stringify(config.issues));
  return { ...parsed, config: config.config, left: parsed.left_out ?? [], end, needs, assumptions };
};

describe("an agent of a request in prose", () => {
  it("has the request word for word as its task, and no setting of it", () => {
    const request =
      "Create an agent called “Bob” that mails me every Monday. Take at most 5 steps!\n\n" +
      "Use gpt-5.";
    const agent = draft(request);
    expect(agent.skill_content).toContain(`\n\n## Task\n\n${request}\n`);
    expect(agent.config).toEqual({
      version: 1,
      tools: { builtin: ["workspace_files", "run_javascript", "todo", "artifacts"] },
    });
    expect(agent.write_autonomy).toBe("approval_required");
    expect(agent.left).toEqual([
      "No setting was made of “Create an agent called “Bob” that mails me every Monday.”.",
      "No setting was made of “Take at most 5 steps!”.",
      "No setting was made of “Use gpt-5.”.",
    ]);
  });

  it.each([
    [
      "An agent that reads orders.csv from the workspace and says more",
      "Reads orders.csv from the workspace",
    ],
    ["Make me an assistant to sort mail.", "Sort mail"],
    ["# Weekly report\n\nWrite it.", "Weekly report"],
    ["Agenten, die Rechnungen prüfen", "Agenten, die Rechnungen prüfen"],
    ["!!!", "Agent"],
    ["x".repeat(300), `X${"x".repeat(59)}`],
  ])("%j is named by its first words", (request, name) => {
    expect(draft(request).name).toBe(name);
  });

  it("is asked for where there is no task, by settings alone too, which then count", () => {
    expect(draft("name: Bob").end).toMatchObject({ outcome: "question" });
    const agent = draft("name: Bob\nmax_steps: 8", "Sort mail.");
    expect(agent).toMatchObject({ end: null, name: "Bob", config: { limits: { max_steps: 8 } } });
    expect(agent.skill_content).toBe("# Bob\n\n## Task\n\nSort mail.\n");
    expect(agent.left).toEqual(["No setting was made of “Sort mail.”."]);
  });

  it("is refused where the skill has no room for it", () => {
    const { end } = draftAgent(["ä".repeat(140_000)], []);
    expect(end).toMatchObject({ outcome: "refused", text: expect.stringContaining("too long") });
  });
});

describe("lines of the form in a request", () => {
  it("are settings and no part of the task", () => {
    const agent = draft(
      "Report the sales.\ninputs: year (integer, required), region\nask before: web_fetch\n" +
        "tools: web_fetch\nIn euros.",
    );
    expect(agent.skill_content).toContain("## Task\n\nReport the sales.\nIn euros.\n");
    expect(agent.config).toMatchObject({
      inputs: { properties: { year: { type: "integer" } }, required: ["year"] },
      permissions: { ask: ["web_fetch"] },
      tools: { builtin: ["web_fetch"] },
    });
    expect(agent.left.join()).not.toContain("inputs");
  });

  it("that do not fit stay in the task, and are named with what the config's checker says", () => {
    const agent = draft("Count.\nmax_steps: 9999\nmax_steps: 5\nmodel: acme/best");
    expect(agent.config.limits).toBeUndefined();
    expect(agent.skill_content).toContain(
      "Count.\nmax_steps: 9999\nmax_steps: 5\nmodel: acme/best",
    );
    expect(agent.left).toEqual([
      expect.stringMatching(/“max_steps: 9999”\. limits\.max_steps: .*500/),
      expect.stringMatching(/“max_steps: 5”\. max_steps stands in an earlier line/),
      "No setting: “model: acme/best”. model: Is not a model of the published list.",
      "No setting was made of “Count.”.",
    ]);
  });

  it("are examples within a fence of code", () => {
    const agent = draft("Explain this:\n```\nmax_steps: 8\n```\nmax_steps: 9");
    expect(agent.config.limits).toEqual({ max_steps: 9 });
    expect(agent.skill_content).toContain("```\nmax_steps: 8\n```");
  });

  it("add to a template, and leave its tools where they say nothing of them", () => {
    const agent = draft(
      "An agent that answers questions about tables\nname: Till\nallowed_hosts: example.com",
    );
    expect(agent.name).toBe("Till");
    expect(agent.skill_content).toMatch(/^# Till\n/);
    expect(agent.config.tools).toEqual({
      builtin: ["workspace_files", "run_javascript"],
      web: { allowed_hosts: ["example.com"] },
    });
  });
});

describe("a template", () => {
  it.each([
    ["An agent that answers questions about tables in the workspace", "table-questions"],
    ["An agent that answers questions about CSV files.", "table-questions"],
    [
      "An agent that answers questions about the tables in its workspace with figures, and names " +
        "the file that they are from.",
      "table-questions",
    ],
    ["Answer questions from the text files in the workspace, with quotations.", "document-answers"],
  ])("is taken for %j, which it speaks of", (request, template) => {
    const agent = draft(request);
    expect(agent.assumptions.join()).toContain(`template ${template} `);
    expect(agent.skill_content).toContain(`## Asked for\n\n${request}\n`);
    expect(agent.left).toEqual([]);
    expect(agent.needs.length).toBeGreaterThan(0);
  });

  it.each([
    "An agent that answers questions about tables in the workspace in German",
    "An agent that never answers questions about tables in the workspace",
    "An agent that answers questions from text files, and does not hold the answer",
    "An agent that answers 3 questions about tables in the workspace",
    "An agent that answers questions about tables in the workspace €",
    "An agent that answers questions",
    "An agent that answers questions about tables in the workspace\noutput: total (number)",
  ])("is not taken for %j", (request) => {
    const agent = draft(request);
    expect(agent.skill_content).toContain("## Task");
    expect(agent.left.length).toBeGreaterThan(0);
  });
});

const FORM_LINES = [
  "max_steps: 8",
  "max_steps: many",
  "name: Bob",
  "inputs: year (integer, required), region",
  "output: a total",
  "tools: web_search",
  "starters: One; Two",
  "write_autonomy: blocked",
  "description:",
];
const requests = fc
  .array(
    fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 60 }),
      fc.string({ unit: "binary", maxLength: 30 }),
      fc.lorem({ mode: "sentences", maxCount: 2 }),
      fc.constantFrom(...FORM_LINES, "```", "# Steps", "- item", "1. one"),
    ),
    { minLength: 1, maxLength: 40 },
  )
  .map((lines) => lines.join("\n").replaceAll("\0", "").toWellFormed());

describe("whatever a request says", () => {
  it("stands in the skill, is set in the config or is quoted, every sentence of it", () => {
    fc.assert(
      fc.property(requests, (request) => {
        const { draft: drafted, end } = draftAgent([request], []);
        if (end !== null) return;
        const {
          skill_content: skill,
          config,
          left_out = [],
          ...own
        } = CREATE_AGENT_TOOL.schema.parse(drafted);
        const checked = checkAgentConfig(config);
        expect(checked.ok).toBe(true);
        const stored = JSON.stringify([config, own]);
        const values: { [line: string]: string } = {
          "max_steps: 8": '"max_steps":8',
          "name: Bob": '"name":"Bob"',
          "inputs: year (integer, required), region": '"required":["year"]',
          "output: a total": '"output_schema"',
          "tools: web_search": '"builtin":["web_search"]',
          "starters: One; Two": '"starters":["One","Two"]',
          "write_autonomy: blocked": '"write_autonomy":"blocked"',
        };
        for (const sentence of splitSentences(request).map((part) => part.trim())) {
          const isSet = values[sentence] !== undefined && stored.includes(values[sentence]);
          expect(isSet || skill.includes(sentence)).toBe(true);
          // What is no line of the form is told, too, up to the bounds of a result.
          if (!isSet && left_out.length < 19 && sentence !== "" && sentence.length < 100)
            expect(left_out.join("\n")).toContain(sentence);
        }
        if (!request.split("\n").some((line) => FORM_LINES.includes(line.trim())))
          expect(skill).toContain(request.trim());
      }),
      { numRuns: 300 },
    );
  });

  it("is cut into sentences that are the text again", () => {
    fc.assert(
      fc.property(requests, (text) => {
        expect(splitSentences(text).join("")).toBe(text);
      }),
    );
  });

  it.each([
    "a. ",
    "max_steps: x\n",
    "inputs: a(\n",
    "“",
    "# a\n",
    "- a\n",
    "```\n",
    " ",
    "An agent that ",
  ])("of many %j costs as much as it is long", async (part) => {
    await expectLinear(
      3_000,
      (size) => part.repeat(size),
      (text) => draftAgent([text], []),
    );
    await expectLinear(
      3_000,
      (size) => `# A\n\n## Task\n\n${part.repeat(size)}`,
      (text) => workOf(text),
    );
  });
});
