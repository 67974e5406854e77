import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import {
  type AppApproval,
  type BrowserClient,
  newReading,
  type RunReading,
  readEvent,
} from "./browser";

// A second entry: React is the page's own, and no dependency of the package.

/** Decides what a run asks; null while it asks nothing. */
export type Decide = (decision: "approve" | "reject", message?: string) => Promise<AppApproval>;

export interface RunState extends RunReading {
  /** Why the run cannot be followed any further; what the run itself failed with is in `error`. */
  failure: unknown;
  cancel(): Promise<void>;
  /** Says something to the run while it works, or answers what it asks (`question`). */
  say(message: string | Record<string, unknown>): Promise<void>;
  decide: Decide | null;
}

/**
 * Follows a run: what it says, which tools it calls, whether it asks. `runId` null: nothing yet.
 * The connection is let go of when the component goes.
 */
export function useRun(client: BrowserClient, runId: string | null): RunState {
  const [followed, setFollowed] = useState<Followed>({ runId, ...EMPTY });
  useEffect(() => {
    if (runId === null) return;
    const leaving = new AbortController();
    void follow(client, runId, leaving.signal, setFollowed);
    return () => leaving.abort();
  }, [client, runId]);
  // Of another run before the effect has run: nothing of it is shown.
  const { reading, failure } = followed.runId === runId ? followed : EMPTY;
  const { approval } = reading;
  const decide = useMemo<Decide | null>(
    () =>
      approval &&
      (async (decision, message) =>
        client.approvals.resolve(
          await client.approvals.get(approval.approvalId),
          decision,
          message,
        )),
    [client, approval],
  );
  const cancel = useCallback(async () => {
    if (runId !== null) await client.runs.cancel(runId);
  }, [client, runId]);
  const say = useCallback(
    async (message: string | Record<string, unknown>) => {
      if (runId !== null) await client.runs.sendMessage(runId, message);
    },
    [client, runId],
  );
  return { ...reading, failure, cancel, say, decide };
}

interface Followed {
  runId: string | null;
  reading: RunReading;
  failure: unknown;
}

const EMPTY = { reading: newReading(), failure: null };

async function follow(
  client: BrowserClient,
  runId: string,
  signal: AbortSignal,
  tell: (followed: Followed) => void,
): Promise<void> {
  let reading = newReading();
  tell({ runId, reading, failure: null });
  try {
    for await (const event of client.runs.events(runId, { signal })) {
      reading = readEvent(reading, event);
      tell({ runId, reading, failure: null });
    }
  } catch (failure) {
    if (!signal.aborted) tell({ runId, reading, failure });
  }
}

export interface ConversationMessage {
  role: "user" | "assistant";
  text: string;
  runId: string | null;
}

export interface ConversationState {
  /** What was said, the newest last; the answer that is being written is in `run.text`. */
  messages: ConversationMessage[];
  conversationId: string | null;
  /** The run at work, or the last one. */
  run: RunState;
  isBusy: boolean;
  /** Why the last message could not be sent. */
  failure: unknown;
  /** Says something: a text is the input `request`. Rejects with what it could not be sent for. */
  send(message: string | Record<string, unknown>): Promise<void>;
}

/**
 * A conversation with the agent, from its first message or, by its id, onwards from where it was;
 * what was said before that is the page's to show.
 */
export function useConversation(
  client: BrowserClient,
  { conversationId: first = null }: { conversationId?: string | null } = {},
): ConversationState {
  const [said, setSaid] = useState<ConversationMessage[]>([]);
  const [conversationId, setConversationId] = useState(first);
  const [runId, setRunId] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const isHeld = useRef(false);
  const run = useRun(client, runId);
  const isEnded = run.status !== "running";
  const isBusy = isSending || (runId !== null && !isEnded && run.failure === null);
  const messages = useMemo(
    () => (runId !== null && isEnded ? [...said, answerOf(run, runId)] : said),
    [said, run, runId, isEnded],
  );
  const send = useCallback(
    async (message: string | Record<string, unknown>) => {
      // Two clicks in one frame: the state of neither says so yet.
      if (isBusy || isHeld.current) return;
      isHeld.current = true;
      setSending(true);
      setFailure(null);
      const text = typeof message === "string" ? message : JSON.stringify(message);
      setSaid([...messages, { role: "user", text, runId: null }]);
      setRunId(null);
      try {
        const inputs = typeof message === "string" ? { request: message } : message;
        const started = await client.runs.start(
          inputs,
          conversationId === null ? {} : { conversationId },
        );
        setConversationId(started.conversationId);
        setRunId(started.runId);
      } catch (error) {
        setSaid(messages);
        setFailure(error);
        throw error;
      } finally {
        isHeld.current = false;
        setSending(false);
      }
    },
    [client, conversationId, isBusy, messages],
  );
  return { messages, conversationId, run, isBusy, failure, send };
}

function answerOf(run: RunReading, runId: string): ConversationMessage {
  return { role: "assistant", text: run.error ? run.error.message : run.text, runId };
}
