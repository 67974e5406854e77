import { expect, test } from "vitest";
import type { LoadedRun } from "@/lib/domain/execution/load-run";
import { nextOf, payerOf, runLimits } from "@/lib/domain/execution/run-limits";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import { DEFAULT_MAX_STEPS, DEFAULT_TIMEOUT_SECONDS } from "@/lib/model/limits";
import type { RunKind } from "@/lib/model/run/run-status";

const START = new Date("2026-01-01T00:00:00.000Z");

interface Case {
  kind?: RunKind;
  limits?: AgentConfig["limits"];
  max?: bigint | null;
  parentRunId?: string | null;
  startedAt?: Date | null;
  waitedMs?: number;
  toolResults?: LoadedRun["toolResults"] | Map<string, { succeeded: boolean }>;
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
  return { ...plain, ...more, agent: agent ?? null, maxCreditsMicros: max } as unknown as LoadedRun; // nothing else is read
}

test("without a word of the agent a run has the service's steps and time, and only the wallet limits it", () => {
  expect(runLimits(run())).toEqual({
    maxSteps: DEFAULT_MAX_STEPS,
    deadline: new Date(START.getTime() + DEFAULT_TIMEOUT_SECONDS * 1000),
    maxCreditsMicros: null,
  });
});

test("an agent's limits hold for its runs, by a key of the account or of the app", () => {
  const limits = { max_steps: 3, timeout_seconds: 60, max_credits: 2 };
  for (const kind of ["agent", "app"] as const)
    expect(runLimits(run({ kind, limits }))).toEqual({
      maxSteps: 3,
      deadline: new Date(START.getTime() + 60_000),
      maxCreditsMicros: 2_000_000n,
    });
});

test("an agent's limits do not hold for the run that edits it", () => {
  const { maxSteps, maxCreditsMicros } = runLimits(run({ kind: "agent_edit", limits: { max_steps: 30, max_credits: 2 } }));
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
  expect(runLimits(run({ waitedMs: 90_000, limits: { timeout_seconds: 60 } })).deadline).toEqual(new Date(START.getTime() + 150_000));
});

test("a run that has not begun has all of its time", () => {
  const before = Date.now();
  const { deadline } = runLimits(run({ startedAt: null, limits: { timeout_seconds: 60 } }));
  expect(deadline.getTime()).toBeGreaterThanOrEqual(before + 60_000);
  expect(deadline.getTime()).toBeLessThanOrEqual(Date.now() + 60_000);
});

test("who started a run pays beside it: the super-agent's run has a limit for all that it starts", () => {
  const limits = runLimits(run({ max: 5n }));
  expect(payerOf(run({ kind: "super_agent" }), limits)).toEqual({ runId: "run", accountId: "account", maxMicros: 5n, rootId: "run" });
  expect(payerOf(run({ parentRunId: "parent" }), limits).rootId).toBe("parent");
  expect(payerOf(run(), limits).rootId).toBeNull();
});

const call = (toolCallId: string) => ({ type: "tool-call" as const, toolCallId, toolName: "todo", input: {} });
const result = (toolCallId: string) => [toolCallId, { toolCallId, name: "todo", succeeded: true, output: {} }] as const;
const text = { type: "text" as const, text: "I look." };

test("after a turn come the calls that have no result yet, and then another turn; without any the turn was the last", () => {
  const content = [text, call("a"), call("b")];
  const toolResults = new Map([result("a")]);
  expect(nextOf(run({ toolResults }), { content })).toEqual({ done: false, calls: [{ toolCallId: "b", name: "todo" }] });
  toolResults.set(...result("b"));
  expect(nextOf(run({ toolResults }), { content })).toEqual({ done: false, calls: [] });
  expect(nextOf(run(), { content: [text] })).toBeNull();
});

test("a build has four turns in vain, and more where something came of them", () => {
  const build = (turns: number, succeeded: boolean) =>
    run({
      kind: "agent_edit",
      turns: Array.from({ length: turns }, (_, turn) => ({ turn, content: [call(`c${turn}`)], agentVersionId: null })),
      toolResults: new Map(Array.from({ length: turns }, (_, turn) => [`c${turn}`, { succeeded }])),
    });
  expect(runLimits(build(4, false)).maxSteps).toBe(4);
  expect(runLimits(build(5, true)).maxSteps).toBe(9);
  expect(runLimits(build(40, true)).maxSteps).toBe(20);
});
