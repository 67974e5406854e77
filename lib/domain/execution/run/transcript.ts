import "server-only";
import type { ToolCall, ToolResult } from "@/lib/domain/execution/tools/tool-call";
import type { TurnContent } from "@/lib/runtime/models/read-turn";
import type { Told } from "@/lib/runtime/prompts/situation";

export interface StoredTurn {
  turn: number;
  messageId: string;
  model: string;
  content: TurnContent;
  /**
   * How the model ended it: `stop`, `length`, `content-filter`, `tool-calls`, `error` or `other`;
   * `repeating` where it was stopped because it said the same again and again.
   */
  finishReason: string;
  /** The version of the agent that the model saw; null without an agent. */
  agentVersionId: string | null;
  /**
   * Its prompt and its answer in tokens, as the vendor counted them; null where it did not say, and
   * in turns that an older version stored.
   */
  countedTokens?: number | null;
  /** What it was told before it; null: nothing, or a turn that an older version stored. */
  told?: Told | null;
}

export interface StoredToolResult {
  toolCallId: string;
  name: string;
  succeeded: boolean;
  output: unknown;
}

/** What somebody said to a run at work. */
export interface ReceivedMessage {
  id: string;
  /** The turn that was shown it first. */
  turn: number;
  text: string;
}

/**
 * What a model is told that makes the same call, which gave the same result, for the third time in
 * a row.
 */
const REPEATED_OUTPUT = {
  error:
    "This is the same call with the same arguments again, and it gave the same result each " +
    "time. It was not made. Use what you have, try something else, or answer.",
};
/** So often a call is made. */
const SAME_CALLS_MAX = 2;
/** Of so many different calls the circles are that are noticed. */
const CIRCLES = [2, 3];

/**
 * What a run's model has said, what its calls gave and what was said to it meanwhile, in order. It
 * only grows: what stands in it is stored, and is shown to every later turn.
 */
export class Transcript {
  readonly #turns: StoredTurn[];
  readonly #results: Map<string, StoredToolResult>;
  readonly #messages: ReceivedMessage[];

  constructor(
    turns: readonly StoredTurn[] = [],
    results: Iterable<StoredToolResult> = [],
    messages: readonly ReceivedMessage[] = [],
  ) {
    this.#turns = [...turns];
    this.#messages = [...messages];
    this.#results = new Map([...results].map((result) => [result.toolCallId, result]));
  }

  get turns(): readonly StoredTurn[] {
    return this.#turns;
  }

  /** By their calls. */
  get results(): ReadonlyMap<string, StoredToolResult> {
    return this.#results;
  }

  /** In the order in which they came. */
  get messages(): readonly ReceivedMessage[] {
    return this.#messages;
  }

  /** What is said to the model between the turn before this one and this one. */
  messagesBefore(turn: number): ReceivedMessage[] {
    return this.#messages.filter((message) => message.turn === turn);
  }

  /** Adds messages that are stored as shown with a turn. */
  receive(messages: readonly ReceivedMessage[]): void {
    this.#messages.push(...messages);
  }

  /** Adds a turn that has been stored, behind all others. */
  append(turn: StoredTurn): void {
    this.#turns.push(turn);
  }

  /** Adds what a call gave, once it is stored. */
  addResult(result: StoredToolResult): void {
    this.#results.set(result.toolCallId, result);
  }

  /** What it is once this turn is stored. */
  with(turn: StoredTurn): Transcript {
    return new Transcript([...this.#turns, turn], this.#results.values(), this.#messages);
  }

  turn(number: number): StoredTurn | undefined {
    return this.#turns.find(({ turn }) => turn === number);
  }

  get last(): StoredTurn | undefined {
    return this.#turns.at(-1);
  }

  /** From this turn on. */
  from(number: number): StoredTurn[] {
    return this.#turns.filter(({ turn }) => turn >= number);
  }

  resultOf(toolCallId: string): StoredToolResult | undefined {
    return this.#results.get(toolCallId);
  }

  /** All calls that its model has asked for, or those of these turns. */
  calls(turns: readonly Pick<StoredTurn, "content">[] = this.#turns): ToolCall[] {
    return turns.flatMap(callsOf);
  }

  /** The turn that asked for a call. */
  turnOf(toolCallId: string): StoredTurn | undefined {
    return this.#turns.find((turn) => callsOf(turn).some((call) => call.toolCallId === toolCallId));
  }

  /** A turn's calls that have no result yet. */
  openCalls(turn: Pick<StoredTurn, "content">): ToolCall[] {
    return callsOf(turn).filter(({ toolCallId }) => !this.#results.has(toolCallId));
  }

  /** The turns behind the last that asked for a call. */
  sinceCall(): readonly StoredTurn[] {
    return sinceCall(this.#turns);
  }

  /**
   * What a call is answered in place of being made again; null where it is not the third of its
   * kind in a row, nor the beginning of the third round of the same circle of calls, all of which
   * gave the same each time.
   */
  repeatedResult(call: ToolCall): ToolResult | null {
    const calls = this.calls();
    const before = calls.slice(
      0,
      calls.findIndex(({ toolCallId }) => toolCallId === call.toolCallId),
    );
    const repeats = this.#isThird(call, before) || this.#isThirdRound(call, before);
    return repeats ? { succeeded: false, status: "refused", output: REPEATED_OUTPUT } : null;
  }

  #isThird(call: ToolCall, before: readonly ToolCall[]): boolean {
    const key = keyOf(call);
    const others = before.findLastIndex((other) => keyOf(other) !== key);
    const made = before.slice(others + 1).flatMap(({ toolCallId }) => this.#madeOutput(toolCallId));
    return made.length >= SAME_CALLS_MAX && new Set(made).size === 1;
  }

  #isThirdRound(call: ToolCall, before: readonly ToolCall[]): boolean {
    return CIRCLES.some((length) => {
      const rounds = before.slice(-SAME_CALLS_MAX * length);
      const [first, second] = [rounds.slice(0, length), rounds.slice(length)];
      if (second.length < length || first[0] === undefined || keyOf(first[0]) !== keyOf(call))
        return false;
      return first.every((one, index) => {
        const other = second[index];
        if (other === undefined || keyOf(one) !== keyOf(other)) return false;
        const outputs = [one, other].flatMap(({ toolCallId }) => this.#madeOutput(toolCallId));
        return outputs.length > 0 && new Set(outputs).size === 1;
      });
    });
  }

  /** What a call gave that was made; nothing where it has no result, or was not made again. */
  #madeOutput(toolCallId: string): string[] {
    const output = this.#outputOf(toolCallId);
    return output === undefined || output === JSON.stringify(REPEATED_OUTPUT) ? [] : [output];
  }

  /** Whether its model, before this turn, was told that it repeats itself, and did so again. */
  isStuckBefore(turn: number): boolean {
    const last = this.calls(this.#turns.filter((earlier) => earlier.turn < turn)).slice(-2);
    const told = last.filter(
      ({ toolCallId }) => this.#outputOf(toolCallId) === JSON.stringify(REPEATED_OUTPUT),
    );
    return told.length === 2;
  }

  /** JSON text; undefined: it has none yet. */
  #outputOf(toolCallId: string): string | undefined {
    return JSON.stringify(this.#results.get(toolCallId)?.output);
  }
}

/**
 * A JSON value with its keys as a `jsonb` column gives them back (the shorter first, then by their
 * bytes): whichever process makes the next prompt of it, it has the same bytes.
 */
export function inStoredOrder<T>(value: T): T {
  return ordered(value) as T; // the same value
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .map(([key, each]) => ({ key, bytes: Buffer.from(key), value: ordered(each) }));
  entries.sort((a, b) => a.bytes.length - b.bytes.length || Buffer.compare(a.bytes, b.bytes));
  return Object.fromEntries(entries.map(({ key, value: each }) => [key, each]));
}

/** The turns behind the last that asked for a call. */
export function sinceCall(turns: readonly StoredTurn[]): readonly StoredTurn[] {
  return turns.slice(turns.findLastIndex((turn) => callsOf(turn).length > 0) + 1);
}

/** The calls that a turn asks for. */
export function callsOf({ content }: Pick<StoredTurn, "content">): ToolCall[] {
  return content.flatMap((part) =>
    part.type === "tool-call"
      ? [{ toolCallId: part.toolCallId, name: part.toolName, input: part.input }]
      : [],
  );
}

/** What a turn says, its calls aside. */
export function turnText({ content }: Pick<StoredTurn, "content">): string {
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
}

/**
 * Options of a text that says what was not found in place of an answer that fits the run's schema.
 * No vendor reads them.
 */
export function notFound(missing: string[]) {
  return { lathe: { not_found: missing } };
}

/** What a turn names as not found; empty: nothing. */
export function notFoundIn({ content }: Pick<StoredTurn, "content">): string[] {
  return content.flatMap((part) => {
    const named = part.type === "text" ? part.providerOptions?.lathe?.not_found : undefined;
    return Array.isArray(named) ? named.filter((each) => typeof each === "string") : [];
  });
}

function keyOf({ name, input }: ToolCall): string {
  return JSON.stringify([name, input]);
}
