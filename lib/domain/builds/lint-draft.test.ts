import { expect, test } from "vitest";
import type { BuildDraft } from "@/lib/domain/builds/build-draft";
import {
  hasReadFiles,
  hasReadFilesBefore,
  hasReadOutside,
  lintOf,
  strangeHosts,
} from "@/lib/domain/builds/lint-draft";
import { testRun } from "@/lib/domain/test/test-run";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";

const MAIL = {
  name: "send_mail",
  method: "POST" as const,
  url: "https://mail.example.com/v1?token=x",
  auth_secret: "MAIL_KEY",
};
type Call = [tool: string, input: unknown];
const state = (skillContent: string, config: Partial<AgentConfig> = {}) => ({
  skillContent,
  config: { version: 1, ...config },
});
const draft = (skillContent: string, config?: Partial<AgentConfig>) =>
  ({ state: state(skillContent, config) }) as unknown as BuildDraft; // nothing else is read

/**
 * What a draft is judged by, of a build's run: what was said to it, the agent as it was, and what
 * its model called.
 */
function build({
  agent,
  calls = [],
  request = "Build it.",
  history = [
    { role: "user", text: "It runs at shop.example.com." },
    { role: "assistant", text: "Or at evil.example.com?" },
  ],
  seenPrivate = false,
}: {
  agent?: ReturnType<typeof state>;
  calls?: Call[];
  request?: string;
  history?: object[];
  seenPrivate?: boolean;
}) {
  const content = calls.map(([toolName, input], index) => ({
    type: "tool-call",
    toolCallId: `c${index}`,
    toolName,
    input,
  }));
  const turns = [{ content: [{ type: "text", text: "I look." }] }, { content }];
  return testRun({
    accountId: "account",
    agent: agent ?? null,
    secrets: [{ name: "OWN" }],
    history,
    seenPrivate,
    turns,
    input: { text: request },
  });
}

test("an edit is told what its draft newly lacks; a new agent all of it", async () => {
  const inputs = (...names: string[]) => ({
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, {}])),
  });
  const http = (...keys: string[]) => ({
    http: keys.map((key, index) => ({ ...MAIL, name: `mail_${index}`, auth_secret: key })),
  });
  const now = draft("Call `old_tool`, call `new_tool`.", {
    inputs: inputs("colour", "size"),
    tools: http("OLD", "NEW", "OWN"),
  });
  const tool = (name: string) =>
    `The skill says to use \`${name}\`, and the agent has no tool of this name.`;
  const input = (name: string) => `The skill says nothing of the input \`${name}\`.`;
  const need = (secret: string, name: string) => ({
    kind: "secret" as const,
    text: `The secret ${secret}, which the connector ${name} sends to mail.example.com.`,
  });
  expect(await lintOf(build({}), now)).toEqual({
    problems: [tool("old_tool"), tool("new_tool")],
    warnings: [input("colour"), input("size")],
    needs: [need("OLD", "mail_0"), need("NEW", "mail_1")],
  });
  const agent = state("Call `old_tool`.", { inputs: inputs("colour"), tools: http("OLD") });
  expect(await lintOf(build({ agent }), now)).toEqual({
    problems: [tool("new_tool")],
    warnings: [input("size")],
    needs: [need("NEW", "mail_1")],
  });
});

test.each<[Call[], boolean]>([
  [[["read_workspace", {}]], true],
  [[["read_connector", { url: "https://hub.example.com/mcp" }]], true],
  [[["try_agent", { request: "Go.", workspace: "Plans" }]], true],
  [[["try_agent", { request: "Go." }]], false],
  [[["try_agent", null]], false],
  [[["try_agent", "workspace"]], false],
  [[["edit_agent", { workspace: "Plans" }]], false],
  [[], false],
])("a build that called %j has read files: %s", (calls, expected) => {
  expect(hasReadFiles(build({ calls }))).toBe(expected);
});

test("a try that read outside has shown somebody else's words; one that did not, has not", () => {
  expect(hasReadOutside("try_agent", { outcome: "completed", read_outside: true })).toBe(true);
  expect(hasReadOutside("try_agent", { outcome: "completed" })).toBe(false);
  expect(hasReadOutside("finish", { read_outside: true })).toBe(false);
});

test("what was read after a call has not put it there; earlier reads may have", () => {
  const calls: Call[] = [
    ["create_agent", {}],
    ["read_workspace", { name: "Plans" }],
    ["edit_agent", {}],
  ];
  const run = build({ calls });
  const [first, , last] = run.transcript.calls().map(({ toolCallId }) => toolCallId);
  expect(hasReadFilesBefore(run, String(first))).toBe(false);
  expect(hasReadFilesBefore(run, String(last))).toBe(true);
  const later = build({ calls, seenPrivate: true, history: [] });
  expect(hasReadFilesBefore(later, String(first))).toBe(false);
  expect(hasReadFilesBefore(build({ calls, seenPrivate: true }), String(first))).toBe(true);
  expect(hasReadFilesBefore(build({ seenPrivate: true }), "none")).toBe(true);
});

const READ: Call[] = [["read_workspace", { name: "Plans" }]];

test("after files were read a draft names only hosts of request, person, agent", async () => {
  const request = "It reads https://wiki.example.com/a.";
  const agent = state("Reads old.example.com.", { tools: { http: [MAIL] } });
  const known = draft(
    "Reads wiki.example.com, shop.example.com, old.example.com and mail.example.com.",
  );
  expect(await strangeHosts(build({ calls: READ, request, agent }), known)).toBeNull();
  const strange = draft("Reads evil.example.com.", {
    tools: { http: [{ ...MAIL, url: "https://far.example.com/v1" }] },
  });
  expect(await strangeHosts(build({ calls: READ, request, agent }), strange)).toBe(
    "The agent would name hosts that the person did not: evil.example.com, far.example.com. " +
      "After files were read that is not stored, for a file may be somebody else's word. Ask the " +
      "person for the host (outcome question), or leave it out.",
  );
  expect(await strangeHosts(build({ calls: READ }), draft("Reads old.example.com."))).toContain(
    "did not: old.example.com.",
  );
  expect(await strangeHosts(build({ request }), strange)).toBeNull();
});

test("a draft is looked through elsewhere: the loop goes on meanwhile", async () => {
  const properties = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`p${at}`, {}]));
  const long = draft("ab ".repeat(20_000), { inputs: { type: "object", properties } });
  let turns = 0;
  let isOn = true;
  const turn = () => {
    turns += 1;
    if (isOn) setImmediate(turn);
  };
  setImmediate(turn);
  const { warnings } = await lintOf(build({}), long);
  await strangeHosts(build({ calls: READ }), long);
  isOn = false;
  expect(warnings).toHaveLength(300);
  expect(turns).toBeGreaterThan(1);
});
