import "server-only";
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { isJsonObject } from "@/lib/model/json-schema/json-value";
import { RunFailure } from "@/lib/model/run/run-failure";
import { answerRun } from "./answer-run";
import { draftAgent, type Proposal } from "./draft-agent";
import { editAgent } from "./edit-agent";
import { fillOutput, readSchema } from "./fill-output";
import { cut } from "./language";
import { leadAgents } from "./lead-agents";
import { nextTurn, type OfflineTurn, type ReadPrompt, readPrompt, type Steps } from "./prompt";

/** What a call shows the rules: it can be copied to another thread. */
export type OfflineAsk = Pick<
  LanguageModelV4CallOptions,
  "prompt" | "tools" | "toolChoice" | "providerOptions"
>;

/** Decides a turn: here, or wherever the caller has texts worked on. */
export type Decide = (ask: OfflineAsk, signal: AbortSignal | undefined) => Promise<OfflineTurn>;

/**
 * `builtin/offline`: a language model of rules, which needs no network and no weights. What it is
 * asked to do stands in the call's own options (lib/model/models/rules-task.ts), never in a name of
 * a tool or in a text. It gives the same answer to the same call. It does a clause of a request
 * only when it understood all of it, and says which it did not. Its usage is counted at one token
 * for four characters.
 */
export function createOfflineModel(
  decide: Decide = async (ask) => decideOfflineTurn(ask),
): LanguageModelV4 {
  const turnOf = (options: LanguageModelV4CallOptions) => {
    options.abortSignal?.throwIfAborted();
    const { prompt, tools, toolChoice, providerOptions } = options;
    return decide({ prompt, tools, toolChoice, providerOptions }, options.abortSignal);
  };
  return {
    specificationVersion: "v4",
    provider: "builtin",
    modelId: "offline",
    supportedUrls: {},
    doGenerate: async (options) => {
      const turn = await turnOf(options);
      const content: LanguageModelV4Content[] = [
        ...(turn.text ? [{ type: "text" as const, text: turn.text }] : []),
        ...toolCalls(turn, options),
      ];
      return { content, ...endOf(turn, options), warnings: [] };
    },
    doStream: async (options) => {
      const turn = await turnOf(options);
      return { stream: toStream(toParts(turn, options), options.abortSignal) };
    },
  };
}

/**
 * What the rules do next, by their task and what was said and done. @throws RunFailure when they
 * cannot do what must be done
 */
export function decideOfflineTurn(ask: OfflineAsk): OfflineTurn {
  const prompt = readPrompt(ask);
  if (prompt.task.kind === "create") return create(prompt);
  if (prompt.task.kind === "edit") return edit(prompt);
  const work = prompt.task.leadsAgents ? leadAgents(prompt) : null;
  return nextTurn(work ?? answer(prompt), prompt.outcomes);
}

function modelsOf({ task }: ReadPrompt): string[] {
  return task.kind === "run" ? [] : task.models;
}

/** Stores the draft that stands beside it; what that says of itself stands in for a text. */
function finish(prompt: ReadPrompt, notes: Partial<Proposal["notes"]> = {}) {
  return prompt.tools.has("finish")
    ? [{ name: "finish", input: { outcome: "built", text: "", ...notes } }]
    : [];
}

/** The draft is accepted with a note of what it lacks, which the service tells the person. */
function stands({ outcomes }: ReadPrompt): boolean {
  const output = outcomes.at(-1)?.output;
  return output !== undefined && isJsonObject(output) && output.draft_stands === true;
}

function create(prompt: ReadPrompt): OfflineTurn {
  const { draft, notes, end } = draftAgent([...prompt.earlier, prompt.request], modelsOf(prompt));
  if (end !== null)
    return prompt.tools.has("finish")
      ? { text: "", calls: [{ name: "finish", input: { ...end } }] }
      : { text: end.text, calls: [] };
  if (stands(prompt)) return { text: "", calls: finish(prompt, notes) };
  const refused = prompt.outcomes.find(({ failed }) => failed);
  // The rules would propose the same again.
  if (refused)
    throw new RunFailure(
      "AGENT_BUILD_FAILED",
      `The agent that the built-in model made of this request was refused. ${refused.error}`,
    );
  return { text: "", calls: [{ name: "create_agent", input: draft }, ...finish(prompt, notes)] };
}

function edit(prompt: ReadPrompt): OfflineTurn {
  if (stands(prompt)) return { text: "", calls: finish(prompt) };
  const last = prompt.outcomes.slice(-2);
  const refused = last.find(({ failed }) => failed);
  // Where somebody else changed the agent meanwhile the prompt shows it anew, and the same request
  // is worked out on that.
  const isOvertaken = last.some(
    ({ output }) => isJsonObject(output) && output.agent_changed !== undefined,
  );
  if (refused && !isOvertaken)
    throw new RunFailure(
      "AGENT_BUILD_FAILED",
      `Nothing was changed: the change was refused. ${refused.error}`,
    );
  const { change, outcome, explanation } = editAgent(
    prompt.task.kind === "edit" ? prompt.task.agent : "{}",
    prompt.request,
    modelsOf(prompt),
  );
  if (change === null)
    return prompt.tools.has("finish")
      ? { text: "", calls: [{ name: "finish", input: { outcome, text: explanation } }] }
      : { text: explanation, calls: [] };
  return { text: "", calls: [{ name: "edit_agent", input: change }, ...finish(prompt)] };
}

function* answer(prompt: ReadPrompt): Steps<string> {
  const { text, findings, isWhole } = yield* answerRun(prompt);
  const schema = prompt.run.outputSchema;
  if (schema === null) return text;
  const filled = fillOutput(readSchema(schema), isWhole ? text : "", isWhole ? findings : []);
  if (filled.ok) return filled.json;
  throw new RunFailure(
    "MODEL_CANNOT_ANSWER",
    cut(
      `The built-in model found nothing for ${filled.missing.join(", ")} of the output_schema, ` +
        `and it invents nothing. ${text}`,
      1000,
    ),
  );
}

const PARTS_PER_PULL = 8;

/** Gives parts as they are asked for, so that a reader who stops, stops the model. */
function toStream(
  parts: Iterator<LanguageModelV4StreamPart>,
  signal: AbortSignal | undefined,
): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream({
    pull(controller) {
      if (signal?.aborted) return controller.error(signal.reason);
      for (let given = 0; given < PARTS_PER_PULL; given += 1) {
        const { done, value } = parts.next();
        if (done) return controller.close();
        controller.enqueue(value);
      }
    },
  });
}

function* toParts(
  turn: OfflineTurn,
  options: LanguageModelV4CallOptions,
): Generator<LanguageModelV4StreamPart> {
  yield { type: "stream-start", warnings: [] };
  if (turn.text) {
    yield { type: "text-start", id: "text" };
    for (const delta of wordByWord(turn.text)) yield { type: "text-delta", id: "text", delta };
    yield { type: "text-end", id: "text" };
  }
  for (const call of toolCalls(turn, options)) {
    yield { type: "tool-input-start", id: call.toolCallId, toolName: call.toolName };
    yield { type: "tool-input-delta", id: call.toolCallId, delta: call.input };
    yield { type: "tool-input-end", id: call.toolCallId };
    yield call;
  }
  yield { type: "finish", ...endOf(turn, options) };
}

/** Each word with the white space before it; the last one with what follows it, too. */
function* wordByWord(text: string): Generator<string> {
  const end = text.trimEnd().length;
  let start = 0;
  let inWord = false;
  for (let at = 0; at < end; at += 1) {
    const isSpace = text.charAt(at).trim() === "";
    if (isSpace && inWord) {
      yield text.slice(start, at);
      start = at;
    }
    inWord = !isSpace;
  }
  yield text.slice(start);
}

/** Their ids differ from those of earlier turns, and are the same when the step runs again. */
function toolCalls({ calls }: OfflineTurn, { prompt }: LanguageModelV4CallOptions) {
  return calls.map(({ name, input }, index) => ({
    type: "tool-call" as const,
    toolCallId: `call_${prompt.length}_${index + 1}`,
    toolName: name,
    input: JSON.stringify(input),
  }));
}

const CHARACTERS_PER_TOKEN = 4;

function endOf(
  turn: OfflineTurn,
  { prompt, tools }: LanguageModelV4CallOptions,
): { finishReason: LanguageModelV4FinishReason; usage: LanguageModelV4Usage } {
  const finished = turn.calls.length > 0 ? "tool-calls" : "stop";
  const input = Math.ceil(JSON.stringify([prompt, tools ?? []]).length / CHARACTERS_PER_TOKEN);
  const written = turn.calls.reduce(
    (sum, call) => sum + JSON.stringify(call.input).length,
    turn.text.length,
  );
  const output = Math.ceil(written / CHARACTERS_PER_TOKEN);
  return {
    finishReason: { unified: finished, raw: finished },
    usage: {
      inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: output, text: output, reasoning: undefined },
    },
  };
}
