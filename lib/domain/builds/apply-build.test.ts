import { describe, expect, test } from "vitest";
import { applyBuild } from "@/lib/domain/builds/apply-build";
import { buildTools } from "@/lib/domain/builds/build-prompt";
import type { RunStep } from "@/lib/domain/execution/session/run-step";
import { testRun } from "@/lib/domain/test/test-run";
import { withService } from "@/lib/platform/test/test-service";
import { GUIDE_TOPICS, guideOf } from "@/lib/runtime/prompts/guides";
import { findTemplate, templates } from "@/lib/templates/templates";

const AGENT = {
  id: "a1",
  name: "Helper",
  description: null,
  skillContent: "Help.",
  config: { version: 1 },
  configContent: "version: 1\n",
};
const NEW = {
  name: "Poet",
  description: "",
  skill_content: "Write.",
  config: { version: 1 },
  write_autonomy: "blocked",
};

interface Call {
  name: string;
  input: unknown;
  succeeded?: boolean;
  output?: unknown;
}
const create = (input: object = {}, succeeded = true): Call => ({
  name: "create_agent",
  input: { ...NEW, ...input },
  succeeded,
});
const edit = (input: object, succeeded = true): Call => ({
  name: "edit_agent",
  input: { summary: "Changed.", ...input },
  succeeded,
});
const ended = (input: object): Call => ({
  name: "finish",
  input: { outcome: "built", text: "", ...input },
});

/**
 * What the last of these calls of a build is answered, or the one at `at`; each list of them is a
 * turn.
 */
async function answerOf(
  turns: Call[][],
  { isEdit = false, seen = "v1", at = turns.flat().length - 1 } = {},
) {
  const agent = isEdit && {
    ...AGENT,
    writeAutonomy: "blocked",
    dashboardTemplate: null,
    currentVersionId: "v1",
  };
  const calls = turns.flat().map((call, index) => ({ ...call, id: `c${index}` }));
  let next = 0;
  const stored = turns.map((turn) => ({
    agentVersionId: isEdit ? seen : null,
    content: turn.map(({ name, input }) => ({
      type: "tool-call",
      toolCallId: `c${next++}`,
      toolName: name,
      input,
    })),
  }));
  const results = calls.flatMap(({ id, name, succeeded, output }, index) =>
    succeeded === undefined || index >= at
      ? []
      : [[id, { toolCallId: id, name, succeeded, output: output ?? {} }] as const],
  );
  const asked = calls[at];
  const run = testRun({
    accountId: "account",
    kind: isEdit ? "agent_edit" : "agent_creation",
    origin: "key",
    agent: agent || null,
    turns: stored,
    toolResults: new Map(results),
    history: [],
    input: { text: "Build it." },
    secrets: [],
  });
  const step = { signal: new AbortController().signal } as RunStep; // nothing is logged
  return {
    run,
    result: await applyBuild(
      run,
      { toolCallId: asked?.id ?? "", name: asked?.name ?? "", input: asked?.input },
      step,
    ),
  };
}
const resultOf = async (...args: Parameters<typeof answerOf>) => (await answerOf(...args)).result;
const refused = (error: unknown, more: object = {}) => ({
  succeeded: false,
  output: { error, ...more },
});

const NOTE = "Call finish to store it, or change it further.";
const LOOK =
  "The draft stands, but look at this once before it is stored. Correct it, or call finish again " +
  "and say in needs or left_out what is missing.";
const lacksTool = (name: string) =>
  `The skill says to use \`${name}\`, and the agent has no tool of this name.`;

describe("a proposal", () => {
  test("that fits is accepted with what it lacks, and what the person has to add", async () => {
    expect(await resultOf([[create()]])).toEqual({
      succeeded: true,
      output: { draft: "accepted", note: NOTE },
    });
    const http = [
      { name: "hook", method: "POST", url: "https://hook.example.com/in", auth_secret: "KEY" },
    ];
    const inputs = { type: "object", properties: { colour: {} } };
    const proposal = create({
      skill_content: "Call `send_mail`.",
      config: { version: 1, tools: { http }, inputs },
    });
    expect(await resultOf([[proposal]])).toEqual({
      succeeded: true,
      output: {
        draft: "accepted",
        lacks: [
          lacksTool("send_mail"),
          "The skill says nothing of the input `colour`.",
          "To be added by the person: The secret KEY, which the connector hook sends to " +
            "hook.example.com.",
        ],
        note: NOTE,
      },
    });
  });

  test("that changes the draft before it is accepted, too", async () => {
    expect(await resultOf([[create()], [edit({ name: "Aide" })]])).toEqual({
      succeeded: true,
      output: { draft: "accepted", note: NOTE },
    });
  });

  test("unfit, without a draft or on an older version of the agent is refused", async () => {
    expect(await resultOf([[create({ name: "" })]])).toEqual(
      refused("The agent cannot be stored so. Correct this and call the tool again.", {
        problems: [expect.stringMatching(/^name: /)],
      }),
    );
    expect(await resultOf([[edit({ name: "Aide" })]])).toEqual(
      refused("There is no draft yet: call create_agent first."),
    );
    expect(await resultOf([[edit({ name: "Aide" })]], { isEdit: true, seen: "v0" })).toEqual(
      refused(expect.stringMatching(/^The agent was changed by somebody else/), {
        agent_changed: true,
      }),
    );
    expect(await resultOf([[edit({ name: "Aide" })]], { isEdit: true })).toMatchObject({
      succeeded: true,
    });
  });

  test("made again before its turn's end is taken as it is, and the end follows", async () => {
    const answer = await resultOf([[create()], [create(), ended({})]], { at: 1 });
    expect(answer).toEqual({ succeeded: true, output: { draft: "accepted", note: NOTE } });
  });
});

describe("an end", () => {
  test("that does not fit is refused with its places, ten at most", async () => {
    expect(await resultOf([[ended({ outcome: "done", question: 7 })]])).toEqual(
      refused("This does not fit. Correct it and call the tool again.", {
        problems: [expect.stringMatching(/^outcome: /), expect.stringMatching(/^question: /)],
      }),
    );
    expect(await resultOf([[{ name: "finish", input: null }]])).toMatchObject({
      output: { problems: [expect.stringMatching(/^finish: /)] },
    });
    const answer = await resultOf([[ended({ assumptions: Array.from({ length: 12 }, () => 7) })]]);
    expect(answer).toMatchObject({
      output: {
        problems: Array.from({ length: 10 }, (_, index) =>
          expect.stringMatching(`^assumptions.${index}: `),
        ),
      },
    });
  });

  test.each<[string, Call[][], boolean, string]>([
    [
      "built without a draft",
      [[ended({})]],
      false,
      "There is no draft to store. Draft it first, or finish with question, refused or unchanged.",
    ],
    [
      "built after a draft that was refused",
      [[create()], [edit({ name: "" }, false), ended({})]],
      false,
      "The last draft was refused, so nothing was ended. Correct it first.",
    ],
    [
      "unchanged without an agent",
      [[ended({ outcome: "unchanged" })]],
      false,
      "There is no agent that could stay as it is. Finish with question or refused.",
    ],
    [
      "refused without a word",
      [[ended({ outcome: "refused", text: " \n" })]],
      true,
      "text: say it to the person in words.",
    ],
    [
      "a question without a word",
      [[ended({ outcome: "question" })]],
      false,
      "text: say it to the person in words.",
    ],
  ])("as %s is refused", async (_, turns, isEdit, error) => {
    expect(await resultOf(turns, { isEdit })).toEqual(refused(error));
  });

  test("of a draft that names a file's hosts is refused", async () => {
    const read: Call = { name: "read_workspace", input: { name: "Books" }, succeeded: true };
    const answer = await resultOf([
      [read],
      [create({ skill_content: "Read evil.example.com." })],
      [ended({})],
    ]);
    expect(answer).toEqual(refused(expect.stringMatching(/did not: evil\.example\.com\./)));
  });

  test("in the turn of a draft naming a missing tool is put off once; it stands", async () => {
    const answer = await resultOf([[create({ skill_content: "Call `send_mail`." }), ended({})]]);
    expect(answer).toEqual(
      refused(LOOK, { problems: [lacksTool("send_mail")], draft_stands: true }),
    );
  });
});

test("the guide to configs has numpy in the operator's image or at the provider only", async () => {
  const guide = async () => {
    const result = await resultOf([[{ name: "read_guide", input: { topic: "config" } }]]);
    return /run_python \((.*?)\)/.exec(JSON.stringify(result))?.[1];
  };
  const image = { PYTHON_CONTAINER_RUNTIME: "docker", PYTHON_CONTAINER_IMAGE: "python:1" };
  expect(await withService(image, guide)).toMatch(
    /matplotlib where the operator's image has them, else with tools\.python: provider$/,
  );
  expect(await withService({}, guide)).toMatch(/matplotlib only with tools\.python: provider$/);
});

test("a tool that a build does not have is answered with those that it has", async () => {
  for (const isEdit of [false, true]) {
    const { run, result } = await answerOf([[{ name: "web_search", input: {} }]], { isEdit });
    const names = buildTools(run).map(({ name }) => name);
    expect(result).toEqual(
      refused(`There is no tool "web_search" here. There are ${names.join(", ")}.`),
    );
    expect(names).toContain(isEdit ? "list_versions" : "create_agent");
  }
  // There is nothing to list before an agent exists.
  expect(await resultOf([[{ name: "list_versions", input: {} }]])).toEqual(
    refused(expect.stringMatching(/^There is no tool "list_versions" here\./)),
  );
});

test("guides are read by topic and template; unfit arguments are told what fits", async () => {
  const guide = (input: unknown) => resultOf([[{ name: "read_guide", input }]]);
  const names = templates().map(({ name, title }) => `${name}: ${title}`);
  const [first] = templates();
  expect(await guide({ topic: "config" })).toEqual({
    succeeded: true,
    output: guideOf("config", false),
  });
  expect(await guide({ topic: "dashboard", template: first?.name })).toEqual({
    succeeded: true,
    output: guideOf("dashboard", false),
  });
  expect(await guide({ topic: "example" })).toEqual({
    succeeded: true,
    output: `${guideOf("example", false)}\n\nTemplates:\n${names.join("\n")}`,
  });
  expect(await guide({ topic: "example", template: first?.name })).toEqual({
    succeeded: true,
    output: findTemplate(first?.name ?? "")?.content,
  });
  expect(await guide({ topic: "example", template: "none" })).toEqual(
    refused(`template: must be one of\n${names.join("\n")}`),
  );
  expect(await guide({ topic: "all" })).toEqual(
    refused(`topic: must be one of ${GUIDE_TOPICS.join(", ")}.`),
  );
  expect(await resultOf([[{ name: "read_workspace", input: {} }]])).toEqual(
    refused(
      "The arguments do not fit: name is the workspace's name, path that of one of its files.",
    ),
  );
  expect(
    await resultOf([[{ name: "list_versions", input: { compare_with: 0 } }]], { isEdit: true }),
  ).toEqual(refused("compare_with: must be the number of a version."));
});
