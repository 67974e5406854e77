"use client";
import { Plus } from "lucide-react";
import { mergeClasses } from "@/components/merge-classes";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { LoadMore } from "@/components/ui/load-more";
import { RelativeTime } from "@/components/ui/relative-time";
import { RunStatusBadge } from "@/components/ui/run-status-badge";
import { consolePaths } from "@/lib/console/console-paths";
import type { Conversation } from "@/lib/console/shapes/conversation";
import { useConsolePages } from "@/lib/console/use-console-pages";
import { RunRowsSkeleton } from "../_run/run-rows-skeleton";
import { QueryProblem } from "../_shared/query-problem";
import { conversationTitle } from "../conversations/conversation-title";

interface ConversationPickerProps {
  conversationId: string | null;
  onPick: (conversationId: string) => void;
  onNew: () => void;
}

const ACTIVE_MILLISECONDS = 5_000;

/** The super-agent's conversations, newest first. */
export function ConversationPicker({ conversationId, onPick, onNew }: ConversationPickerProps) {
  const list = useConsolePages<Conversation>(consolePaths.conversations({ family: "super_agent" }), {
    refreshEvery: (rows) => (rows.some((row) => row.active_run_id !== null) ? ACTIVE_MILLISECONDS : false),
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
      {list.error && !conversations && <QueryProblem error={list.error} retry={() => void list.refetch()} />}
      {!list.error && !conversations && <RunRowsSkeleton rows={3} />}
      {conversations?.length === 0 && <p className="px-4 py-5 text-faint text-sm">What you say to the super-agent stands here.</p>}
      {conversations && conversations.length > 0 && (
        <ul className="divide-y divide-line">
          {conversations.map((conversation) => (
            <li key={conversation.conversation_id}>
              <button
                type="button"
                aria-current={conversation.conversation_id === conversationId ? "true" : undefined}
                onClick={() => onPick(conversation.conversation_id)}
                className={mergeClasses(
                  "flex min-h-12 w-full items-center gap-3 px-4 py-2 text-left text-sm transition-colors hover:bg-hover/60 focus-visible:-outline-offset-2",
                  conversation.conversation_id === conversationId && "bg-hover",
                )}
              >
                <span className="min-w-0 flex-1">
                  <span className="block truncate font-medium">{conversationTitle(conversation.title)}</span>
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
      {list.hasNextPage && <LoadMore busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()} />}
    </Card>
  );
}
