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
  const { change, explanation } = editAgent(JSON.stringify(agent), order, ["openai/gpt-5.1", "builtin/offline"]);
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

  it("adds, removes and replaces steps and numbers them anew", () => {
    expect(steps("Add a step before step 2: check for missing values")).toEqual([
      "1. Read a CSV file",
      "2. Check for missing values",
      "3. Compute the average wind per year",
      "4. Write a report",
    ]);
    expect(steps("Remove step 3")).toEqual(["1. Read a CSV file", "2. Compute the average wind per year"]);
    expect(steps("Remove the step about the report")).toEqual(["1. Read a CSV file", "2. Compute the average wind per year"]);
    expect(steps('Replace step 1 with "Read the newest CSV file"')?.[0]).toBe("1. Read the newest CSV file");
    expect(steps("Add a final step: say goodbye")?.at(-1)).toBe("4. Say goodbye");
    expect(steps("Also report the highest wind")?.at(-1)).toBe("4. Report the highest wind");
  });

  it("leaves what hangs under a step with it, and every other line as it is", () => {
    expect(skillAfter("Add a step after step 2: check the units")).toBe(
      SKILL.replace("   - by year\n3. Write a report", "   - by year\n3. Check the units\n4. Write a report"),
    );
    expect(skillAfter("Remove step 2")).toBe(
      SKILL.replace("2. Compute the average wind per year\n   - by station\n   - by year\n3. Write", "2. Write"),
    );
    expect(skillAfter("Add a rule: name the file")).toBe(SKILL.replace("* Be exact.\n", "* Be exact.\n* Name the file\n"));
  });

  it("sets tone and language once, whatever stood there before", () => {
    const once = skillAfter("Make it more formal and answer in French");
    expect(once).toMatch(/\* Tone: more formal\.\n\* Answer in French\./);
    const twice = String(edit("Use a friendlier tone. Answer in German.", { ...AGENT, skill_content: once }).change.skill_content);
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
    expect(edit("Add a starter: How windy was May?").change.config).toMatchObject({ starters: ["How windy was May?"] });
  });

  it("notes a schedule and says where schedules are set", () => {
    expect(edit("Run it every Monday at 9")).toMatchObject({
      change: { skill_content: expect.stringContaining("Asked for: every Monday at 9.") },
      explanation: expect.stringContaining("schedules"),
    });
  });

  it.each([
    ["a model that is not in the list", "Use the model openai/gpt-99", "not in the published list"],
    ["a limit beyond its bound", "Set max steps to 100000", "max_steps"],
    ["a relative limit", "Double the credit limit", "not understood"],
    ["a limit raised by something", "Raise the credit limit by 5", "not understood"],
    ["a step that is not there", "Remove step 9", "no one step"],
    ["a section that it does not know", "Change the policy table from 30 to 14 days", "not understood"],
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
  ])("reads an order of many %s at a cost that grows with its length alone", async (_, size, orderOf) => {
    await expectLinear(size, orderOf, edit);
  });
});
