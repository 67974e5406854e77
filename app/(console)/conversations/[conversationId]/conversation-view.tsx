"use client";
import { useMemo } from "react";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { consolePaths } from "@/lib/console/console-paths";
import type { Run } from "@/lib/console/shapes/run";
import { useConsolePages } from "@/lib/console/use-console-pages";
import { type ConversationFamily, isTerminal } from "@/lib/model/run/run-status";
import { RunRowsSkeleton } from "../../_run/run-rows-skeleton";
import { QueryProblem } from "../../_shared/query-problem";
import { ContinueConversation } from "./continue-conversation";
import { ConversationRuns } from "./conversation-runs";
import { MessageView } from "./message-view";
import { type ConversationReading, useConversation } from "./use-conversation";

const ACTIVE_MILLISECONDS = 3_000;

interface ConversationViewProps {
  conversationId: string;
  family: ConversationFamily;
}

/** What was said, the runs that said it, and a way to go on. */
export function ConversationView({ conversationId, family }: ConversationViewProps) {
  const conversation = useConversation(conversationId);
  const list = useConsolePages<Run>(consolePaths.runs({ conversation_id: conversationId }), {
    refreshEvery: (rows) => (rows.some((run) => !isTerminal(run.status)) ? ACTIVE_MILLISECONDS : false),
  });
  const runs = useMemo(() => list.data?.pages.flatMap((page) => page.data), [list.data]);
  const byId = useMemo(() => new Map(runs?.map((run) => [run.run_id, run])), [runs]);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <Messages conversation={conversation} runs={byId} />
        {family === "super_agent" ? (
          <p className="text-muted text-sm">A conversation with the super-agent is continued by the super-agent's own runs.</p>
        ) : (
          <ContinueConversation
            conversationId={conversationId}
            family={family}
            activeRunId={conversation.activeRunId}
            lastAgentId={runs?.find((run) => run.agent_id !== null)?.agent_id ?? null}
            answered={conversation.messages?.findLast((message) => message.role === "assistant")?.run_id ?? null}
          />
        )}
      </div>
      <Card aria-label="Runs of the conversation">
        <CardHeader title="Runs" />
        {list.error && !runs && <QueryProblem error={list.error} retry={() => void list.refetch()} />}
        {!list.error && !runs && <RunRowsSkeleton rows={3} />}
        {runs && (
          <ConversationRuns
            runs={runs}
            hasMore={list.hasNextPage}
            busy={list.isFetchingNextPage}
            onMore={() => void list.fetchNextPage()}
          />
        )}
      </Card>
    </div>
  );
}

interface MessagesProps {
  conversation: ConversationReading;
  runs: ReadonlyMap<string, Run>;
}

function Messages({ conversation: { messages, error, refetch, ...earlier }, runs }: MessagesProps) {
  return (
    <Card aria-label="Messages" aria-busy={!messages}>
      {earlier.hasEarlier && (
        <div className="flex justify-center border-line border-b p-2.5">
          <Button look="ghost" size="small" busy={earlier.isReadingEarlier} onClick={earlier.readEarlier}>
            Earlier messages
          </Button>
        </div>
      )}
      {error && !messages && <QueryProblem error={error} retry={refetch} />}
      {!error && !messages && <Skeleton className="h-64 rounded-none" />}
      {messages?.length === 0 && <p className="px-5 py-6 text-faint text-sm">Nothing has been said yet.</p>}
      {messages && messages.length > 0 && (
        <ol className="divide-y divide-line">
          {messages.map((message) => (
            <MessageView key={message.message_id} message={message} run={runs.get(message.run_id)} />
          ))}
        </ol>
      )}
    </Card>
  );
}
