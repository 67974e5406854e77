import { describe, expect, it } from "vitest";
import { checkAgentConfig } from "@/lib/model/agent-config/check-agent-config";
import { EDIT_AGENT_TOOL } from "@/lib/runtime/prompts/agent-tools";
import { editAgent } from "./edit-agent";

const DESK = {
  name: "Front Desk",
  description: "Helps guests.",
  dashboard_template: null,
  write_autonomy: "approval_required",
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
    inputs: {
      type: "object",
      properties: { date: { type: "string" }, guests: { type: "integer" } },
      required: ["date"],
    },
    output_schema: { type: "object", properties: { room: { type: "string" } }, required: ["room"] },
    tools: { builtin: ["workspace_files", "run_javascript"] },
    starters: ["Is a room free?", "What does a double cost?"],
  },
};
const edit = (order: string, agent: object = DESK) => {
  const { change, explanation } = editAgent(JSON.stringify(agent), order, ["builtin/offline"]);
  if (change !== null) EDIT_AGENT_TOOL.schema.parse(change);
  if (change?.config) expect(checkAgentConfig(change.config).ok).toBe(true);
  return { change: change ?? {}, explanation };
};
/** What stands in place of what, in a skill that is else the same to the byte. */
const swapped = (from: string, to: string) => ({
  skill_content: DESK.skill_content.replace(from, to),
});
const withConfig = (part: object) => ({ config: { ...DESK.config, ...part } });

describe("orders to an agent with a skill of its own form", () => {
  it.each<[string, object]>([
    [
      "Add a step at the end: Wish a good stay.",
      swapped("two rooms.\n", "two rooms.\n4) Wish a good stay.\n"),
    ],
    [
      "Insert a new second step 'Ask for the date.'",
      swapped(
        "2) Look the room up in rooms.json.\n3)",
        "2) Ask for the date.\n3) Look the room up in rooms.json.\n4)",
      ),
    ],
    [
      "Remove steps 1 and 2",
      swapped("1) Greet the guest.\n2) Look the room up in rooms.json.\n3) Offer", "1) Offer"),
    ],
    [
      "Swap steps 1 and 2.",
      swapped(
        "1) Greet the guest.\n2) Look the room up in rooms.json.",
        "1) Look the room up in rooms.json.\n2) Greet the guest.",
      ),
    ],
    [
      "Add a rule: Give prices in euros.",
      swapped("guest's name.\n", "guest's name.\n- Give prices in euros.\n"),
    ],
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
    [
      "A single has 2 beds, not 1.",
      swapped("| single | 80    | 1    |", "| single | 80    | 2    |"),
    ],
    [
      "Add suite to the rates table: 190 euros, 4 beds.",
      swapped("| 2    |\n\n", "| 2    |\n| suite  | 190   | 4    |\n\n"),
    ],
    ["In the rates table, remove the row for single.", swapped("| single | 80    | 1    |\n", "")],
    ["On Sundays we close at 13:00.", swapped("09:00-12:00", "09:00-13:00")],
    [
      "The phone number has changed. It is 0731 55 200 from now on.",
      swapped("0731 55 100", "0731 55 200"),
    ],
    ["The new manager is Lea Rot.", swapped("Ida Kern", "Lea Rot")],
    ["The house has moved from Ulm to Bern.", swapped("in Ulm", "in Bern")],
    [
      "Offer at most three rooms instead of two.",
      swapped("at most two rooms", "at most three rooms"),
    ],
    ["Offer at most one room.", swapped("at most two rooms", "at most one room")],
    [
      "In step 2 it should say house.json instead of rooms.json.",
      swapped("rooms.json", "house.json"),
    ],
    [
      "Replace 'guest' by 'visitor' everywhere.",
      { skill_content: DESK.skill_content.replaceAll(/guest(?!s)/g, "visitor") },
    ],
    ['Rename the heading "Manners" to "House rules".', swapped("## Manners", "## House rules")],
    [
      "Add this to the Manners section: Say goodbye.",
      swapped("guest's name.\n", "guest's name.\n- Say goodbye.\n"),
    ],
    [
      'Put "Smile." as the first bullet under Manners.',
      swapped("- Be short.\n", "- Smile.\n- Be short.\n"),
    ],
    [
      "Add a row to the rates table: room suite, price 190, beds 4.",
      swapped("| 2    |\n\n", "| 2    |\n| suite  | 190   | 4    |\n\n"),
    ],
    [
      "Write opening hours as Monday till Friday instead of Monday to Friday.",
      swapped("Monday to Friday", "Monday till Friday"),
    ],
    ["Remove “Be short.”", swapped("- Be short.\n", "")],
    ["Drop single from the rates.", swapped("| single | 80    | 1    |\n", "")],
    [
      "Add an input called floor, a number that is optional.",
      withConfig({
        inputs: {
          ...DESK.config.inputs,
          properties: {
            ...DESK.config.inputs.properties,
            floor: { type: "number", title: "Floor" },
          },
        },
      }),
    ],
    [
      "Add a field floor (integer, not required) to the output.",
      withConfig({
        output_schema: {
          ...DESK.config.output_schema,
          properties: {
            ...DESK.config.output_schema.properties,
            floor: { type: "integer", title: "Floor" },
          },
        },
      }),
    ],
    ["Let it run at most 12 steps.", withConfig({ limits: { max_steps: 12 } })],
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
    [
      "Make guests a required input.",
      withConfig({ inputs: { ...DESK.config.inputs, required: ["date", "guests"] } }),
    ],
    ["No more than 8 steps per run", withConfig({ limits: { max_steps: 8 } })],
    [
      "Remove step 3. Leave everything else as it is.",
      swapped("3) Offer at most two rooms.\n", ""),
    ],
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
    [
      "an end of a name that is not plain",
      "Rename it to Lobby, but keep the heading.",
      "where the name ends",
    ],
    [
      "what must not change beside what is to",
      "Rename it to Lobby. Don't touch the heading.",
      "binds the rest",
    ],
    ["an earlier version", "Undo that.", "versions"],
    ["a row without its values", "Add suite to the rates table: 190 euros.", "one value for each"],
    ["lists of which any may be meant", "Remove the item 2.", "not understood"],
  ])("changes nothing for %s", (_, order, why) => {
    const { change, explanation } = edit(order, DESK);
    expect(change).toEqual({});
    expect(explanation).toMatch(new RegExp(why));
  });

  it("asks which list is meant where two fit, and takes one by its heading", () => {
    const agent = {
      ...DESK,
      skill_content: `${DESK.skill_content}\n## Safety\n\n- Never name a code.\n- Always lock up.\n`,
    };
    expect(edit("Add a rule: Be kind.", agent)).toMatchObject({
      change: {},
      explanation: expect.stringContaining("“Manners” and “Safety”"),
    });
    expect(edit("Add a rule to the Safety section: Be kind.", agent).change.skill_content).toBe(
      `${agent.skill_content}- Be kind.\n`,
    );
  });

  it("takes the stricter of two words on what it may do alone", () => {
    const free = { ...DESK, write_autonomy: "full_auto" };
    expect(edit("From now on a person has to approve every action.", free).change).toMatchObject({
      write_autonomy: "approval_required",
    });
    expect(edit("It should never act on its own: block all writes.", free).change).toMatchObject({
      write_autonomy: "blocked",
    });
    expect(edit("Never send mail without asking.", free).change).toMatchObject({
      skill_content: expect.stringContaining("- Never send mail"),
    });
  });

  it("ends a name where an order of its own begins, and names what it cannot do", () => {
    expect(
      edit("Rename the agent to Lobby and connect it to our WhatsApp number.", DESK),
    ).toMatchObject({
      change: { name: "Lobby" },
      explanation: expect.stringContaining("WhatsApp"),
    });
  });
});
