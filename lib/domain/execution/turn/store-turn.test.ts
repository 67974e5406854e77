import { expect, test } from "vitest";
import type { ChargedCall } from "@/lib/domain/execution/turn/settled-turn";
import { paidInstead, settledTurn, turnArguments } from "@/lib/domain/execution/turn/store-turn";
import type { TurnInput } from "@/lib/domain/execution/turn/turn-input";
import type { UsageSum } from "@/lib/domain/runs/run-view";
import { testRun } from "@/lib/domain/test/test-run";
import { env } from "@/lib/env";
import { priceUsage } from "@/lib/runtime/models/prices";

const USAGE = {
  inputTokens: 900_000,
  outputTokens: 80_000,
  cachedInputTokens: 100_000,
  capability: "chat",
} as const;
const CALL: ChargedCall = {
  model: "vendor/model",
  usage: USAGE,
  finishReason: "stop",
  keepMicros: 7n,
};
const CONTENT = [{ type: "text" as const, text: "Hello." }];
const PRICE = Number(priceUsage(CALL.model, USAGE, env()));

function input(more: object = {}, told: TurnInput["told"] = null): TurnInput {
  const run = testRun({
    id: "run",
    accountId: "account",
    kind: "agent",
    parentRunId: null,
    agent: null,
    usage: [],
    ...more,
  });
  // Nothing else is read.
  return { run, turn: 3, limits: { maxCreditsMicros: 9n }, told } as unknown as TurnInput;
}

test("a turn is charged once, by number, with what its call used and it keeps", () => {
  const agent = { id: "a1", currentVersionId: "v1" };
  const { taken, call, charge } = settledTurn(
    input({ agent, parentRunId: "parent" }),
    "m3",
    CALL,
    CONTENT,
  );
  expect(taken).toEqual({
    turn: 3,
    messageId: "m3",
    model: "vendor/model",
    content: CONTENT,
    finishReason: "stop",
    agentVersionId: "v1",
    told: null,
    countedTokens: null,
  });
  expect(call).toBe(CALL);
  expect(charge).toEqual({
    runId: "run",
    accountId: "account",
    maxMicros: 9n,
    rootId: "parent",
    agentId: "a1",
    stepKey: "turn-3",
    model: "vendor/model",
    capability: "chat",
    inputTokens: 900_000,
    outputTokens: 80_000,
    cachedInputTokens: 100_000,
    units: 0,
    micros: BigInt(PRICE),
    keepMicros: 7n,
  });
});

test("an aborted call is charged beside the turn, which may be taken again", () => {
  const { taken, charge } = settledTurn(input(), "m3", { ...CALL, finishReason: "aborted" }, null);
  expect(charge).toMatchObject({ stepKey: "turn-3-m3", agentId: null });
  expect(taken).toMatchObject({ content: [], finishReason: "aborted", agentVersionId: null });
});

test("a run's usage is summed up by model and capability, in order of names", () => {
  const sum = (model: string, capability: UsageSum["capability"]): UsageSum => {
    return {
      model,
      capability,
      input_tokens: 1,
      output_tokens: 2,
      cached_input_tokens: 3,
      units: 4,
      micros: 5_000_000,
    };
  };
  const before = [
    sum("vendor/other", "chat"),
    sum("vendor/model", "image"),
    sum("vendor/model", "chat"),
    sum("a/first", "chat"),
  ];
  const { usage } = settledTurn(input({ usage: before }), "m3", CALL, CONTENT);
  const row = (model: string, capability: string) => ({
    model,
    capability,
    input_tokens: 1,
    output_tokens: 2,
    cached_input_tokens: 3,
    units: 4,
    credits: 5,
  });
  const credits = (5_000_000 + PRICE) / 1e6;
  const charged = {
    ...row("vendor/model", "chat"),
    input_tokens: 900_001,
    output_tokens: 80_002,
    cached_input_tokens: 100_003,
    credits,
  };
  expect(usage).toEqual({
    credits: (20_000_000 + PRICE) / 1e6,
    breakdown: [
      row("a/first", "chat"),
      charged,
      row("vendor/model", "image"),
      row("vendor/other", "chat"),
    ],
  });
  // What the run had cost is not touched: the same turn may be settled again.
  expect(before[2]).toEqual(sum("vendor/model", "chat"));
  expect(settledTurn(input(), "m3", CALL, CONTENT).usage).toEqual({
    credits: PRICE / 1e6,
    breakdown: [
      {
        ...row("vendor/model", "chat"),
        input_tokens: 900_000,
        output_tokens: 80_000,
        cached_input_tokens: 100_000,
        units: 0,
        credits: PRICE / 1e6,
      },
    ],
  });
});

test("the database is given a turn with its call, first token in ms, and vain calls", () => {
  const facts = {
    ...{ tookMs: 20.5, firstTokenMs: 10.6, reasoningTokens: 4, requestId: "r1" },
    countedTokens: 1_080_000,
  };
  const failed = [
    { model: "vendor/model", startedAt: 0, tookMs: 3, code: "MODEL_UNAVAILABLE", message: "Busy." },
  ];
  const settled = (more: object) =>
    // As the model's facts are.
    settledTurn(input(), "m3", { ...CALL, ...more } as ChargedCall, CONTENT);
  const plain = {
    run: "run",
    turn: 3,
    message_id: "m3",
    model: "vendor/model",
    content: JSON.stringify(CONTENT),
    finish_reason: "stop",
    agent_version_id: null,
    told: null,
  };
  const call = {
    ...{ took_ms: 20.5, first_token_ms: 11, reasoning_tokens: 4, request_id: "r1" },
    counted_tokens: 1_080_000,
  };
  expect(turnArguments("run", settled({ call: facts, failed }))).toEqual({
    turn: { ...plain, ...call },
    spans: [
      expect.objectContaining({
        turn: 3,
        kind: "retry",
        name: "vendor/model",
        status: "failed",
        took_ms: 3,
        attributes: JSON.stringify({ attempt: 1 }),
        output: null,
        error: JSON.stringify({ code: "MODEL_UNAVAILABLE", message: "Busy." }),
      }),
    ],
  });
  const silent = settled({ call: { ...facts, firstTokenMs: null } });
  expect(turnArguments("run", silent).turn).toEqual({ ...plain, ...call, first_token_ms: null });
  const none = {
    ...{ took_ms: null, first_token_ms: null, reasoning_tokens: null, request_id: null },
    counted_tokens: null,
  };
  expect(turnArguments("run", settled({}))).toEqual({ turn: { ...plain, ...none }, spans: [] });
});

test("what was paid in place of the price the database says by its own code", () => {
  const error = (code: string, detail?: string) =>
    Object.assign(new Error("refused"), { code, ...(detail !== undefined && { detail }) });
  expect(paidInstead(error("LT003", "42"))).toBe(42n);
  expect(paidInstead(error("LT002", "42"))).toBeNull();
  expect(paidInstead(error("LT003"))).toBeNull();
  expect(paidInstead({ code: "LT003", detail: "42" })).toBeNull();
  expect(paidInstead(new Error("refused"))).toBeNull();
});
