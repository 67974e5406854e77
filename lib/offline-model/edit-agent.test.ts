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

  it("sets no schedule, changes nothing for it, and says where schedules are set", () => {
    expect(edit("Run it every Monday at 9")).toMatchObject({ change: {}, explanation: expect.stringContaining("/schedules") });
  });

  it("changes a limit by a factor or by so much, where there is one", () => {
    const agent = { ...AGENT, config: { version: 1, limits: { max_credits: 8, timeout_seconds: 60 } } };
    expect(edit("Double the credit limit", agent).change.config).toMatchObject({ limits: { max_credits: 16 } });
    expect(edit("Raise the credit limit by 5", agent).change.config).toMatchObject({ limits: { max_credits: 13 } });
    expect(edit("Lower the timeout by 30 seconds", agent).change.config).toMatchObject({ limits: { timeout_seconds: 30 } });
    expect(edit("Set max credits to -3", agent)).toMatchObject({ change: {}, explanation: expect.stringContaining("max_credits") });
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
    expect(skillAfter("Change the days of a full refund from 30 to 14")).toBe(SKILL.replace("| 30 |", "| 14 |"));
    expect(skillAfter("Replace “| 30 | full |” with “| 14 | full |”")).toBe(SKILL.replace("| 30 |", "| 14 |"));
    expect(skillAfter("Change the policy table from 30 to 14 days")).toBe(SKILL.replace("| 30 |", "| 14 |"));
    expect(edit("Replace “average” with “median”").change.skill_content).toBe(SKILL.replace("average", "median"));
    expect(edit("Replace “year” with “month”").explanation).toContain("2 times");
  });

  it("adds and removes inputs, and sets the fields of the output, with the names that were said", () => {
    const added = edit("It should also take a required number named amount").change.config;
    expect(added).toMatchObject({ inputs: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] } });
    expect(edit("Remove the input amount", { ...AGENT, config: added }).change.config).not.toHaveProperty("inputs.properties.amount");
    expect(edit("Remove the input amount").explanation).toContain("there is no input");
    expect(edit("Return JSON with the fields station and mean (number)").change.config).toMatchObject({
      output_schema: { properties: { station: {}, mean: { type: "number" } }, required: ["station", "mean"] },
    });
  });

  it("replaces a step by what stands behind a colon, and adds one at an end that is named", () => {
    expect(steps("Replace step 3 with: Store the report")).toContain("3. Store the report");
    expect(steps("Add a step at the end: Store the report")).toContain("4. Store the report");
    expect(steps("Add a step at the beginning: Greet")?.[0]).toBe("1. Greet");
  });

  it("takes an order not to change something for no rule and no change", () => {
    expect(edit("Don't rename it")).toMatchObject({ change: {}, explanation: expect.stringContaining("what not to change") });
    expect(skillAfter("Don't share addresses")).toContain("* Don't share addresses");
  });

  it.each([
    ["a model that is not in the list", "Use the model openai/gpt-99", "not in the published list"],
    ["a limit beyond its bound", "Set max steps to 100000", "max_steps"],
    ["a relative limit without one", "Double the credit limit", "not set"],
    ["a limit raised by something without one", "Raise the credit limit by 5", "not set"],
    ["a step that is not there", "Remove step 9", "no one step"],
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

  const DESK = {
    ...AGENT,
    name: "Front Desk",
    skill_content: `# Front Desk

Helps guests of the house in Ulm.

## How to answer

1) Greet the guest.
2) Look the room up in rooms.json.
3) Offer at most two rooms.

## Rates

| room   | price | beds |
|--------|-------|------|
| single | 80    | 1    |
| double | 120   | 2    |

## Manners

- Be short.
- Never promise a room.
- Ask for the guest's name.

## Partners

* City Taxi
* Lido

## Contact

Phone: 0731 55 100. The manager is Ida Kern.

Monday to Friday 08:00-20:00, Sunday 09:00-12:00.
`,
    config: {
      version: 1,
      inputs: { type: "object", properties: { date: { type: "string" }, guests: { type: "integer" } }, required: ["date"] },
      output_schema: { type: "object", properties: { room: { type: "string" } }, required: ["room"] },
      tools: { builtin: ["workspace_files", "run_javascript"] },
      starters: ["Is a room free?", "What does a double cost?"],
    },
  };
  /** What stands in place of what, in a skill that is else the same to the byte. */
  const swapped = (from: string, to: string) => ({ skill_content: DESK.skill_content.replace(from, to) });
  const withConfig = (part: object) => ({ config: { ...DESK.config, ...part } });

  it.each<[string, object]>([
    ["Add a step at the end: Wish a good stay.", swapped("two rooms.\n", "two rooms.\n4) Wish a good stay.\n")],
    [
      "Insert a new second step 'Ask for the date.'",
      swapped("2) Look the room up in rooms.json.\n3)", "2) Ask for the date.\n3) Look the room up in rooms.json.\n4)"),
    ],
    ["Remove steps 1 and 2", swapped("1) Greet the guest.\n2) Look the room up in rooms.json.\n3) Name", "1) Offer")],
    [
      "Swap steps 1 and 2.",
      swapped("1) Greet the guest.\n2) Look the room up in rooms.json.", "1) Look the room up in rooms.json.\n2) Greet the guest."),
    ],
    ["Add a rule: Give prices in euros.", swapped("guest's name.\n", "guest's name.\n- Give prices in euros.\n")],
    ["Delete the rule about the guest's name", swapped("- Ask for the guest's name.\n", "")],
    [
      "Move the last rule to the top.",
      swapped(
        "- Be short.\n- Never promise a room.\n- Ask for the guest's name.",
        "- Ask for the guest's name.\n- Be short.\n- Never promise a room.",
      ),
    ],
    ["Add Ulm Museum to the partners.", swapped("* Lido\n", "* Lido\n* Ulm Museum\n")],
    ["Lido is no longer a partner, take it out.", swapped("* Lido\n", "")],
    ["The price of a double is 135 now.", swapped("| double | 120   |", "| double | 135   |")],
    ["A single has 2 beds, not 1.", swapped("| single | 80    | 1    |", "| single | 80    | 2    |")],
    ["Add suite to the rates table: 190 euros, 4 beds.", swapped("| 2    |\n\n", "| 2    |\n| suite  | 190   | 4    |\n\n")],
    ["In the rates table, remove the row for single.", swapped("| single | 80    | 1    |\n", "")],
    ["On Sundays we close at 13:00.", swapped("09:00-12:00", "09:00-13:00")],
    ["The phone number has changed. It is 0731 55 200 from now on.", swapped("0731 55 100", "0731 55 200")],
    ["The new manager is Lea Rot.", swapped("Ida Kern", "Lea Rot")],
    ["The house has moved from Ulm to Bern.", swapped("in Ulm", "in Bern")],
    ["Offer at most three rooms instead of two.", swapped("at most two rooms", "at most three rooms")],
    ["Offer at most one room.", swapped("at most two rooms", "at most one room")],
    ["In step 2 it should say house.json instead of rooms.json.", swapped("rooms.json", "house.json")],
    ["Replace 'guest' by 'visitor' everywhere.", { skill_content: DESK.skill_content.replaceAll(/guest(?!s)/g, "visitor") }],
    ['Rename the heading "Manners" to "House rules".', swapped("## Manners", "## House rules")],
    ["Remove the Partners section.", swapped("## Partners\n\n* City Taxi\n* Lido\n\n", "")],
    [
      "Add a section called Parking with the text: Behind the house. It is free.",
      { skill_content: `${DESK.skill_content}\n## Parking\n\nBehind the house. It is free.\n` },
    ],
    ["Description: Helps guests. Children too.", { description: "Helps guests. Children too." }],
    ["It should never act on its own: block all writes.", { write_autonomy: "blocked" }],
    ["It may act alone.", { write_autonomy: "full_auto" }],
    ["It mustn't run code any more.", withConfig({ tools: { builtin: ["workspace_files"] } })],
    ["Turn memory on.", withConfig({ tools: { ...DESK.config.tools, memory: true } })],
    ["Remove the starter about the double.", withConfig({ starters: ["Is a room free?"] })],
    ["Make guests a required input.", withConfig({ inputs: { ...DESK.config.inputs, required: ["date", "guests"] } })],
    ["No more than 8 steps per run", withConfig({ limits: { max_steps: 8 } })],
    ["Remove step 3. Leave everything else as it is.", swapped("3) Offer at most two rooms.\n", "")],
  ])("does “%s” and leaves all else to the byte", (order, expected) => {
    const { summary: _, ...change } = edit(order, DESK).change;
    expect(change).toEqual(expected);
  });

  it.each([
    ["a day of a range that holds for more days", "On Fridays we close at 21:00.", "no one time"],
    ["a value of no row", "The price of a suite is 300.", "suit"],
    ["a value of several rows", "Change the price to 90.", "several|may be in|no one"],
    ["a condition", "If the house is full, remove step 2.", "not understood"],
    ["a question", "Should I remove step 2?", "not understood"],
    ["a step at a time", "Remove step 2 tomorrow.", "no one step"],
    ["a limit that is a step of the skill", "Change step 3.", "not understood"],
    ["a name that is none", "Call it something shorter.", "no name"],
    ["an end of a name that is not plain", "Rename it to Lobby, but keep the heading.", "where the name ends"],
    ["what must not change beside what is to", "Rename it to Lobby. Don't touch the heading.", "binds the rest"],
    ["an earlier version", "Undo that.", "versions"],
    ["a row without its values", "Add suite to the rates table: 190 euros.", "one value for each"],
    ["lists of which any may be meant", "Remove the item 2.", "not understood"],
  ])("changes nothing for %s", (_, order, why) => {
    const { change, explanation } = edit(order, DESK);
    expect(change).toEqual({});
    expect(explanation).toMatch(new RegExp(why));
  });

  it("asks which list is meant where two fit, and takes one by its heading", () => {
    const agent = { ...DESK, skill_content: `${DESK.skill_content}\n## Safety\n\n- Never name a code.\n- Always lock up.\n` };
    expect(edit("Add a rule: Be kind.", agent)).toMatchObject({
      change: {},
      explanation: expect.stringContaining("“Manners” and “Safety”"),
    });
    expect(edit("Add a rule to the Safety section: Be kind.", agent).change.skill_content).toBe(`${agent.skill_content}- Be kind.\n`);
  });

  it("takes the stricter of two words on what it may do alone", () => {
    const free = { ...DESK, write_autonomy: "full_auto" };
    expect(edit("From now on a person has to approve every action.", free).change).toMatchObject({ write_autonomy: "approval_required" });
    expect(edit("It should never act on its own: block all writes.", free).change).toMatchObject({ write_autonomy: "blocked" });
    expect(edit("Never send mail without asking.", free).change).toMatchObject({
      skill_content: expect.stringContaining("- Never send mail"),
    });
  });

  it("ends a name where an order of its own begins, and names what it cannot do", () => {
    expect(edit("Rename the agent to Lobby and connect it to our WhatsApp number.", DESK)).toMatchObject({
      change: { name: "Lobby" },
      explanation: expect.stringContaining("WhatsApp"),
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
