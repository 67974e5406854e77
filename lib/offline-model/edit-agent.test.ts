import { describe, expect, it } from "vitest";
import { checkAgentConfig } from "@/lib/model/agent-config/check-agent-config";
import { expectLinear } from "@/lib/platform/test/expect-linear";
import { EDIT_AGENT_TOOL } from "@/lib/runtime/prompts/agent-tools";
import { editAgent } from "./edit-agent";

const SKILL = `# Weather Desk

Looks at the wind.

## Steps

1. Read a CSV file
2. Compute the average wind per year
   - by station
   - by year
3. Write a report

## Policy

| days | refund |
| --- | --- |
| 30 | full |

## Rules

* Be exact.
`;
const AGENT = {
  name: "Weather Desk",
  description: "Looks at the wind.",
  skill_content: SKILL,
  config: { version: 1 },
  dashboard_template: null,
  write_autonomy: "approval_required",
};
const edit = (order: string, agent: object = AGENT) => {
  const { change, explanation } = editAgent(JSON.stringify(agent), order, [
    "openai/gpt-5.1",
    "builtin/offline",
  ]);
  if (change !== null) EDIT_AGENT_TOOL.schema.parse(change);
  if (change?.config) expect(checkAgentConfig(change.config).ok).toBe(true);
  return { change: change ?? {}, explanation };
};
const skillAfter = (order: string) => String(edit(order).change.skill_content ?? "");
const steps = (order: string) => skillAfter(order).match(/^\d+\. .*$/gm);

describe("plain orders to an agent", () => {
  it("renames it, in the heading of its skill too", () => {
    expect(edit("Rename it to Wind Watcher").change).toMatchObject({
      name: "Wind Watcher",
      skill_content: SKILL.replace("# Weather Desk", "# Wind Watcher"),
    });
    expect(edit('Please call it "Gale".').change.name).toBe("Gale");
  });

  it("asks to say it once more, where an order takes back what it said", () => {
    const { change, explanation } = edit("Rename it to Wind Watcher. No, hang on, Gale.");
    expect([change, explanation]).toEqual([{}, expect.stringContaining("takes back")]);
    expect(edit("Rename it to Wind Watcher. No, forget it.").change).toEqual({});
    expect(edit('Please call it "No, wait".').change.name).toBe("No, wait");
  });

  it("adds, removes and replaces steps and numbers them anew", () => {
    expect(steps("Add a step before step 2: check for missing values")).toEqual([
      "1. Read a CSV file",
      "2. Check for missing values",
      "3. Compute the average wind per year",
      "4. Write a report",
    ]);
    expect(steps("Remove step 3")).toEqual([
      "1. Read a CSV file",
      "2. Compute the average wind per year",
    ]);
    expect(steps("Remove the step about the report")).toEqual([
      "1. Read a CSV file",
      "2. Compute the average wind per year",
    ]);
    expect(steps('Replace step 1 with "Read the newest CSV file"')?.[0]).toBe(
      "1. Read the newest CSV file",
    );
    expect(steps("Add a final step: say goodbye")?.at(-1)).toBe("4. Say goodbye");
    expect(steps("Also report the highest wind")?.at(-1)).toBe("4. Report the highest wind");
  });

  it("leaves what hangs under a step with it, and every other line as it is", () => {
    expect(skillAfter("Add a step after step 2: check the units")).toBe(
      SKILL.replace(
        "   - by year\n3. Write a report",
        "   - by year\n3. Check the units\n4. Write a report",
      ),
    );
    expect(skillAfter("Remove step 2")).toBe(
      SKILL.replace(
        "2. Compute the average wind per year\n   - by station\n   - by year\n3. Write",
        "2. Write",
      ),
    );
    expect(skillAfter("Add a rule: name the file")).toBe(
      SKILL.replace("* Be exact.\n", "* Be exact.\n* Name the file\n"),
    );
  });

  it("sets tone and language once, whatever stood there before", () => {
    const once = skillAfter("Make it more formal and answer in French");
    expect(once).toMatch(/\* Tone: more formal\.\n\* Answer in French\./);
    const twice = String(
      edit("Use a friendlier tone. Answer in German.", { ...AGENT, skill_content: once }).change
        .skill_content,
    );
    expect(twice).toMatch(/\* Tone: friendlier\.\n\* Answer in German\./);
    expect(twice).not.toMatch(/French|formal/);
  });

  it("changes model, limits, tools, autonomy and starters", () => {
    const { change } = edit(
      "Use the model openai/gpt-5.1 and set the timeout to 5 minutes. Let it take up to 30 steps. Disable the artifacts tool. Full auto.",
    );
    expect(change).toMatchObject({
      config: { model: "openai/gpt-5.1", limits: { timeout_seconds: 300, max_steps: 30 } },
      write_autonomy: "full_auto",
    });
    expect(JSON.stringify(change.config)).not.toContain('"artifacts"');
    expect(edit("Add a starter: How windy was May?").change.config).toMatchObject({
      starters: ["How windy was May?"],
    });
  });

  it("sets no schedule, changes nothing for it, and says where schedules are set", () => {
    expect(edit("Run it every Monday at 9")).toMatchObject({
      change: {},
      explanation: expect.stringContaining("/schedules"),
    });
  });

  it("changes a limit by a factor or by so much, where there is one", () => {
    const agent = {
      ...AGENT,
      config: { version: 1, limits: { max_credits: 8, timeout_seconds: 60 } },
    };
    expect(edit("Double the credit limit", agent).change.config).toMatchObject({
      limits: { max_credits: 16 },
    });
    expect(edit("Raise the credit limit by 5", agent).change.config).toMatchObject({
      limits: { max_credits: 13 },
    });
    expect(edit("Lower the timeout by 30 seconds", agent).change.config).toMatchObject({
      limits: { timeout_seconds: 30 },
    });
    expect(edit("Set max credits to -3", agent)).toMatchObject({
      change: {},
      explanation: expect.stringContaining("max_credits"),
    });
  });

  it("moves a step with the lines that hang under it, and touches no other line", () => {
    expect(skillAfter("Move step 2 to the top")).toBe(
      SKILL.replace(
        "1. Read a CSV file\n2. Compute the average wind per year\n   - by station\n   - by year\n",
        "1. Compute the average wind per year\n   - by station\n   - by year\n2. Read a CSV file\n",
      ),
    );
    expect(steps("Move the last step before step 2")).toEqual([
      "1. Read a CSV file",
      "2. Write a report",
      "3. Compute the average wind per year",
    ]);
  });

  it("changes a value in the one line that names it, and a text that stands there once", () => {
    expect(skillAfter("Change the refund from full to half in the policy")).toBe("");
    expect(skillAfter("Change the days of a full refund from 30 to 14")).toBe(
      SKILL.replace("| 30 |", "| 14 |"),
    );
    expect(skillAfter("Replace “| 30 | full |” with “| 14 | full |”")).toBe(
      SKILL.replace("| 30 |", "| 14 |"),
    );
    expect(skillAfter("Change the policy table from 30 to 14 days")).toBe(
      SKILL.replace("| 30 |", "| 14 |"),
    );
    expect(edit("Replace “average” with “median”").change.skill_content).toBe(
      SKILL.replace("average", "median"),
    );
    expect(edit("Replace “year” with “month”").explanation).toContain("2 times");
  });

  it("adds and removes inputs, and sets the fields of the output, with the names that were said", () => {
    const added = edit("It should also take a required number named amount").change.config;
    expect(added).toMatchObject({
      inputs: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] },
    });
    expect(
      edit("Remove the input amount", { ...AGENT, config: added }).change.config,
    ).not.toHaveProperty("inputs.properties.amount");
    expect(edit("Remove the input amount").explanation).toContain("there is no input");
    expect(
      edit("Return JSON with the fields station and mean (number)").change.config,
    ).toMatchObject({
      output_schema: {
        properties: { station: {}, mean: { type: "number" } },
        required: ["station", "mean"],
      },
    });
  });

  it("replaces a step by what stands behind a colon, and adds one at an end that is named", () => {
    expect(steps("Replace step 3 with: Store the report")).toContain("3. Store the report");
    expect(steps("Add a step at the end: Store the report")).toContain("4. Store the report");
    expect(steps("Add a step at the beginning: Greet")?.[0]).toBe("1. Greet");
  });

  it("takes an order not to change something for no rule and no change", () => {
    expect(edit("Don't rename it")).toMatchObject({
      change: {},
      explanation: expect.stringContaining("what not to change"),
    });
    expect(skillAfter("Don't share addresses")).toContain("* Don't share addresses");
  });

  it.each([
    ["a model that is not in the list", "Use the model openai/gpt-99", "not in the published list"],
    ["a limit beyond its bound", "Set max steps to 100000", "max_steps"],
    ["a relative limit without one", "Double the credit limit", "not set"],
    ["a limit raised by something without one", "Raise the credit limit by 5", "not set"],
    ["a step that is not there", "Remove step 9", "no one step"],
    [
      "what nothing of an agent does",
      "Also send me a WhatsApp message after each run",
      "connector",
    ],
    ["what says nothing that could be done", "Make it better", "Make it better"],
    ["a section that it does not know", "Change the tariff table from 30 to 14 days", "tariff"],
    ["another language", "Nenne ihn Sturmwarte", "not understood"],
    ["a question", "What does this agent do?", "not understood"],
    ["a vague request", "please do a barrel roll", "barrel roll"],
    ["what is so already", "Rename it to Weather Desk", "already like that"],
  ])("changes nothing for %s, and says why", (_, order, why) => {
    const { change, explanation } = edit(order);
    expect(change).toEqual({});
    expect(explanation).toMatch(/^Nothing was changed/);
    expect(explanation).toContain(why);
  });

  it("does what it understands and names the rest", () => {
    expect(edit("Rename it to Gale. Do a barrel roll.")).toMatchObject({
      change: { name: "Gale" },
      explanation: expect.stringContaining("barrel roll"),
    });
  });

  it.each<[string, number, (size: number) => string]>([
    ["names", 600, (size) => "Rename it to ".repeat(size)],
    ["purposes of a step", 6_000, (size) => `add a step ${"to ".repeat(size)}`],
    ["quotes", 12_500, (size) => '"'.repeat(size)],
    ["numbers of steps", 6_000, (size) => `replace step ${"1 ".repeat(size)}`],
    ["changes", 3_750, (size) => "make it ".repeat(size)],
  ])(
    "reads an order of many %s at a cost that grows with its length alone",
    async (_, size, orderOf) => {
      await expectLinear(size, orderOf, edit);
    },
  );
});
