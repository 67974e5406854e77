import { expect, test } from "vitest";
import { payerOf } from "@/lib/domain/execution/pay/paid-call";
import {
  isAskedByOwner,
  type LoadedRun,
  type RunLimits,
} from "@/lib/domain/execution/run/loaded-run";
import { nextOf, requireAnswer } from "@/lib/domain/execution/turn/follows";
import { isLastTurn, runLimits } from "@/lib/domain/execution/turn/run-limits";
import { testRun, testTranscript } from "@/lib/domain/test/test-run";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import { DEFAULT_MAX_STEPS, DEFAULT_TIMEOUT_SECONDS } from "@/lib/model/limits";
import { RUN_KINDS, type RunKind } from "@/lib/model/run/run-status";

const START = new Date("2026-01-01T00:00:00.000Z");

interface Case {
  kind?: RunKind;
  limits?: AgentConfig["limits"];
  max?: bigint | null;
  parentRunId?: string | null;
  leads?: boolean;
  startedAt?: Date | null;
  waitedMs?: number;
  toolResults?: ReadonlyMap<string, object>;
  turns?: object[];
}

/** What limits look at, of a run that has begun. */
function run({ limits, max = null, ...more }: Case = {}): LoadedRun {
  const agent = limits && { config: { version: 1, limits } };
  const plain = {
    id: "run",
    accountId: "account",
    kind: "agent",
    parentRunId: null,
    startedAt: START,
    waitedMs: 0,
    toolResults: new Map(),
    turns: [],
  };
  return testRun({ ...plain, ...more, agent: agent ?? null, maxCreditsMicros: max });
}

test("without an agent's word a run has the service's steps, time and no limit", () => {
  expect(runLimits(run())).toEqual({
    maxSteps: DEFAULT_MAX_STEPS,
    deadline: new Date(START.getTime() + DEFAULT_TIMEOUT_SECONDS * 1000),
    maxCreditsMicros: null,
    agentMaxMicros: null,
    waitsForCredits: false,
  });
});

test("an agent's limits hold for its runs, by a key of the account or of the app", () => {
  const limits = { max_steps: 3, timeout_seconds: 60, max_credits: 2 };
  for (const kind of ["agent", "app"] as const)
    expect(runLimits(run({ kind, limits }))).toEqual({
      maxSteps: 3,
      deadline: new Date(START.getTime() + 60_000),
      maxCreditsMicros: 2_000_000n,
      agentMaxMicros: 2_000_000n,
      waitsForCredits: false,
    });
});

test("an agent's limits do not hold for the run that edits it", () => {
  const { maxSteps, maxCreditsMicros } = runLimits(
    run({ kind: "agent_edit", limits: { max_steps: 30, max_credits: 2 } }),
  );
  expect([maxSteps, maxCreditsMicros]).toEqual([4, null]);
});

test.each([
  [1_000_000n, { max_credits: 2 }, 1_000_000n],
  [3_000_000n, { max_credits: 2 }, 2_000_000n],
  [null, { max_credits: 2 }, 2_000_000n],
  [3_000_000n, {}, 3_000_000n],
  [null, { max_credits: 0.000001 }, 1n],
  [null, {}, null],
])("of %s millionths for the run and %o of its agent it may cost %s", (max, limits, expected) => {
  expect(runLimits(run({ max, limits })).maxCreditsMicros).toBe(expected);
});

test("time in which a run waited for a person does not count", () => {
  expect(runLimits(run({ waitedMs: 90_000, limits: { timeout_seconds: 60 } })).deadline).toEqual(
    new Date(START.getTime() + 150_000),
  );
});

test("a run that has not begun has all of its time", () => {
  const before = Date.now();
  const { deadline } = runLimits(run({ startedAt: null, limits: { timeout_seconds: 60 } }));
  expect(deadline.getTime()).toBeGreaterThanOrEqual(before + 60_000);
  expect(deadline.getTime()).toBeLessThanOrEqual(Date.now() + 60_000);
});

test("who started a run pays beside it: a super-agent's limit is for all it starts", () => {
  const limits = runLimits(run({ max: 5n }));
  expect(payerOf(run({ kind: "super_agent" }), limits)).toEqual({
    runId: "run",
    accountId: "account",
    maxMicros: 5n,
    rootId: "run",
  });
  expect(payerOf(run({ parentRunId: "parent" }), limits).rootId).toBe("parent");
  expect(payerOf(run({ parentRunId: "parent", leads: true }), limits).rootId).toBe("run");
  expect(payerOf(run({ leads: true }), limits).rootId).toBe("run");
  expect(payerOf(run(), limits).rootId).toBeNull();
});

const call = (toolCallId: string) => ({
  type: "tool-call" as const,
  toolCallId,
  toolName: "todo",
  input: {},
});
const result = (toolCallId: string) =>
  [toolCallId, { toolCallId, name: "todo", succeeded: true, output: {} }] as const;
const text = { type: "text" as const, text: "I look." };

test("after a turn come the calls without result, then a turn; without any it was last", () => {
  const content = [text, call("a"), call("b")];
  const toolResults = new Map([result("a")]);
  expect(nextOf(run({ toolResults }), { content })).toEqual({
    done: false,
    calls: [{ toolCallId: "b", name: "todo" }],
  });
  toolResults.set(...result("b"));
  expect(nextOf(run({ toolResults }), { content })).toEqual({ done: false, calls: [] });
  expect(nextOf(run(), { content: [text] })).toBeNull();
});

test("a build has four turns in vain, and more where something came of them", () => {
  const build = (turns: number, succeeded: boolean) =>
    run({
      kind: "agent_edit",
      turns: Array.from({ length: turns }, (_, turn) => ({
        turn,
        content: [call(`c${turn}`)],
        agentVersionId: null,
      })),
      toolResults: new Map(Array.from({ length: turns }, (_, turn) => [`c${turn}`, { succeeded }])),
    });
  expect(runLimits(build(4, false)).maxSteps).toBe(4);
  expect(runLimits(build(5, true)).maxSteps).toBe(9);
  expect(runLimits(build(40, true)).maxSteps).toBe(20);
});

test("a build's turn lost to another's change, or with one good call, is not in vain", () => {
  const turn = (version: string | null, ...ids: string[]) => ({
    content: [text, ...ids.map(call)],
    agentVersionId: version,
  });
  const toolResults = new Map([
    ["good", { succeeded: true }],
    ["bad", { succeeded: false }],
  ]);
  const steps = (...turns: object[]) =>
    runLimits(run({ kind: "agent_creation", turns, toolResults })).maxSteps;
  expect([
    steps(turn(null, "bad", "unmade")),
    steps(turn(null)),
    steps(turn("v1", "bad")),
    steps(turn(null, "bad", "good")),
  ]).toEqual([4, 4, 5, 5]);
  const turns = [turn("v1"), turn("v2")];
  expect(
    runLimits(
      testRun({ kind: "agent_edit", turns, agent: { currentVersionId: "v2" }, waitedMs: 0 }),
    ).maxSteps,
  ).toBe(5);
});

const withSteps = (maxSteps: number) => ({ maxSteps }) as RunLimits; // nothing else is read
const calling = (count: number) =>
  Array.from({ length: count }, (_, turn) => ({ turn, content: [call(`c${turn}`)] }));
/** A run that made the same call so often; from the third on it was told so. */
function circling(count: number): Case {
  const turns = calling(count);
  const same = (id: string, output: unknown) =>
    [id, { toolCallId: id, name: "todo", succeeded: true, output }] as const;
  const results = turns.map((_, turn) => same(`c${turn}`, {}));
  const told = testTranscript(turns, new Map(results)).repeatedResult({
    toolCallId: `c${count - 1}`,
    name: "todo",
    input: {},
  })?.output;
  return {
    turns,
    toolResults: new Map(results.map(([id], turn) => same(id, turn < 2 ? {} : told))),
  };
}

test.each([
  ["agent", 0, 1, false],
  ["agent", 1, 1, true],
  ["agent", 1, 2, true],
  ["agent", 1, 3, false],
  ["agent", 2, 3, true],
  ["super_agent", 2, 3, true],
  ["agent_edit", 3, 3, false],
  ["agent_creation", 9, 3, false],
] as const)(
  "of a run of kind %s turn %i of %i is the last: %s",
  (kind, turn, maxSteps, expected) => {
    expect(isLastTurn(run({ kind }), turn, withSteps(maxSteps))).toBe(expected);
  },
);

test("the turn after a run went in a circle is its last, whatever steps are left", () => {
  const circle = run(circling(4));
  expect([3, 4, 5].map((turn) => isLastTurn(circle, turn, withSteps(50)))).toEqual([
    false,
    true,
    true,
  ]);
  expect(isLastTurn(run({ ...circling(4), kind: "agent_edit" }), 4, withSteps(50))).toBe(false);
});

const STEPS = {
  code: "STEP_LIMIT_EXCEEDED",
  message: "The run took 3 steps, its limit, without coming to an end.",
};

test("a call in the last turn fails the run; one before it, and an answer in it, do not", () => {
  const answer = (turn: number, content: object[]) => () =>
    requireAnswer(
      run({ turns: calling(3) }),
      { turn, content } as Parameters<typeof requireAnswer>[1],
      withSteps(3),
    );
  expect(answer(2, [text, call("c2")])).toThrow(expect.objectContaining(STEPS));
  expect(answer(1, [text, call("c1")])).not.toThrow();
  expect(answer(2, [text])).not.toThrow();
});

test("a run that cannot go on says why: steps used, a circle, or a vain build", () => {
  const of = (more: Case) => {
    const of = run(more);
    const { code, message } = of.program.stepLimit(of, 3);
    return { code, message };
  };
  expect(of({ turns: calling(3) })).toEqual(STEPS);
  expect(of({ turns: calling(4) })).toEqual(STEPS);
  expect(of({ turns: calling(2) })).toEqual({
    code: "STEP_LIMIT_EXCEEDED",
    message:
      "The model made the same call with the same result again and again, and did not answer " +
      "when it was asked to.",
  });
  const vain = (what: string) => ({
    code: "AGENT_BUILD_FAILED",
    message:
      `The model did not ${what} from this request. Nothing was stored; say more precisely what ` +
      "you want.",
  });
  expect(of({ kind: "agent_creation" })).toEqual(vain("build an agent"));
  expect(of({ kind: "agent_edit" })).toEqual(vain("work out a change of the agent"));
});

test("which runs follow their agent's config, end by a draft, or are the owner's", () => {
  const config: AgentConfig = { version: 1 };
  const ofKind = (kind: RunKind) => testRun({ kind, agent: { config } });
  const kinds = (fits: (run: LoadedRun) => boolean) =>
    RUN_KINDS.filter((kind) => fits(ofKind(kind)));
  expect(kinds((of) => of.program.config(of) === config)).toEqual(["agent", "app"]);
  expect(kinds((of) => !of.program.storesTurnWithEnd)).toEqual(["agent_creation", "agent_edit"]);
  const origins = [
    "key",
    "session",
    "agent",
    "app",
    "schedule",
  ] as unknown as LoadedRun["origin"][]; // with some that may come
  expect(origins.filter((origin) => isAskedByOwner({ origin }))).toEqual(["key", "session"]);
});
