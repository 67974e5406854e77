"use client";

import { Card, CardHeader } from "@/components/ui/card";
import { LoadMore } from "@/components/ui/load-more";
import { Skeleton } from "@/components/ui/skeleton";
import { useConsolePages } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { QueryProblem } from "../../_shared/query-problem";
import { ConversationRow } from "../../conversations/conversation-list";

export function EndUserConversations({ name }: { name: string }) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useConsolePages(
    reads.conversations({ end_user: name }),
  );
  const conversations = data?.pages.flatMap((page) => page.data);
  return (
    <Card aria-label="Conversations" aria-busy={!conversations}>
      <CardHeader title="Conversations" />
      {error && !conversations && <QueryProblem error={error} retry={() => void refetch()} />}
      {!error && !conversations && <Skeleton className="h-24 rounded-none" />}
      {conversations?.length === 0 && (
        <p className="px-4 py-6 text-center text-muted text-sm">None is theirs.</p>
      )}
      <ul className="divide-y divide-line">
        {conversations?.map((conversation) => (
          <ConversationRow key={conversation.conversation_id} conversation={conversation} />
        ))}
      </ul>
      {hasNextPage && (
        <LoadMore loading={isFetchingNextPage} onClick={() => void fetchNextPage()} />
      )}
    </Card>
  );
}
