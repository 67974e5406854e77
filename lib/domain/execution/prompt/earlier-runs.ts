import "server-only";

/** The most of a conversation that a prompt shows. */
export const HISTORY_MESSAGES_MAX = 60;
export const HISTORY_CHARACTERS_MAX = 120_000;

export interface HistoryMessage {
  role: "user" | "assistant";
  text: string;
  runId: string;
  /** Its place in the conversation. */
  position: number;
}

/**
 * A run of the conversation before this one: what was said in it, and what it did, a line for each
 * call, newest first.
 */
export interface EarlierRun {
  runId: string;
  /** Of what was said last in it. */
  position: number;
  /** In the order in which it was said; empty where it came to nothing. */
  messages: HistoryMessage[];
  calls: string[];
}

/** What a run's model is shown of the conversation before it. */
export interface ConversationContext {
  /** Stands for all up to `through`. */
  summary: { text: string; through: number } | null;
  /** Newest first, those that the summary does not stand for. */
  shown: EarlierRun[];
  /** The older ones, for which there is no room. */
  fallen: EarlierRun[];
  /** Whether there may be still older ones, which were not read. */
  more: boolean;
  /** Whether something is neither shown nor summed up. */
  isCut: boolean;
  /** A line for each artifact, newest first. */
  artifacts: string[];
}

/**
 * The newest runs whose texts fit into so many characters, and are so many messages at most, whole
 * ones only; and the others.
 */
export function divideRuns(
  runs: readonly EarlierRun[],
  room: number,
  messagesMax = HISTORY_MESSAGES_MAX,
): Pick<ConversationContext, "shown" | "fallen"> {
  let left = room;
  let messages = 0;
  const firstFallen = runs.findIndex((run) => {
    left -= sizeOf(run);
    messages += run.messages.length;
    return left < 0 || messages > messagesMax;
  });
  const end = firstFallen < 0 ? runs.length : firstFallen;
  return { shown: runs.slice(0, end), fallen: runs.slice(end) };
}

function sizeOf({ messages, calls }: EarlierRun): number {
  return (
    messages.reduce((sum, { text }) => sum + text.length, 0) +
    calls.reduce((sum, line) => sum + line.length, 0)
  );
}

/** What was said and done in a conversation, as text, oldest first: for a summary of it. */
export function recordOfConversation({
  summary,
  shown,
}: Pick<ConversationContext, "summary" | "shown">): string[] {
  const before = summary ? [`Summary of what came before:\n${summary.text}`] : [];
  return [
    ...before,
    ...shown
      .toReversed()
      .flatMap(({ messages, calls }) => [...messages.map(said), ...calls.toReversed()]),
  ];
}

function said({ role, text }: HistoryMessage): string {
  return `${role}: ${text}`;
}
