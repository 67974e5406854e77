"use client";
import Link from "next/link";
import { useMemo } from "react";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { consolePaths } from "@/lib/console/console-paths";
import type { Run } from "@/lib/console/shapes/run";
import { useConsolePages } from "@/lib/console/use-console-pages";
import { type ConversationFamily, isTerminal } from "@/lib/model/run/run-status";
import { Messages } from "../../_conversation/messages";
import { useConversation } from "../../_conversation/use-conversation";
import { RunRowsSkeleton } from "../../_run/run-rows-skeleton";
import { QueryProblem } from "../../_shared/query-problem";
import { ContinueConversation } from "./continue-conversation";
import { ConversationRuns } from "./conversation-runs";

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
        <Messages conversation={conversation} family={family} runs={byId} />
        {family === "super_agent" ? (
          <div>
            <Button asChild look="primary">
              <Link href={`/super-agent?conversation=${conversationId}`}>Go on with the super-agent</Link>
            </Button>
          </div>
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
