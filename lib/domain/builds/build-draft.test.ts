import { describe, expect, test } from "vitest";
import {
  type BuildDraft,
  changesOf,
  draftOf,
  isProposal,
  isRepeated,
  propose,
} from "@/lib/domain/builds/build-draft";
import type { LoadedAgent, LoadedRun } from "@/lib/domain/execution/run/loaded-run";
import { testRun } from "@/lib/domain/test/test-run";
import type { AgentDraft } from "@/lib/runtime/drafts/check-agent-draft";

const STATE: AgentDraft = {
  name: "Helper",
  description: "Helps.",
  skillContent: "Help them.",
  config: { version: 1, limits: { max_steps: 5 } },
  configContent: "version: 1\nlimits:\n  max_steps: 5 # few\n",
  keyOrder: null,
  dashboardTemplate: null,
  writeAutonomy: "approval_required",
};
const AGENT = {
  ...STATE,
  id: "a1",
  version: "1.0",
  isOwners: true,
  currentVersionId: "v2",
  versionNumber: 2,
} as LoadedAgent;
const NEW = {
  name: " Poet ",
  description: "",
  skill_content: "Write poems.",
  config: { version: 1 },
  write_autonomy: "full_auto",
};
const HOOK = { name: "hook", method: "POST", url: "https://hook.example.com/in" };

interface Call {
  name: string;
  input: unknown;
  /** Whether it was accepted; absent: it has no result yet. */
  succeeded?: boolean;
  /** The version of the agent that its model saw. */
  version?: string | null;
}

function build(
  agent: LoadedAgent | null,
  calls: Call[] = [],
  origin: LoadedRun["origin"] = "key",
): LoadedRun {
  const turns = calls.map(({ name, input, version = agent?.currentVersionId ?? null }, turn) => ({
    agentVersionId: version,
    content: [
      { type: "text", text: "So." },
      { type: "tool-call", toolCallId: `c${turn}`, toolName: name, input },
    ],
  }));
  const results = calls.flatMap(({ succeeded }, turn) =>
    succeeded === undefined ? [] : [[`c${turn}`, { succeeded }] as const],
  );
  return testRun({
    accountId: "account",
    agent,
    origin,
    input: {},
    history: [],
    turns,
    toolResults: new Map(results),
  });
}

const call = (name: string, input: unknown) => ({ toolCallId: "now", name, input });
/** What the draft is after one more call. @throws where it is refused */
async function proposed(
  run: LoadedRun,
  before: BuildDraft | null,
  name: string,
  input: unknown,
): Promise<BuildDraft> {
  const said = await propose(run, before, call(name, input));
  if (!said.ok) throw new Error([said.error, ...said.problems].join("\n"));
  return said.draft;
}

describe("a proposal", () => {
  test("of a whole agent is one where none is; only a person's may write unasked", async () => {
    const state = {
      name: "Poet",
      description: null,
      skillContent: "Write poems.",
      config: { version: 1 },
      configContent: "version: 1\n",
      keyOrder: null,
      dashboardTemplate: null,
    };
    const input = { ...NEW, left_out: ["Rhymes."] };
    const rest = {
      summary: null,
      leftOut: ["Rhymes."],
      asked: [],
      last: call("create_agent", input),
    };
    expect(await proposed(build(null), null, "create_agent", input)).toEqual({
      state: { ...state, writeAutonomy: "full_auto" },
      ...rest,
    });
    const ofAgent = build(null, [], "agent");
    expect(await proposed(ofAgent, null, "create_agent", input)).toEqual({
      state: { ...state, writeAutonomy: "approval_required" },
      ...rest,
    });
    expect(
      (await proposed(ofAgent, null, "create_agent", { ...NEW, write_autonomy: "blocked" })).state
        .writeAutonomy,
    ).toBe("blocked");
  });

  test("that does not fit is refused with the places that do not", async () => {
    expect(await propose(build(null), null, call("create_agent", { ...NEW, name: "" }))).toEqual({
      ok: false,
      error: "The agent cannot be stored so. Correct this and call the tool again.",
      problems: [expect.stringMatching(/^name: /)],
    });
    expect(await propose(build(AGENT), null, call("edit_agent", { name: "" }))).toEqual({
      ok: false,
      error: "The change cannot be stored so. Correct this and call the tool again.",
      problems: [expect.stringMatching(/^name: /)],
    });
    for (const name of ["edit_agent", "restore_version"])
      expect(await propose(build(null), null, call(name, { number: 1 }))).toEqual({
        ok: false,
        error: "There is no draft yet: call create_agent first.",
        problems: [],
      });
  });

  test("of a change keeps all else of agent and draft; what each said is said once", async () => {
    const run = build(AGENT);
    const first = await proposed(run, null, "edit_agent", { name: "Aide", summary: "Renamed." });
    expect(first).toEqual({
      state: { ...STATE, name: "Aide" },
      summary: "Renamed.",
      leftOut: [],
      asked: [],
      last: call("edit_agent", { name: "Aide", summary: "Renamed." }),
    });
    const second = await proposed(
      run,
      { ...first, leftOut: ["Mail."], asked: ["old"] },
      "edit_agent",
      {
        config: { version: 1, tools: { http: [HOOK] } },
        summary: "It posts.",
      },
    );
    expect(second).toMatchObject({
      summary: "Renamed. It posts.",
      leftOut: ["Mail."],
      asked: ["old", "hook"],
    });
    expect(second.state).toMatchObject({
      name: "Aide",
      skillContent: "Help them.",
      config: { permissions: { ask: ["hook"] } },
    });
    expect(
      (await proposed(run, first, "edit_agent", { name: "Aid", summary: "Renamed." })).summary,
    ).toBe("Renamed.");
    expect((await proposed(run, null, "edit_agent", { name: "Aid" })).summary).toBeNull();
  });

  test("of a whole agent over one changes all its fields; one of neither is refused", async () => {
    const run = build(AGENT);
    const { state, leftOut } = await proposed(run, null, "create_agent", {
      ...NEW,
      left_out: ["Rhymes."],
    });
    expect(state).toMatchObject({
      name: "Poet",
      skillContent: "Write poems.",
      config: { version: 1 },
      writeAutonomy: "full_auto",
    });
    expect(leftOut).toEqual([]);
    expect((await propose(run, null, call("create_agent", undefined))).ok).toBe(false);
    expect((await propose(run, null, call("create_agent", { ...NEW, name: "" }))).ok).toBe(false);
  });

  test("to restore a version says its number, and is refused where it says none", async () => {
    const error = "The agent has no version of this number. list_versions names them.";
    expect(await propose(build(AGENT), null, call("restore_version", {}))).toEqual({
      ok: false,
      error,
      problems: [],
    });
  });

  test("is what three tools make", () => {
    const names = [
      "create_agent",
      "edit_agent",
      "restore_version",
      "finish",
      "try_agent",
      "list_versions",
    ];
    expect(names.filter(isProposal)).toEqual(["create_agent", "edit_agent", "restore_version"]);
  });
});

test("the draft is made of accepted proposals on the present agent, in order", async () => {
  const edit = (input: object, more: Partial<Call> = {}): Call => ({
    name: "edit_agent",
    input,
    succeeded: true,
    ...more,
  });
  const run = build(AGENT, [
    edit({ name: "One", write_autonomy: "blocked", summary: "One." }, { version: "v1" }),
    edit({ name: "Two", description: "Two.", summary: "Two." }),
    edit({ name: "Three", summary: "Three." }, { succeeded: false }),
    { name: "finish", input: { description: "Four." }, succeeded: true },
    edit({ name: "Five", summary: "Five." }),
    edit({ nonsense: true }),
    { name: "edit_agent", input: { name: "Six" } },
  ]);
  expect(await draftOf(run)).toEqual({
    state: { ...STATE, name: "Five", description: "Two." },
    summary: "Two. Five.",
    leftOut: [],
    asked: [],
    last: { toolCallId: "c4", name: "edit_agent", input: { name: "Five", summary: "Five." } },
  });
  expect(await draftOf(build(AGENT, [edit({ name: "One" }, { version: null })]))).toBeNull();
  expect(
    (await draftOf(build(null, [{ name: "create_agent", input: NEW, succeeded: true }])))?.state
      .name,
  ).toBe("Poet");
});

test("a draft changes what reads otherwise than the agent, and nothing else", () => {
  const changes = (state: Partial<AgentDraft>, agent = AGENT) =>
    // Nothing else is read.
    changesOf(agent, { state: { ...STATE, ...state } } as unknown as BuildDraft);
  expect(changes({})).toEqual({});
  const other: Omit<AgentDraft, "keyOrder"> = {
    name: "Aide",
    description: null,
    skillContent: "Aid them.",
    config: { version: 1 },
    configContent: "version: 1\n",
    dashboardTemplate: { title: "All" },
    writeAutonomy: "blocked",
  };
  // What is kept of the order of a text's keys goes with the text.
  const ofText = (field: string) => (field === "configContent" ? { keyOrder: null } : {});
  expect(changes(other)).toEqual({ ...other, keyOrder: null });
  for (const [field, value] of Object.entries(other))
    expect(changes({ [field]: value })).toEqual({ [field]: value, ...ofText(field) });
  // The order of keys is nothing that an agent does.
  const [one, two] = [
    { a: 1, b: 2 },
    { b: 2, a: 1 },
  ];
  expect(changes({ dashboardTemplate: one }, { ...AGENT, dashboardTemplate: two })).toEqual({});
  expect(changes({ dashboardTemplate: null }, { ...AGENT, dashboardTemplate: undefined })).toEqual(
    {},
  );
  expect(changes({ dashboardTemplate: null }, { ...AGENT, dashboardTemplate: one })).toEqual({
    dashboardTemplate: null,
  });
});

test("a call repeats the one that made the draft where tool and words are the same", () => {
  // Nothing else is read.
  const draft = { last: call("edit_agent", { name: "Aide" }) } as unknown as BuildDraft;
  expect(isRepeated(draft, { ...call("edit_agent", { name: "Aide" }), toolCallId: "other" })).toBe(
    true,
  );
  expect(isRepeated(draft, call("edit_agent", { name: "Aid" }))).toBe(false);
  expect(isRepeated(draft, call("create_agent", { name: "Aide" }))).toBe(false);
  expect(isRepeated(null, call("edit_agent", { name: "Aide" }))).toBe(false);
});
