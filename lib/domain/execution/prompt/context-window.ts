import "server-only";
import { shownTokens } from "@/lib/domain/execution/prompt/prompt-files";
import type { LoadedRun } from "@/lib/domain/execution/run/loaded-run";
import {
  callsOf,
  type StoredToolResult,
  type StoredTurn,
} from "@/lib/domain/execution/run/transcript";
import type { TurnInput } from "@/lib/domain/execution/turn/turn-input";
import { models } from "@/lib/domain/models/models";
import { env } from "@/lib/env";
import { log } from "@/lib/platform/log";
import { answerTokens } from "@/lib/runtime/models/prices";
import { PROVIDERS, providerOf } from "@/lib/runtime/models/providers/providers";
import { promptTokensAtMost, tokensAtMost } from "@/lib/runtime/models/read-turn";
import { definePart } from "@/lib/service";

/** How much of a model's window a prompt may fill; what it answers stands in the rest. */
const FILLED_MAX = 0.8;
/**
 * How much of it the newest turn may have to stay as it is when what came before it is summed up.
 */
const NEWEST_SHARE = 0.25;
/**
 * How much of it the results of one turn have at least: where there is less room, what came before
 * them is summed up.
 */
const RESULTS_SHARE = 0.2;
/** The least that a result has, however many there are beside it. */
const RESULT_MIN_TOKENS = 200;
/** What every prompt holds beside the texts of the agent and the conversation. */
const OVERHEAD_TOKENS = 4_000;
/** A server that names fewer tokens speaks of something else. */
const WINDOW_MIN_TOKENS = 1_000;

/** The window of a run's model, in tokens; null where it has none to speak of. */
export function windowOf({ model: id }: Pick<LoadedRun, "model">): number | null {
  const model = models().find(id);
  if (model === null || providerOf(model.id)?.hasNoWindow) return null;
  return namedWindows().get(id) ?? model.context_tokens;
}

/**
 * Notes the window that a server of whatever make has named, in tokens: this process goes by it
 * from now on. The vendors' own are known.
 */
export function noteWindow({ model }: Pick<LoadedRun, "model">, tokens: number | null): void {
  if (
    tokens !== null &&
    tokens >= WINDOW_MIN_TOKENS &&
    providerOf(models().find(model)?.id ?? "")?.isOfAnyMake
  )
    namedWindows().set(model, tokens);
}

const WINDOWS_LIMIT_MS = 10_000;

/**
 * Asks the servers of whatever make for their models' windows, by which this process goes from then
 * on. One that does not say, or does not answer, changes nothing.
 */
export async function learnWindows(): Promise<void> {
  const signal = AbortSignal.timeout(WINDOWS_LIMIT_MS);
  for (const provider of PROVIDERS.filter(({ isOn }) => isOn(env()))) {
    try {
      const windows = await provider.windows(env(), signal);
      for (const [model, tokens] of windows) noteWindow({ model }, tokens);
    } catch (error) {
      const reason = error instanceof Error ? error.message.slice(0, 200) : "no answer";
      log.info(
        { provider: provider.id, reason },
        "the server did not say how much its models read; what the settings say holds",
      );
    }
  }
}

export const namedWindows = definePart("model-windows", () => new Map<string, number>());

/**
 * How many tokens a run's prompt may have, so that its answer has room behind it; null: no window
 * to speak of.
 */
function promptTokensMax(run: LoadedRun): number | null {
  const window = windowOf(run);
  if (window === null) return null;
  const configured = run.program.config(run)?.model_settings?.max_output_tokens ?? null;
  return Math.max(
    window / 2,
    Math.min(window * FILLED_MAX, window - answerTokens(models().find(run.model), configured)),
  );
}

/** Whether a run's prompt leaves its model too little room, and there is something to shorten. */
export function isFull({ run, prompt, tools }: TurnInput): boolean {
  const most = promptTokensMax(run);
  return most !== null && canCompact(run) && countPrompt(run, { prompt, tools }) > most;
}

/**
 * What a prompt comes to in tokens: what the vendor counted with the last turn, whose prompt it
 * begins with, and at most what has come since. Without such a count, at most all of it.
 */
function countPrompt(run: LoadedRun, { prompt, tools }: Pick<TurnInput, "prompt" | "tools">) {
  const most = promptTokensAtMost({ prompt, tools });
  const since = prompt.slice(prompt.findLastIndex(({ role }) => role === "assistant") + 1);
  const sinceMost = promptTokensAtMost({ prompt: since });
  const counted = countedWith(run, run.transcript.turns.at(-1), most - sinceMost);
  return counted === null ? most : Math.min(most, counted + sinceMost);
}

/**
 * A server that counts less than this share of our own count leaves something out: what it had
 * cached.
 */
const COUNTED_SHARE_MIN = 0.25;

/**
 * What the vendor counted with a turn, where the next prompt begins with that turn's and goes to
 * the same model; null where it did not, or what it said cannot be.
 * @param most by our own count
 */
function countedWith(run: LoadedRun, turn: StoredTurn | undefined, most: number): number | null {
  const begins = run.context.frozen?.turn;
  if (!turn || begins === undefined || turn.turn < begins) return null;
  if (turn.model !== run.model || turn.content.length === 0) return null;
  const counted = turn.countedTokens ?? null;
  return counted !== null && counted >= most * COUNTED_SHARE_MIN ? counted : null;
}

/** Whether something stands in the prompt that a summary could take the place of. */
export function canCompact(run: LoadedRun): boolean {
  if (!run.program.sumsUp) return false;
  const shown = run.transcript.from(run.context.compaction?.fromTurn ?? 0);
  return (
    shown.length > 0 ||
    (run.context.compaction === null && (run.context.conversation?.shown ?? []).length > 0)
  );
}

/** Whether a turn's text takes up too much of a window to stay as it is. */
export function isLargeShare(text: string, windowTokens: number): boolean {
  return tokensAtMost(text) > windowTokens * NEWEST_SHARE;
}

/**
 * How many tokens the next result of a turn may have: an equal share, with the turn's other calls
 * that have none yet, of what the prompt leaves of the model's window. Never so little that one
 * could not work: then what came before the turn is summed up.
 * @returns null where the model has no window to speak of
 */
export function resultTokensMax(run: LoadedRun, turn: number): number | null {
  const window = windowOf(run);
  const most = promptTokensMax(run);
  if (window === null || most === null) return null;
  const taking = run.transcript.turn(turn);
  const calls = taking ? callsOf(taking) : [];
  const results = calls.map(({ toolCallId }) => run.transcript.resultOf(toolCallId));
  const waiting = results.filter((result) => result === undefined).length;
  const taken = tokensOf(results);
  const estimated = usedTokens(run);
  const counted = countedWith(run, taking, estimated - taken);
  const used = counted === null ? estimated : counted + taken;
  const room = Math.max(most - used, window * RESULTS_SHARE - taken);
  return Math.max(RESULT_MIN_TOKENS, Math.floor(room / Math.max(1, waiting)));
}

/** What the prompt of a run's next turn comes to so far, in tokens at most. */
function usedTokens(run: LoadedRun): number {
  const { agent } = run;
  const { compaction } = run.context;
  const shown = run.transcript.from(compaction?.fromTurn ?? 0);
  const results = shown.flatMap(({ content }) =>
    content.flatMap((part) =>
      part.type === "tool-call" ? [run.transcript.resultOf(part.toolCallId)] : [],
    ),
  );
  const before = compaction ? compaction.summary : run.context.conversation;
  const texts = [
    agent?.skillContent,
    agent?.config.tools,
    run.input,
    before,
    shown.map(({ content }) => content),
    outputsOf(results),
  ];
  return OVERHEAD_TOKENS + tokensAtMost(JSON.stringify(texts)) + shownWith(results);
}

/** A call's result; undefined: it has none yet. */
type Results = readonly (StoredToolResult | undefined)[];

/** What results come to in a prompt, with the files that are shown behind them. */
function tokensOf(results: Results): number {
  return tokensAtMost(JSON.stringify(outputsOf(results))) + shownWith(results);
}

function outputsOf(results: Results): unknown[] {
  return results.map((result) => result?.output ?? null);
}

function shownWith(results: Results): number {
  return results.reduce((sum, result) => sum + (result ? shownTokens(result) : 0), 0);
}
