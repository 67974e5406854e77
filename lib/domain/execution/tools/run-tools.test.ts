import { expect, test } from "vitest";
import type { LoadedRun } from "@/lib/domain/execution/run/loaded-run";
import { runConfig, runTools } from "@/lib/domain/execution/tools/run-tools";
import { testRun } from "@/lib/domain/test/test-run";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import type { RunKind } from "@/lib/model/run/run-status";

interface Case {
  config?: AgentConfig;
  skill?: string;
  isOwners?: boolean;
  kind?: RunKind;
  hasAgent?: boolean;
  [field: string]: unknown;
}

function run({
  config = { version: 1 },
  skill = "Help.",
  isOwners = true,
  hasAgent = true,
  ...more
}: Case = {}): LoadedRun {
  const plain = {
    id: "run",
    accountId: "account",
    kind: "agent",
    origin: "key",
    model: "test/plain",
    conversationId: null,
    seenPrivate: true,
    input: {},
    approved: [],
    toolResults: new Map(),
    secrets: [],
    skills: [],
    ...more,
  };
  return testRun({
    ...plain,
    agent: hasAgent ? { id: "a1", skillContent: skill, config, isOwners } : null,
  });
}

const { signal } = new AbortController();
const namesOf = async (of: LoadedRun) => (await runTools(of, signal)).map(({ name }) => name);

/** Whether a person is asked before the run fetches from there. */
async function asks(more: Case, url = "https://wiki.example.com/a"): Promise<boolean> {
  const tool = (await runTools(run(more), signal)).find(({ name }) => name === "web_fetch");
  if (!tool?.reasonToAsk) throw new Error("there is no web_fetch");
  return (await tool.reasonToAsk({ url })) !== null;
}
const results = (name: string, succeeded: boolean, output: unknown) => ({
  toolResults: new Map([["c", { name, succeeded, output }]]),
});
const FOUND = {
  results: [{ url: 7 }, { url: "no address" }, { url: "https://wiki.example.com/b" }],
};
const LONG = `See wiki.example.com.${" ".repeat(2_000)}`;
const yes = (toolName: string, url: unknown) => ({ approved: [{ toolName, arguments: { url } }] });

test.each<[string, Case, boolean]>([
  ["nobody named it", {}, true],
  ["no files lie at hand", { seenPrivate: false }, false],
  ["the person named it in the input", { input: { request: "Read wiki.example.com." } }, false],
  [
    "a long text in the input names it, as a pasted document does",
    { input: { request: LONG } },
    true,
  ],
  [
    "a short text of the input names it beside a long one",
    { input: { request: "Read wiki.example.com.", document: LONG } },
    false,
  ],
  [
    "another agent named it in the input",
    { input: { request: "Read wiki.example.com." }, origin: "agent" },
    true,
  ],
  ["the skill of the owner's agent names it", { skill: "Read wiki.example.com." }, false],
  [
    "the skill of an agent that an agent made names it",
    { skill: "Read wiki.example.com.", isOwners: false },
    true,
  ],
  ["there is no agent", { hasAgent: false }, true],
  ["a search gave it", results("web_search", true, FOUND), false],
  ["a search that failed gave it", results("web_search", false, FOUND), true],
  ["another tool gave it", results("lookup", true, FOUND), true],
  ["a search gave nothing", results("web_search", true, {}), true],
  ["a search gave what is no list", results("web_search", true, { results: 5 }), true],
  ["a search gave a list of nothing", results("web_search", true, { results: [null] }), true],
  ["a search gave no object", results("web_search", true, null), true],
  [
    "a connector that is called like the search gave it",
    {
      ...results("web_search", true, FOUND),
      config: {
        version: 1,
        tools: {
          builtin: ["web_fetch"],
          client: [{ name: "web_search", description: "Searches.", input_schema: {} }],
        },
      },
    },
    true,
  ],
  ["somebody approved it in this run", yes("web_fetch", "https://wiki.example.com/c"), false],
  [
    "somebody approved another tool's call with it",
    yes("lookup", "https://wiki.example.com/c"),
    true,
  ],
  ["somebody approved what is no address", yes("web_fetch", "no address"), true],
  [
    "the config allows it",
    { config: { version: 1, tools: { web: { allowed_hosts: ["*.example.com"] } } } },
    false,
  ],
  [
    "the config allows another one",
    { config: { version: 1, tools: { web: { allowed_hosts: ["example.org"] } } } },
    true,
  ],
])(
  "where %s, a person is asked before the run fetches from a host: %s",
  async (_, more, expected) => {
    expect(await asks(more)).toBe(expected);
  },
);

test("an app key's run without an end user has no notes: they would be all's", async () => {
  const config: AgentConfig = { version: 1, tools: { builtin: [], memory: true } };
  const has = async (more: Case) =>
    (await namesOf(run({ config, endUser: null, ...more }))).includes("memory");
  expect(await has({ kind: "app" })).toBe(false);
  expect(await has({ kind: "app", endUser: "" })).toBe(false);
  expect(await has({ kind: "app", endUser: "ada" })).toBe(true);
  expect(await has({ kind: "agent" })).toBe(true);
});

test("a run has its config's tools, the super-agent's those for agents, a build none", async () => {
  const http = [{ name: "hook", method: "POST" as const, url: "https://hook.example.com/in" }];
  const client = [{ name: "pick", description: "Asks.", input_schema: { type: "object" } }];
  const config: AgentConfig = {
    version: 1,
    tools: { builtin: ["todo"], memory: true, http, client },
  };
  const skills = [{ name: "letters", description: "Writes letters." }];
  expect((await namesOf(run({ config, skills }))).sort()).toEqual([
    "hook",
    "memory",
    "pick",
    "read_skill",
    "todo",
  ]);
  const plain: AgentConfig = { version: 1, tools: { builtin: ["todo"] } };
  expect((await namesOf(run({ config: plain, skills }))).sort()).toEqual(["read_skill", "todo"]);
  // No built-in skill is of use with these tools either: there is nothing to read.
  expect(await namesOf(run({ config: plain }))).toEqual(["todo"]);
  expect(await namesOf(run({ kind: "super_agent", hasAgent: false }))).toContain("run_agent");
  expect(await namesOf(run({ hasAgent: false }))).not.toContain("run_agent");
  expect(runConfig(run({ config })).tools.builtin).toEqual(["todo"]);
  expect(runConfig(run({ config, kind: "app" })).tools.builtin).toEqual(["todo"]);
  expect(runConfig(run({ config, kind: "agent_edit" })).tools.builtin.length).toBeGreaterThan(1);
});
