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

/** A call that an earlier run of the conversation made, with what it gave. */
export interface EarlierCall {
  turn: number;
  toolCallId: string;
  name: string;
  succeeded: boolean;
  /** What was said in the turn that asked for it, its beginning. */
  said: string;
  /** JSON text; null where it is not known, or too long to be shown. */
  input: string | null;
  /** JSON text, its beginning. */
  output: string;
  /** How long that was in whole. */
  length: number;
}

/**
 * A run of the conversation before this one: what was said in it, and what it did, newest first.
 */
export interface EarlierRun {
  runId: string;
  /** Of what was said last in it. */
  position: number;
  /** In the order in which it was said; empty where it came to nothing. */
  messages: HistoryMessage[];
  calls: EarlierCall[];
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
    calls.reduce((sum, call) => sum + callLine(call).length, 0)
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
      .flatMap(({ messages, calls }) => [
        ...messages.map(said),
        ...calls.toReversed().map(callLine),
      ]),
  ];
}

const LINE_INPUT_MAX_CHARACTERS = 400;

/** A call as one line of a record. */
export function callLine({ name, succeeded, input, output, length }: EarlierCall): string {
  const cut = length > output.length ? ` … (cut; ${length} characters)` : "";
  const asked = (input ?? "").slice(0, LINE_INPUT_MAX_CHARACTERS).toWellFormed();
  return `${name} ${asked} ${succeeded ? "gave" : "failed"}: ${output}${cut}`;
}

function said({ role, text }: HistoryMessage): string {
  return `${role}: ${text}`;
}
