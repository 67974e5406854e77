import "server-only";
import type {
  ConversationContext,
  HistoryMessage,
} from "@/lib/domain/execution/prompt/earlier-runs";

import type { TurnTool } from "@/lib/runtime/models/read-turn";

/**
 * What stands in the prompt for the conversation before a run and its turns before `fromTurn`.
 */
export interface Compaction {
  summary: string;
  fromTurn: number;
}

/**
 * What a run's model is shown from a turn on, as it is: a vendor's cache holds what has the same
 * bytes.
 */
export interface FrozenPrompt {
  /** The first turn that is shown it. */
  turn: number;
  system: string;
  tools: readonly TurnTool[];
  /** The tools as they are stored: JSON. */
  toolsText: string;
}

/** More lists of tools than the agents at work have; each has some ten thousand characters. */
const LISTS_MAX = 32;
const lists = new Map<string, readonly TurnTool[]>();

/**
 * The tools of a frozen prompt. Runs that are shown the same ones share them: nobody changes them.
 */
export function frozenTools(toolsText: string): Pick<FrozenPrompt, "tools" | "toolsText"> {
  const known = lists.get(toolsText);
  if (known) return { tools: known, toolsText };
  const tools = JSON.parse(toolsText) as readonly TurnTool[]; // JSON of such a list
  if (lists.size >= LISTS_MAX) lists.clear();
  lists.set(toolsText, tools);
  return { tools, toolsText };
}

interface Read {
  /** Null until a turn began, and after what it was shown was summed up. */
  frozen?: { prompt: FrozenPrompt; isStored: boolean } | null;
  /**
   * Where runs came before it: in its own conversation, or in that of the run that it replays,
   * before that one's request; null where none did.
   */
  earlierIn: { conversationId: string; before: number | null } | null;
  /**
   * The conversation before this run, newest first: its newest messages, of runs that came to an
   * end.
   */
  history: readonly HistoryMessage[];
  /** What its prompt shows of the conversation; null until it was read. */
  conversation: ConversationContext | null;
  /** Null while all of it fits. */
  compaction: Compaction | null;
  /**
   * Whether it, or an earlier run of its conversation, has seen what is private: a workspace's
   * files, a result of a connector, of the caller's program or of the super-agent's tools, notes,
   * an end user's words. Of a build: whether somebody else's words were read for it.
   */
  seenPrivate: boolean;
}

/** What a run's prompt shows beside its own transcript, and in place of what no longer fits. */
export class PromptContext {
  readonly earlierIn: Read["earlierIn"];
  readonly history: Read["history"];
  #conversation: Read["conversation"];
  #compaction: Read["compaction"];
  #seenPrivate: boolean;
  #frozen: NonNullable<Read["frozen"]> | null;

  constructor({ frozen, earlierIn, history, conversation, compaction, seenPrivate }: Read) {
    this.#frozen = frozen ?? null;
    this.earlierIn = earlierIn;
    this.history = history;
    this.#conversation = conversation;
    this.#compaction = compaction;
    this.#seenPrivate = seenPrivate;
  }

  get conversation(): Read["conversation"] {
    return this.#conversation;
  }

  get compaction(): Read["compaction"] {
    return this.#compaction;
  }

  get seenPrivate(): boolean {
    return this.#seenPrivate;
  }

  get frozen(): FrozenPrompt | null {
    return this.#frozen?.prompt ?? null;
  }

  /** What the next turn that begins has to store; null where that is done. */
  get toFreeze(): FrozenPrompt | null {
    return this.#frozen && !this.#frozen.isStored ? this.#frozen.prompt : null;
  }

  /** From this turn on the model is shown this, and nothing in its place. */
  freeze(prompt: FrozenPrompt): void {
    this.#frozen = { prompt, isStored: false };
  }

  /** What is frozen is stored too. */
  noteFrozen(): void {
    if (this.#frozen) this.#frozen = { ...this.#frozen, isStored: true };
  }

  /** The conversation was read, or a part of it summed up. */
  recall(conversation: ConversationContext): void {
    this.#conversation = conversation;
  }

  /**
   * A summary has taken the place of what came before a turn, and is stored. No cache holds the
   * prompt that begins with it, so it may begin with what holds now.
   */
  compact(compaction: Compaction): void {
    this.#compaction = compaction;
    this.#frozen = null;
  }

  /** Something private was shown, which is stored. */
  notePrivate(): void {
    this.#seenPrivate = true;
  }
}
