import { expect, test } from "vitest";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import { checkAgentDraft } from "@/lib/runtime/drafts/check-agent-draft";
import { lintDraft } from "@/lib/runtime/drafts/lint-draft";
import { guideOf } from "@/lib/runtime/prompts/guides";

const MAIL = {
  name: "send_mail",
  method: "POST" as const,
  url: "https://mail.example.com/v1?token=x",
  auth_secret: "MAIL_KEY",
};
const lint = (skillContent: string, config: Partial<AgentConfig> = {}, secrets: string[] = []) =>
  lintDraft({ skillContent, config: { version: 1, ...config } }, secrets);

test.each([
  ["1. Post it by `create_ticket`.", ["create_ticket"]],
  ["Call `send_mail` with the text.", ["send_mail"]],
  ["Look it up with web_search.", ["web_search"]],
  ["The `lookup` tool finds it.", ["lookup"]],
  ["Never use `web_search`.", []],
  ["Do not call `send_mail`.", []],
  ["Group by `order_id` and sort by `amount`.", []],
  ["Read `policy.md`, then use `todo`.", []],
])("of the skill %j the tools %j are missing", (skill, missing) => {
  const { problems } = lint(skill, { tools: { builtin: ["todo"] } });
  expect(problems).toHaveLength(missing.length);
  for (const [index, name] of missing.entries()) expect(problems[index]).toContain(`\`${name}\``);
});

test("a tool that a connector brings is there, and a server of MCP may bring any", () => {
  expect(lint("Call `send_mail`.", { tools: { http: [MAIL] } }, ["MAIL_KEY"]).problems).toEqual([]);
  expect(
    lint("Call `open_issue`.", {
      tools: { mcp: [{ name: "github", url: "https://mcp.example.com" }] },
    }).problems,
  ).toEqual([]);
});

test("memory is a tool where the config switches it on, and nowhere else", () => {
  expect(lint("Call `memory`.", { tools: { memory: true } }).problems).toEqual([]);
  expect(lint("Call `memory`.").problems).toEqual([expect.stringContaining("`memory`")]);
});

test("a secret that the account lacks is needed, with its host and no more of the address", () => {
  const { needs } = lint("Call `send_mail`.", { tools: { http: [MAIL] } });
  expect(needs).toEqual([
    {
      kind: "secret",
      text: "The secret MAIL_KEY, which the connector send_mail sends to mail.example.com.",
    },
  ]);
});
test("a connector that signs in is a need until the account is signed in to that server", () => {
  const config = {
    version: 1 as const,
    tools: { mcp: [{ name: "hub", url: "https://mcp.example.com", auth: "oauth" as const }] },
  };
  const needs = (names: string[]) => lintDraft({ skillContent: "Work.", config }, names).needs;
  expect(needs(["mcp-connection:https://mcp.example.com/mcp"])).toEqual([
    {
      kind: "connector",
      text: "A sign-in to mcp.example.com for the connector hub, under Connections in the console.",
    },
  ]);
  expect(needs(["mcp-connection:https://mcp.example.com/"])).toEqual([]);
});

test("an input that the skill never names is told", () => {
  const inputs = {
    type: "object",
    properties: { order_id: {}, cityName: {}, colour: {}, request: {} },
  };
  expect(lint("Get the order id. Then the city name.", { inputs }).warnings).toEqual([
    "The skill says nothing of the input `colour`.",
  ]);
});

test("the builders' example can be stored as it is, and lacks nothing but its secret", () => {
  const checked = checkAgentDraft(JSON.parse(guideOf("example", false)));
  if (!checked.ok) throw new Error(checked.problems.join("; "));
  expect(lintDraft(checked.draft, ["SHOP_KEY"])).toEqual({ problems: [], warnings: [], needs: [] });
});

test.each([
  [
    "Never send it by way of any of the other channels, web_search is for research.",
    ["web_search"],
  ],
  ["Avoid web_search. Then use web_fetch.", ["web_fetch"]],
  ["First see my_web_search, web_search_notes and web_searches.", []],
  ["Keep a todo list, and artifacts of it.", []],
  ["Never under any circumstances use `lookup`.", []],
  ["Use `id`, then the `no` tool.", []],
  ["Sort with `created_at`, then with `send_mail`.", ["send_mail"]],
  ["Use the tool `ab_c`, the tool `x`, and `lookup`.", ["ab_c"]],
  ["Call `read_skill` for the rules.", []],
])("of the skill %j without any tools these are missing: %j", (skill, missing) => {
  const { problems } = lint(skill, { tools: { builtin: [] } });
  expect(problems).toEqual(
    missing.map(
      (name) => `The skill says to use \`${name}\`, and the agent has no tool of this name.`,
    ),
  );
});

test("an MCP server brings its named tools; inputs and client tools are no missing ones", () => {
  const mcp = [{ name: "hub", url: "https://mcp.example.com", tools: ["open_issue"] }];
  const inputs = { type: "object", properties: { city_name: {} } };
  const client = [{ name: "pick_colour", description: "Asks.", input_schema: { type: "object" } }];
  const config = { tools: { mcp, client }, inputs };
  const skill =
    "Call `open_issue`, call `hub__any`, use `city_name`, call `pick_colour`, call `close_issue`.";
  expect(lint(skill, config).problems).toEqual([
    "The skill says to use `close_issue`, and the agent has no tool of this name.",
  ]);
});

test("a connector without secret, or with the account's, needs nothing, nor OAuth unset", () => {
  const { auth_secret: _, ...open } = MAIL;
  const mcp = [{ name: "hub", url: "https://mcp.example.com" }];
  expect(
    lint("Work.", { tools: { http: [MAIL, { ...open, name: "ping" }], mcp } }, ["MAIL_KEY"]).needs,
  ).toEqual([]);
});
