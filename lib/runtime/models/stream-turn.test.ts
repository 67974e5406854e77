import {
  APICallError,
  type LanguageModelV4,
  type LanguageModelV4StreamPart,
  type LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { describe, expect, it, vi } from "vitest";
import { FOR_LANGUAGE_MODELS } from "@/lib/model/models/rules-task";
import { RunFailure } from "@/lib/model/run/run-failure";
import { PAGE_TOKENS, pdfPart, promptTokensAtMost } from "@/lib/runtime/models/read-turn";
import { streamTurn, TurnAborted, type TurnRequest } from "@/lib/runtime/models/stream-turn";
import { scriptedModel } from "@/lib/runtime/test/scripted-model";

type Script =
  | LanguageModelV4StreamPart[]
  | Error
  | ((signal: AbortSignal | undefined) => ReadableStream<LanguageModelV4StreamPart>);

const NO_USAGE = {
  inputTokens: {
    total: undefined,
    noCache: undefined,
    cacheRead: undefined,
    cacheWrite: undefined,
  },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};
const usage = (input: number, output: number, cached = 0) => ({
  ...NO_USAGE,
  inputTokens: { ...NO_USAGE.inputTokens, total: input, cacheRead: cached },
  outputTokens: { ...NO_USAGE.outputTokens, total: output },
});
const text = (delta: string): LanguageModelV4StreamPart => ({ type: "text-delta", id: "1", delta });
const finish = (given: LanguageModelV4Usage = usage(10, 5, 2)): LanguageModelV4StreamPart => ({
  type: "finish",
  finishReason: { unified: "stop", raw: "stop" },
  usage: given,
});
const refuse = (statusCode: number | undefined, responseHeaders: Record<string, string> = {}) =>
  new APICallError({
    message: "sk-secret at http://10.0.0.1",
    url: "http://10.0.0.1/v1",
    requestBodyValues: {},
    statusCode,
    responseHeaders,
    responseBody: "sk-secret",
  });

/** A model that answers its calls by the scripts, one after the other. */
function scripted(...scripts: Script[]): LanguageModelV4 & { calls: number } {
  const model = {
    specificationVersion: "v4" as const,
    provider: "test",
    modelId: "scripted",
    supportedUrls: {},
    calls: 0,
    doGenerate: () => Promise.reject(new Error("unused")),
    doStream: async ({ abortSignal }: { abortSignal?: AbortSignal }) => {
      const script = scripts[model.calls] ?? scripts.at(-1) ?? [];
      model.calls += 1;
      if (script instanceof Error) throw script;
      return { stream: typeof script === "function" ? script(abortSignal) : streamOf(script) };
    },
  };
  return model;
}
function streamOf(parts: LanguageModelV4StreamPart[]): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}
const request = (models: LanguageModelV4[], more: Partial<TurnRequest> = {}): TurnRequest => ({
  models: models.map((model, index) => ({ id: `test/m${index}`, model })),
  prompt: [{ role: "user", content: [{ type: "text", text: "hello" }] }],
  tools: [],
  toolChoice: { type: "auto" },
  settings: {},
  cover: async () => 1_000,
  deadline: new Date(Date.now() + 60_000),
  signal: new AbortController().signal,
  onText: () => {},
  onReasoning: () => {},
  onRetry: () => {},
  pause: async () => {},
  ...more,
});
const failure = (turn: Promise<unknown>) =>
  turn.then(
    () => null,
    (error: unknown) => error,
  );

describe("a turn of a model", () => {
  it("streams deltas and answers text, reasoning, calls and usage", async () => {
    const call: LanguageModelV4StreamPart = {
      type: "tool-call",
      toolCallId: "c1",
      toolName: "todo",
      input: '{"a":1}',
      providerMetadata: { google: { sig: "x" } },
    };
    const seen: string[] = [];
    const model = scripted([
      { type: "reasoning-delta", id: "0", delta: "hm" },
      text("Hel"),
      text("lo"),
      call,
      finish(),
    ]);
    const result = await streamTurn(
      request([model], {
        onText: (delta) => seen.push(delta),
        onReasoning: (delta) => seen.push(`(${delta})`),
      }),
    );
    expect(seen).toEqual(["(hm)", "Hel", "lo"]);
    expect(result).toEqual({
      model: "test/m0",
      text: "Hello",
      ...{ missing: null, pages: [], searches: 0, ran: [] },
      reasoning: "hm",
      thoughts: [{ id: "0", text: "hm" }],
      toolCalls: [
        { id: "c1", name: "todo", input: { a: 1 }, providerOptions: { google: { sig: "x" } } },
      ],
      usage: { capability: "chat", inputTokens: 10, outputTokens: 5, cachedInputTokens: 2 },
      finishReason: "stop",
      call: {
        startedAt: expect.any(Number),
        tookMs: expect.any(Number),
        firstTokenMs: expect.any(Number),
        reasoningTokens: null,
        requestId: null,
        countedTokens: 15,
      },
      failed: [],
    });
  });

  it("hands on arguments that are no JSON as their text, marked", async () => {
    const model = scripted([
      { type: "tool-call", toolCallId: "c1", toolName: "todo", input: '{"a":' },
      finish(),
    ]);
    expect((await streamTurn(request([model]))).toolCalls).toEqual([
      { id: "c1", name: "todo", input: '{"a":', invalid: true },
    ]);
  });

  it("estimates the usage that a provider does not report, so that no call is free", async () => {
    const result = await streamTurn(request([scripted([text("x".repeat(40)), finish(NO_USAGE)])]));
    expect(result.usage).toMatchObject({ outputTokens: 10 });
    expect(result.usage.inputTokens).toBeGreaterThan(5);
  });

  it("calls a turn with images vision", async () => {
    const prompt: TurnRequest["prompt"] = [
      {
        role: "user",
        content: [
          {
            type: "file",
            mediaType: "image/png",
            data: { type: "data", data: new Uint8Array(9_000_000) },
          },
        ],
      },
    ];
    const { usage: used } = await streamTurn(
      request([scripted([text("x"), finish(NO_USAGE)])], { prompt }),
    );
    expect(used.capability).toBe("vision");
    expect(used.inputTokens).toBeLessThan(2000);
  });

  it("shows pictures only to models that see, a fallback too", async () => {
    const prompt: TurnRequest["prompt"] = [
      {
        role: "user",
        content: [
          { type: "file", mediaType: "image/png", data: { type: "data", data: new Uint8Array(3) } },
        ],
      },
      { role: "assistant", content: [{ type: "text", text: "x" }] },
    ];
    const ask = async (sees: boolean) => {
      let shown: TurnRequest["prompt"] | null = null;
      const script = ({ prompt }: { prompt: TurnRequest["prompt"] }) => {
        shown = prompt;
        return { text: "x" };
      };
      await streamTurn({
        ...request([]),
        models: [scriptedModel("test/m", script)],
        prompt,
        sees: () => sees,
      });
      return shown;
    };
    expect(await ask(true)).toEqual(prompt);
    expect(await ask(false)).toEqual([
      {
        role: "user",
        content: [
          {
            type: "text",
            text: "(A picture, which you cannot see.)",
            providerOptions: FOR_LANGUAGE_MODELS,
          },
        ],
      },
      prompt[1],
    ]);
  });

  it("takes a PDF for what its pages cost at most, and shows it only to who takes it", async () => {
    const of = (pages: number): TurnRequest["prompt"] => [
      { role: "user", content: [pdfPart(new Uint8Array(5_000_000), "a.pdf", pages)] },
    ];
    const most = (pages: number) => promptTokensAtMost({ prompt: of(pages), tools: [] });
    expect(most(12) - most(2)).toBe(10 * PAGE_TOKENS);
    expect(most(1)).toBeLessThan(PAGE_TOKENS + 200);
    let shown = "";
    const script = ({ prompt }: { prompt: TurnRequest["prompt"] }) => {
      shown = JSON.stringify(prompt);
      return { text: "x" };
    };
    const model = scriptedModel("test/m", script);
    const sees = (_model: string, type: string) => type.startsWith("image/");
    await streamTurn({ ...request([]), models: [model], prompt: of(1), sees });
    expect(shown).toContain("Read its text by files_read with pages");
  });

  it("tries three times and drops what was shown of a cut stream", async () => {
    const retries = vi.fn();
    const model = scripted([text("half")], refuse(503), [text("whole"), finish()]);
    const result = await streamTurn(request([model], { onRetry: retries }));
    expect(result.text).toBe("whole");
    expect(model.calls).toBe(3);
    expect(retries).toHaveBeenCalledTimes(1);
  });

  it.each([
    ["MODEL_UNAVAILABLE", refuse(500, { "retry-after": "0" }), 3],
    ["MODEL_UNAVAILABLE", refuse(529, { "retry-after-ms": "1" }), 3],
    ["MODEL_UNAVAILABLE", refuse(undefined, { "retry-after": "0" }), 3],
    ["MODEL_RATE_LIMITED", refuse(429, { "retry-after": "0" }), 3],
    ["EXECUTION_FAILED", refuse(400), 1],
    ["EXECUTION_FAILED", refuse(401), 1],
  ])("ends as %s without telling addresses, keys or bodies", async (code, error, calls) => {
    const model = scripted(error);
    const failed = await failure(streamTurn(request([model])));
    expect(failed).toBeInstanceOf(RunFailure);
    expect(failed).toMatchObject({ code, message: expect.not.stringMatching(/sk-|10\.0/) });
    expect(model.calls).toBe(calls);
  });

  it.each([
    ["MODEL_RATE_LIMITED", { error: { type: "rate_limit_error", message: "slow down" } }],
    ["MODEL_UNAVAILABLE", { error: { type: "overloaded_error" } }],
    ["MODEL_UNAVAILABLE", { code: "502", message: "bad gateway" }],
    ["MODEL_UNAVAILABLE", Object.assign(new Error("reset"), { code: "ECONNRESET" })],
    ["MODEL_UNAVAILABLE", new TypeError("terminated")],
    ["EXECUTION_FAILED", new Error("odd")],
  ])("reads %s out of an error inside the stream, then asks the fallback", async (code, error) => {
    const fallback = scripted([text("from the second"), finish()]);
    const broken: Script[] = [[{ type: "error", error }]];
    expect((await streamTurn(request([scripted(...broken), fallback]))).model).toBe("test/m1");
    expect(await failure(streamTurn(request([scripted(...broken)])))).toMatchObject({ code });
  });

  it.each(["other", "interrupted"] as const)(
    "counts an end without a reason (%s) as a cut",
    async (unified) => {
      const cut: LanguageModelV4StreamPart = {
        type: "finish",
        finishReason: { unified, raw: undefined },
        usage: NO_USAGE,
      };
      expect(
        (await streamTurn(request([scripted([text("a"), cut], [text("b"), finish()])]))).text,
      ).toBe("b");
    },
  );

  it("heeds Retry-After, but never beyond the run's deadline", async () => {
    const pauses: number[] = [];
    const pause = async (milliseconds: number) => void pauses.push(milliseconds);
    await streamTurn(
      request([scripted(refuse(429, { "retry-after": "45" }), [text("ok"), finish()])], { pause }),
    );
    expect(pauses).toEqual([45_000]);
    const late = scripted(refuse(429, { "retry-after": "3600" }));
    expect(await failure(streamTurn(request([late], { pause })))).toMatchObject({
      code: "MODEL_RATE_LIMITED",
    });
    expect(late.calls).toBe(1);
  });

  it("has each attempt covered beforehand, by its model, and sent its covered length", async () => {
    const limits: (number | undefined)[] = [];
    const note = (model: LanguageModelV4 & { calls: number }): LanguageModelV4 => ({
      ...model,
      doStream: (options) => {
        limits.push(options.maxOutputTokens);
        return model.doStream(options);
      },
    });
    const covered: string[] = [];
    const cover = async (model: string) => covered.push(model);
    const models = [note(scripted(refuse(500))), note(scripted([text("ok"), finish()]))];
    expect((await streamTurn(request(models, { cover }))).model).toBe("test/m1");
    expect(covered).toEqual(["test/m0", "test/m0", "test/m0", "test/m1"]);
    expect(limits).toEqual([1, 2, 3, 4]);
  });

  it("makes no call that cannot be covered", async () => {
    const model = scripted([text("ok"), finish()]);
    const cover = () => Promise.reject(new RunFailure("BUDGET_EXCEEDED", "nothing is left"));
    expect(await failure(streamTurn(request([model], { cover })))).toMatchObject({
      code: "BUDGET_EXCEEDED",
    });
    expect(model.calls).toBe(0);
  });

  it("says of an ended model what takes its place, after fallbacks, calling it once", async () => {
    const ended = (statusCode: number, responseBody = "{}") => {
      const model = scripted(
        new APICallError({
          message: "x",
          url: "http://10.0.0.1",
          requestBodyValues: {},
          statusCode,
          responseBody,
        }),
      );
      return { id: "test/old", model, findSuccessor: async () => "test/new" };
    };
    for (const old of [
      ended(404),
      ended(410),
      ended(400, '{"error": {"code": "model_not_found"}}'),
    ]) {
      expect(await failure(streamTurn({ ...request([]), models: [old] }))).toMatchObject({
        ...{
          code: "MODEL_RETIRED",
          message:
            "The model test/old has been retired: its vendor no longer serves it. Name test/new " +
            "in its place.",
        },
      });
      expect((old.model as unknown as { calls: number }).calls).toBe(1);
    }
    const next = { id: "test/next", model: scripted([text("ok"), finish()]) };
    expect((await streamTurn({ ...request([]), models: [ended(404), next] })).model).toBe(
      "test/next",
    );
  });

  it("tells a listed model that this key may not use from one that has ended", async () => {
    const error = new APICallError({
      message: "x",
      url: "http://10.0.0.1",
      requestBodyValues: {},
      statusCode: 404,
      responseBody: "{}",
    });
    const listed = {
      id: "test/listed",
      model: scripted(error),
      findSuccessor: async () => false as const,
    };
    for (const model of [listed, { ...listed, findSuccessor: undefined }])
      expect(await failure(streamTurn({ ...request([]), models: [model] }))).toMatchObject({
        code: "EXECUTION_FAILED",
      });
    const other = {
      id: "test/other",
      model: scripted(refuse(400)),
      findSuccessor: async () => "test/new",
    };
    expect(await failure(streamTurn({ ...request([]), models: [other] }))).toMatchObject({
      code: "EXECUTION_FAILED",
    });
  });

  it("asks the fallback rather than wait longer than the window", async () => {
    const models = [
      scripted(refuse(429, { "retry-after": "45" })),
      scripted([text("ok"), finish()]),
    ];
    expect((await streamTurn(request(models))).model).toBe("test/m1");
    expect(models[0]?.calls).toBe(1);
  });

  it("reports what it had used when aborted, even by a stream without end", async () => {
    const controller = new AbortController();
    let cancelled = false;
    const model = scripted(
      () =>
        new ReadableStream({
          start(stream) {
            stream.enqueue(text("x".repeat(400)));
          },
          cancel() {
            cancelled = true;
          },
        }),
    );
    const error = await failure(
      streamTurn(
        request([model], {
          signal: controller.signal,
          onText: () => queueMicrotask(() => controller.abort()),
        }),
      ),
    );
    expect(error).toBeInstanceOf(TurnAborted);
    expect(error).toMatchObject({ usage: { model: "test/m0", usage: { outputTokens: 100 } } });
    expect(cancelled).toBe(true);
  });

  it("stops waiting for a retry when it is aborted", async () => {
    const controller = new AbortController();
    const model = scripted(refuse(429, { "retry-after": "50" }));
    const turn = failure(
      streamTurn(request([model], { signal: controller.signal, pause: undefined })),
    );
    await expect.poll(() => model.calls).toBe(1);
    controller.abort();
    expect(await turn).toBeInstanceOf(TurnAborted);
  });
});
