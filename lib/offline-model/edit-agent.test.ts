import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectLinear } from "@/lib/platform/test/expect-linear";
import { EDIT_AGENT_TOOL } from "@/lib/runtime/prompts/agent-tools";
import { editAgent } from "./edit-agent";

const SKILL =
  "# Desk\n\n## Steps\n\n1. Read the order.\n2. Find the rule:\n   - by price\n3. Answer.\n\n" +
  "## Rules\n\n* Be polite.\n* Be brief.\n\n```\n1. Read the order.\n```\n";
const AGENT = {
  name: "Desk",
  description: "Old.",
  skill_content: SKILL,
  config: { version: 1, limits: { max_steps: 12 } },
  write_autonomy: "approval_required",
};

const edit = (request: string, agent: object = AGENT) => {
  const outcome = editAgent(JSON.stringify(agent), request, ["openai/gpt-5.1"]);
  if (outcome.change) EDIT_AGENT_TOOL.schema.parse(outcome.change);
  return outcome;
};
const skillOf = (request: string, agent?: object) => edit(request, agent).change?.skill_content;

describe("an edit by its forms", () => {
  it.each([
    "Rename it to Box Office.",
    "rename to “Box Office”",
    'Rename this agent to: "Box Office".',
    "name: Box Office",
    "Set name to Box Office",
  ])("%s renames the agent and its heading", (request) => {
    expect(edit(request)).toEqual({
      change: {
        name: "Box Office",
        skill_content: SKILL.replace("# Desk", "# Box Office"),
        summary: "Renamed the agent to “Box Office”.",
      },
      outcome: "built",
      explanation: "Renamed the agent to “Box Office”.",
    });
  });

  it.each<[request: string, from: string, to: string]>([
    ["Replace “Be polite.” by “Be kind.”", "Be polite.", "Be kind."],
    ['replace "Be polite." with "Be “kind”."', "Be polite.", "Be “kind”."],
    ["Replace 'polite' by ''", "polite", ""],
    ["add a step: Store it.", "3. Answer.\n", "3. Answer.\n4. Store it.\n"],
    [
      "Add step 1: Greet.\nRemove step 4",
      "1. Read the order.\n2. Find the rule:\n   - by price\n3. Answer.\n",
      "1. Greet.\n2. Read the order.\n3. Find the rule:\n   - by price\n",
    ],
    ["Change step 3 to: Answer in: German", "3. Answer.", "3. Answer in: German"],
    ["Replace step 3 with “Answer.”\nreplace rule 2 with: Be curt.", "* Be brief.", "* Be curt."],
    ["Remove step 2.", "2. Find the rule:\n   - by price\n3. Answer.", "2. Answer."],
    ["Add the rule: Quote the policy", "* Be brief.\n", "* Be brief.\n* Quote the policy\n"],
    ["Delete rule 1", "* Be polite.\n* Be", "* Be"],
    ["change line 1 to: # Counter", "# Desk", "# Counter"],
    ["add line 2: Welcome.", "# Desk\n", "# Desk\nWelcome.\n"],
  ])("%j changes nothing else of the skill", (request, from, to) => {
    expect(SKILL).toContain(from);
    expect(skillOf(request)).toBe(SKILL.replace(from, to));
  });

  it("replaces a text wherever it stands, when it says so", () => {
    expect(skillOf("Replace “Read the order” by “Look” everywhere.")).toBe(
      SKILL.replaceAll("Read the order", "Look"),
    );
    expect(edit("Replace “Read the order” by “Look”")).toMatchObject({
      change: null,
      explanation: expect.stringContaining("2 times"),
    });
  });

  it("lets no skill grow beyond what may be stored", () => {
    const outcome = edit(`Replace “a” by “${"b".repeat(200_000)}” everywhere`, {
      ...AGENT,
      skill_content: "a".repeat(200_000),
    });
    expect(outcome).toMatchObject({
      change: null,
      explanation: expect.stringContaining("too long"),
    });
  });

  it.each<[request: string, change: object]>([
    ["max_steps: 30", { config: { version: 1, limits: { max_steps: 30 } } }],
    ["Set max steps to 30.", { config: { version: 1, limits: { max_steps: 30 } } }],
    ["set the max_steps: default", { config: { version: 1, limits: {} } }],
    ["Set the description to: New: better.", { description: "New: better." }],
    ["Set write autonomy to blocked.", { write_autonomy: "blocked" }],
    ["starters: What, and why?", { config: { ...AGENT.config, starters: ["What, and why?"] } }],
  ])("%j sets what the form sets", (request, change) => {
    expect(edit(request).change).toEqual({ ...change, summary: expect.any(String) });
  });

  it("adds the heading that is missing", () => {
    expect(skillOf("Add a rule: Be kind.", { ...AGENT, skill_content: "Help." })).toBe(
      "Help.\n\n## Rules\n\n- Be kind.\n",
    );
  });

  it("does all of its lines or none", () => {
    const outcome = edit("Rename it to Fresh\nand never mind the rest");
    expect(outcome).toMatchObject({ change: null, outcome: "refused" });
    expect(outcome.explanation).toMatch(/“and never mind the rest” is none of the forms/);
  });

  it("says so where the agent is like that already", () => {
    expect(edit("max_steps: 12")).toMatchObject({ change: null, outcome: "unchanged" });
  });

  it.each([
    "Make it better.",
    "Don't rename it.",
    "Rename it to something shorter and add a rule: Be kind",
    "Rename step 1.",
    "Remove step 9.",
    "add step 9: Late",
    "Remove the rule about refunds.",
    "Remove step 1 if it helps",
    "Replace “x” by “y” in step 1",
    "Replace “missing” by “y”",
    "Set max steps to 100000.",
    "Set the mood to sunny.",
    "model: acme/best",
    "Undo that.",
    " ",
  ])("%j changes nothing and names the forms", (request) => {
    const outcome = edit(request);
    expect(outcome).toMatchObject({ change: null, outcome: "refused" });
    expect(outcome.explanation).toMatch(/^Nothing was changed\. .*rename to “NAME”.*max_steps: 8/);
  });

  it("changes nothing for generated prose, and claims nothing unchanged", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (request) => {
        const { change, explanation } = edit(request);
        expect(explanation.startsWith("Nothing was changed")).toBe(change === null);
      }),
    );
  });

  it.each(["add a rule: x\n", "replace “", "set ", "“", "rename to A ", "1. ", "add step ", ":"])(
    "of many %j costs as much as it is long",
    async (part) => {
      await expectLinear(
        5_000,
        (size) => part.repeat(size),
        (text) => edit(text),
      );
    },
  );
});
