import { describe, expect, it } from "vitest";
import { checkAgentConfig } from "@/lib/model/agent-config/check-agent-config";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { expectLinear } from "@/lib/platform/test/expect-linear";
import { EDIT_AGENT_TOOL } from "@/lib/runtime/prompts/agent-tools";
import { draftAgent } from "./draft-agent";
import { editAgent } from "./edit-agent";

const MODELS = "openai/gpt-5.1, builtin/offline";
const agent = draftAgent(
  ["Create an agent called Weather Desk that reads a CSV file, computes the average wind per year and writes a report."],
  null,
).agent;
const edit = (order: string) => {
  const { change, explanation } = editAgent(JSON.stringify(agent), order, MODELS);
  if (change === null) return { change: {} as JsonObject, explanation };
  EDIT_AGENT_TOOL.schema.parse(change);
  if (change.config) expect(checkAgentConfig(change.config).ok).toBe(true);
  return { change, explanation };
};
const steps = (order: string) => String(edit(order).change.skill_content ?? "").match(/^\d+\. .*$/gm);

describe("plain orders to an agent", () => {
  it("renames it, in the heading of its skill too", () => {
    expect(edit("Rename it to Wind Watcher").change).toMatchObject({
      name: "Wind Watcher",
      skill_content: expect.stringMatching(/^# Wind Watcher\n/),
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

  it("sets tone and language once, whatever stood there before", () => {
    const once = editAgent(JSON.stringify(agent), "Make it more formal and answer in French", MODELS).change;
    const twice = editAgent(
      JSON.stringify({ ...agent, skill_content: once?.skill_content ?? "" }),
      "Use a friendlier tone. Answer in German.",
      MODELS,
    ).change;
    expect(String(once?.skill_content)).toMatch(/- Tone: more formal\.\n- Answer in French\./);
    expect(String(twice?.skill_content)).toMatch(/- Tone: friendlier\.\n- Answer in German\./);
    expect(String(twice?.skill_content)).not.toMatch(/French|formal/);
  });

  it("changes model, limits, tools, autonomy and starters", () => {
    const { change } = edit(
      "Use the model openai/gpt-5.1 and set the timeout to 5 minutes. Set max steps to 30. Disable the artifacts tool. Never ask; full auto.",
    );
    expect(change).toMatchObject({
      config: { model: "openai/gpt-5.1", limits: { timeout_seconds: 300, max_steps: 30 } },
      write_autonomy: "full_auto",
    });
    expect(JSON.stringify(change.config)).not.toContain('"artifacts"');
    expect(edit("Add a starter: How windy was May?").change.config).toMatchObject({
      starters: expect.arrayContaining(["How windy was May?"]),
    });
  });

  it("refuses a model that is not in the list", () => {
    expect(edit("Use the model openai/gpt-99")).toMatchObject({
      change: {},
      explanation: expect.stringContaining("not in the published list"),
    });
  });

  it("notes a schedule and says where schedules are set", () => {
    expect(edit("Run it every Monday at 9")).toMatchObject({
      change: { skill_content: expect.stringContaining("Asked for: every Monday at 9.") },
      explanation: expect.stringContaining("schedules"),
    });
  });

  it("changes nothing, and says so, when it does not understand", () => {
    expect(edit("please do a barrel roll")).toMatchObject({ change: {}, explanation: expect.stringContaining("Nothing was changed") });
    expect(edit("Remove step 9").change).toEqual({});
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
