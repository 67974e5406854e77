"use client";
import { ArrowUp, Plus } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import {
  type FormEvent,
  type KeyboardEvent,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { mergeClasses } from "@/components/merge-classes";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { Field } from "@/components/ui/field";
import { LoadMore } from "@/components/ui/load-more";
import { RelativeTime } from "@/components/ui/relative-time";
import { RunStatusBadge } from "@/components/ui/run-status-badge";
import { Textarea } from "@/components/ui/textarea";
import type { ModelId } from "@/lib/client/schemas";
import { useConsolePages, useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import {
  type RunStream,
  SUPER_AGENT_RUNS,
  useRunStream,
} from "@/lib/console/transcript/use-run-stream";
import { isTerminal } from "@/lib/model/run/run-status";
import { Messages } from "../_conversation/messages";
import { useConversation, useConversationRun } from "../_conversation/use-conversation";
import { BudgetNotice } from "../_run/budget-notice";
import { LiveRun } from "../_run/live-run";
import { ModelSelect } from "../_run/run-form";
import { RunRowsSkeleton } from "../_run/run-list";
import { StartedRuns } from "../_run/started-runs";
import { QueryProblem } from "../_shared/query-problem";
import { conversationTitle } from "../conversations/conversation-labels";

const isUuidLike = (text: string | null): text is string =>
  text !== null && /^[0-9a-f-]{36}$/i.test(text);

/**
 * The conversations with the super-agent beside the one in view; without one in the address a fresh
 * one begins.
 */
export function SuperAgent() {
  const [asked, setConversation] = useQueryState("conversation", parseAsString);
  const conversationId = isUuidLike(asked) ? asked : null;
  const [fresh, setFresh] = useState(0);
  // The conversation that began in the fresh pane: the pane, and the stream in it, stay when the
  // address learns its id.
  const [begun, setBegun] = useState<string | null>(null);
  const begin = useCallback(
    (id: string) => {
      setBegun(id);
      void setConversation(id);
    },
    [setConversation],
  );
  const startAfresh = useCallback(() => {
    setBegun(null);
    setFresh((count) => count + 1);
    void setConversation(null);
  }, [setConversation]);
  const inFreshPane = conversationId === null || conversationId === begun;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_18rem]">
      <ChatPane
        key={inFreshPane ? `fresh-${fresh}` : conversationId}
        conversationId={conversationId}
        onBegun={begin}
        onLeft={startAfresh}
      />
      <ConversationPicker
        conversationId={conversationId}
        onPick={(id) => void setConversation(id)}
        onNew={startAfresh}
      />
    </div>
  );
}

interface ChatPaneProps {
  /** Null until the first message was accepted. */
  conversationId: string | null;
  onBegun: (conversationId: string) => void;
  /** The address let go of the conversation that began here. */
  onLeft: () => void;
}

/**
 * One conversation with the super-agent: what was said, the run that answers, and the next message.
 */
function ChatPane({ conversationId, onBegun, onLeft }: ChatPaneProps) {
  const stream = useRunStream(SUPER_AGENT_RUNS);
  const { transcript, state } = stream;
  const begun = transcript.conversationId;
  useEffect(() => {
    if (begun !== null) onBegun(begun);
  }, [begun, onBegun]);
  const shown = useRef(conversationId);
  useEffect(() => {
    if (shown.current !== null && conversationId === null) onLeft();
    shown.current = conversationId;
  }, [conversationId, onLeft]);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      {conversationId === null ? (
        state === null && (
          <Card aria-label="Messages">
            <EmptyState title="What should be done?" seed="super-agent">
              Ask it what your agents did, have it build one or change one, or let it run several
              and sum up what they found. The runs that it starts stand among your runs, and what
              they cost is part of this one's bound.
            </EmptyState>
          </Card>
        )
      ) : (
        <ConversationSoFar conversationId={conversationId} stream={stream} />
      )}
      <LiveRun stream={stream} label="The super-agent's run" />
      <Composer
        acceptedRunId={transcript.runId}
        loading={state !== null && state !== "ended"}
        onSend={(body) =>
          stream.start({ ...body, ...(conversationId ? { conversation_id: conversationId } : {}) })
        }
      />
    </div>
  );
}

/** What was said before; a run that is still active is followed in `stream`. */
function ConversationSoFar({
  conversationId,
  stream,
}: {
  conversationId: string;
  stream: RunStream<never>;
}) {
  const conversation = useConversation(conversationId);
  const { data } = useConsoleQuery(reads.superAgentRuns(conversationId), {
    refreshEvery: (page) =>
      page?.data.some((run) => !isTerminal(run.status)) ? ACTIVE_MILLISECONDS : false,
  });
  const runs = useMemo(() => new Map(data?.data.map((run) => [run.run_id, run])), [data]);
  const answered =
    conversation.messages?.findLast((message) => message.role === "assistant")?.run_id ?? null;
  useConversationRun(stream, { conversationId, activeRunId: conversation.activeRunId, answered });
  const held = data?.data.find(
    (run) => run.requires_action?.type === "budget" || run.requires_action?.type === "credits",
  );
  return (
    <>
      {held && <BudgetNotice run={held} />}
      <Messages conversation={conversation} family="super_agent" runs={runs} />
      {data?.data[0] && <StartedRuns run={data.data[0]} />}
    </>
  );
}

interface ConversationPickerProps {
  conversationId: string | null;
  onPick: (conversationId: string) => void;
  onNew: () => void;
}

const ACTIVE_MILLISECONDS = 5_000;

/** The super-agent's conversations, newest first. */
function ConversationPicker({ conversationId, onPick, onNew }: ConversationPickerProps) {
  const list = useConsolePages(reads.conversations({ family: "super_agent" }), {
    refreshEvery: (rows) =>
      rows.some((row) => row.active_run_id !== null) ? ACTIVE_MILLISECONDS : false,
  });
  const conversations = list.data?.pages.flatMap((page) => page.data);
  return (
    <Card aria-label="Conversations" aria-busy={!conversations}>
      <CardHeader title="Conversations">
        <Button size="small" onClick={onNew} disabled={conversationId === null}>
          <Plus aria-hidden="true" />
          New
        </Button>
      </CardHeader>
      {list.error && !conversations && (
        <QueryProblem error={list.error} retry={() => void list.refetch()} />
      )}
      {!list.error && !conversations && <RunRowsSkeleton rows={3} />}
      {conversations?.length === 0 && (
        <p className="px-4 py-5 text-faint text-sm">What you say to the super-agent stands here.</p>
      )}
      {conversations && conversations.length > 0 && (
        <ul className="divide-y divide-line">
          {conversations.map((conversation) => (
            <li key={conversation.conversation_id}>
              <button
                type="button"
                aria-current={conversation.conversation_id === conversationId ? "true" : undefined}
                onClick={() => onPick(conversation.conversation_id)}
                className={mergeClasses(
                  "flex min-h-12 w-full items-center gap-3 px-4 py-2 text-left text-sm " +
                    "transition-colors hover:bg-hover/60 focus-visible:-outline-offset-2",
                  conversation.conversation_id === conversationId && "bg-hover",
                )}
              >
                <span className="min-w-0 flex-1">
                  <span className="block truncate font-medium">
                    {conversationTitle(conversation.title)}
                  </span>
                  <span className="block truncate text-faint text-xs">
                    <RelativeTime time={conversation.updated_at} />
                  </span>
                </span>
                {conversation.active_run_id && <RunStatusBadge status="running" />}
              </button>
            </li>
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <LoadMore loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()} />
      )}
    </Card>
  );
}

interface ComposerProps {
  /** The run in view once it was accepted: until then the message stays, in case it is refused. */
  acceptedRunId: string | null;
  loading: boolean;
  onSend: (body: { input: { request: string }; model?: ModelId }) => void;
}

/** The next message. Enter sends it, Shift with Enter begins a line. */
function Composer({ acceptedRunId, loading, onSend }: ComposerProps) {
  const [text, setText] = useState("");
  const [model, setModel] = useState<ModelId | "">("");
  const sent = useRef(false);
  useEffect(() => {
    if (acceptedRunId === null || !sent.current) return;
    sent.current = false;
    setText("");
  }, [acceptedRunId]);
  const ready = text.trim() !== "" && !loading;
  const send = () => {
    if (!ready) return;
    sent.current = true;
    onSend({ input: { request: text }, ...(model ? { model } : {}) });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes a word, Enter ends the word.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <Card aria-label="Next message" className="overflow-visible">
      <form onSubmit={submit} className="grid gap-4 p-4">
        <Field label="Message" hint="Enter sends, Shift with Enter begins a line.">
          {(control) => (
            <Textarea
              {...control}
              value={text}
              onChange={(event) => setText(event.target.value)}
              onKeyDown={onKeyDown}
              placeholder="Which of my agents ran most this week?"
            />
          )}
        </Field>
        <div className="flex flex-wrap items-end justify-between gap-3">
          <div className="min-w-0 basis-64 max-sm:grow">
            <ModelSelect whose="service" value={model} onChange={setModel} />
          </div>
          <Button
            type="submit"
            variant="primary"
            loading={loading}
            disabled={!ready}
            className="h-9 max-sm:h-10 max-sm:w-full"
          >
            <ArrowUp aria-hidden="true" />
            Send
          </Button>
        </div>
      </form>
    </Card>
  );
}
