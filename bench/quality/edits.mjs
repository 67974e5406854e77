/**
 * An order to change an agent, and the agent as it must be afterwards. Whatever is not named stays
 * byte for byte; an edit that is refused leaves all as it was.
 * What is `impossible` must be refused or asked about; what is `open` may be done or refused, as
 * taste is not scored.
 * @typedef {{ skill_content: string, config_content: string, name: string, description: string |
 * null, write_autonomy: string, config: any, [field: string]: unknown }} Agent
 * @typedef {{ ask: string, skill?: (text: string) => string, config?: (config: any) => void,
 * fields?: Partial<Agent>, impossible?: boolean, open?: boolean, drops?: string }} EditCase
 */

export const EDITED_AGENT = `kind: agent
format: 1
name: Return Desk
description: Answers questions about returns.
write_autonomy: approval_required
skill_content: |
  # Return Desk

  Answers questions about returns.

  ## Steps

  1. Read the order.
  2. Find the matching rule:
     - by product group
     - else by price
  3. Decide by the policy.
  4. Write the answer.

  ## Policy

  | group | days |
  | ----- | ---- |
  | shoes | 30   |
  | food  | 2    |

  ## Rules

  * Be polite.
  * Never promise a refund.

  ## Example

  \`\`\`
  1. Read the order.
  * Be polite.
  \`\`\`
config:
  version: 1 # the format
  # the steps that a long case takes
  limits: {max_steps: 12, max_credits: 5} # cheap
  inputs:
    type: object
    properties:
      order_id: {type: string, title: Order} # from the shop
    required: [order_id]
  tools: {builtin: [workspace_files, todo, web_search]}
  starters: ["May I return shoes?"]
`;

/** @param {string} ask @param {Omit<EditCase, "ask">} after @returns {EditCase} */
const edit = (ask, after) => ({ ask, ...after });
/** @param {string} from @param {string} to @returns {(text: string) => string} */
const swap = (from, to) => (text) => text.replace(from, to);
/** @param {Record<string, unknown>} limits @returns {(config: any) => void} */
const limits = (limits) => (config) => Object.assign(config.limits, limits);
/** @param {string[]} builtin @returns {(config: any) => void} */
const builtin = (builtin) => (config) => {
  config.tools.builtin = builtin;
};
const IMPOSSIBLE = { impossible: true };
const OPEN = { open: true };
const RULES = "* Never promise a refund.\n";

/** In this order every second one is held out. @type {EditCase[]} */
export const EDITS = [
  edit("Rename it to Refund Desk.", {
    fields: { name: "Refund Desk" },
    skill: swap("# Return Desk", "# Refund Desk"),
  }),
  edit("Call it Parcel Pal", {
    fields: { name: "Parcel Pal" },
    skill: swap("# Return Desk", "# Parcel Pal"),
  }),
  edit("Change the name to “Box Office”.", {
    fields: { name: "Box Office" },
    skill: swap("# Return Desk", "# Box Office"),
  }),
  edit("Set the description to: Decides about returns.", {
    fields: { description: "Decides about returns." },
  }),
  edit("Change its description to Handles returns and complaints.", {
    fields: { description: "Handles returns and complaints." },
  }),
  edit("Set max steps to 30.", { config: limits({ max_steps: 30 }) }),
  edit("Let it take up to 40 steps.", { config: limits({ max_steps: 40 }) }),
  edit("Allow at most 25 steps", { config: limits({ max_steps: 25 }) }),
  edit("Double the credit limit.", { config: limits({ max_credits: 10 }) }),
  edit("Raise the credit limit to 20.", { config: limits({ max_credits: 20 }) }),
  edit("Limit the credits to 2.5", { config: limits({ max_credits: 2.5 }) }),
  edit("Set the timeout to 5 minutes.", { config: limits({ timeout_seconds: 300 }) }),
  edit("Give it 90 seconds at most.", { config: limits({ timeout_seconds: 90 }) }),
  edit("Set max steps to 100000.", IMPOSSIBLE),
  edit("Remove web search.", { config: builtin(["workspace_files", "todo"]) }),
  edit("Do not let it search the web.", { config: builtin(["workspace_files", "todo"]) }),
  edit("Let it run code.", {
    config: builtin(["workspace_files", "run_javascript", "todo", "web_search"]),
  }),
  edit("Add the tool artifacts.", {
    config: builtin(["workspace_files", "todo", "web_search", "artifacts"]),
  }),
  edit("Remove the todo list", { config: builtin(["workspace_files", "web_search"]) }),
  edit("Make it read-only.", { fields: { write_autonomy: "blocked" } }),
  edit("Let it write without asking.", { fields: { write_autonomy: "full_auto" } }),
  edit("Set write autonomy to blocked.", { fields: { write_autonomy: "blocked" } }),
  edit("Add a rule: Never share addresses.", {
    skill: swap(RULES, `${RULES}* Never share addresses.\n`),
  }),
  edit("Add the rule “Quote the policy”.", { skill: swap(RULES, `${RULES}* Quote the policy\n`) }),
  edit("Remove the rule about refunds.", { skill: swap(RULES, "") }),
  edit("Remove the rule Be polite.", { skill: swap("* Be polite.\n* Never", "* Never") }),
  edit("Replace the rule “Be polite.” with “Be brief.”", {
    skill: swap("## Rules\n\n* Be polite.", "## Rules\n\n* Be brief."),
  }),
  edit("Add a step at the end: Store the answer.", {
    skill: swap("4. Write the answer.\n", "4. Write the answer.\n5. Store the answer.\n"),
  }),
  edit("Add a step after step 2: Ask when several rules match.", {
    skill: swap(
      "3. Decide by the policy.\n4. Write",
      "3. Ask when several rules match.\n4. Decide by the policy.\n5. Write",
    ),
  }),
  edit("Add a step before step 1: Greet the customer.", {
    skill: swap(
      "1. Read the order.\n2. Find the matching rule:\n   - by product group\n" +
        "   - else by price\n3. Decide by the policy.\n4. Write",
      "1. Greet the customer.\n2. Read the order.\n3. Find the matching rule:\n" +
        "   - by product group\n   - else by price\n4. Decide by the policy.\n5. Write",
    ),
  }),
  edit("Remove step 3.", { skill: swap("3. Decide by the policy.\n4. Write", "3. Write") }),
  edit("Delete the second step.", {
    skill: swap(
      "2. Find the matching rule:\n   - by product group\n   - else by price\n" +
        "3. Decide by the policy.\n4. Write",
      "2. Decide by the policy.\n3. Write",
    ),
  }),
  edit("Delete the last step", { skill: swap("4. Write the answer.\n", "") }),
  edit("Replace step 4 with: Send the answer to the shop.", {
    skill: swap("4. Write the answer.", "4. Send the answer to the shop."),
  }),
  edit("Change step 1 to “Read the order and the customer's file.”", {
    skill: swap("1. Read the order.\n2", "1. Read the order and the customer's file.\n2"),
  }),
  edit("Remove step 9.", IMPOSSIBLE),
  edit("Move step 3 to the top.", {
    skill: swap(
      "1. Read the order.\n2. Find the matching rule:\n   - by product group\n" +
        "   - else by price\n3. Decide by the policy.\n",
      "1. Decide by the policy.\n2. Read the order.\n3. Find the matching rule:\n" +
        "   - by product group\n   - else by price\n",
    ),
  }),
  edit("Shoes may be returned within 14 days.", {
    skill: swap("| shoes | 30   |", "| shoes | 14   |"),
  }),
  edit("Change the days for food from 2 to 3 in the policy.", {
    skill: swap("| food  | 2    |", "| food  | 3    |"),
  }),
  edit("It should also take a required number named amount.", {
    config: (config) => {
      config.inputs.properties.amount = { type: "number" };
      config.inputs.required.push("amount");
    },
  }),
  edit("Remove the input order_id.", {
    drops: "# from the shop",
    config: (config) => {
      config.inputs.properties = {};
      config.inputs.required = [];
    },
  }),
  edit("Use openai/gpt-5-mini.", {
    config: (config) => {
      config.model = "openai/gpt-5-mini";
    },
  }),
  edit("Switch the model to anthropic/claude-haiku-4-5", {
    config: (config) => {
      config.model = "anthropic/claude-haiku-4-5";
    },
  }),
  edit("Use the model acme/best-9000.", IMPOSSIBLE),
  edit("Add a starter: What about food?", {
    config: (config) => config.starters.push("What about food?"),
  }),
  edit("Rename it to Gift Desk and set max steps to 20.", {
    fields: { name: "Gift Desk" },
    skill: swap("# Return Desk", "# Gift Desk"),
    config: limits({ max_steps: 20 }),
  }),
  edit("Remove step 4, then add a rule: Answer in one sentence.", {
    skill: (text) =>
      text
        .replace("4. Write the answer.\n", "")
        .replace(RULES, `${RULES}* Answer in one sentence.\n`),
  }),
  edit("Run it every Monday at 9.", IMPOSSIBLE),
  edit("Make it better.", OPEN),
  edit("Undo that.", IMPOSSIBLE),
  edit("What does it do?", IMPOSSIBLE),
  edit("Mache es freundlicher.", OPEN),
  edit("Connect it to Slack.", OPEN),
  edit("Add a dashboard.", OPEN),
  edit("Return the answer as JSON with the fields allowed and reason.", {
    config: (config) => {
      config.output_schema = { type: "object", properties: { allowed: {}, reason: {} } };
    },
  }),
  edit("Turn off everything that costs money.", OPEN),
  edit("Rename step 1.", IMPOSSIBLE),
  edit("Don't rename it.", IMPOSSIBLE),
  edit("Set the temperature to 0.2.", {
    config: (config) => {
      config.model_settings = { temperature: 0.2 };
    },
  }),
  edit("Set max credits to -3.", IMPOSSIBLE),
];
