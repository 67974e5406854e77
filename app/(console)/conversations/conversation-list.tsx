"use client";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LoadMore } from "@/components/ui/load-more";
import { Segmented } from "@/components/ui/segmented";
import { consolePaths } from "@/lib/console/console-paths";
import type { Conversation } from "@/lib/console/shapes/conversation";
import { useConsolePages } from "@/lib/console/use-console-pages";
import { RunRowsSkeleton } from "../_run/run-rows-skeleton";
import { QueryProblem } from "../_shared/query-problem";
import { FAMILY_FILTERS, toFamily } from "./conversation-families";
import { ConversationRow } from "./conversation-row";

const FILTER_VALUES = FAMILY_FILTERS.map(({ value }) => value);
const ACTIVE_MILLISECONDS = 5_000;

export function ConversationList() {
  const [family, setFamily] = useQueryState("family", parseAsStringLiteral(FILTER_VALUES).withDefault("all"));
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useConsolePages<Conversation>(
    consolePaths.conversations({ family: toFamily(family) }),
    { refreshEvery: (rows) => (rows.some((row) => row.active_run_id !== null) ? ACTIVE_MILLISECONDS : false) },
  );
  const conversations = data?.pages.flatMap((page) => page.data);
  return (
    <>
      <div className="mb-4">
        <Segmented label="Kind" value={family} options={FAMILY_FILTERS} onChange={(next) => void setFamily(next)} />
      </div>
      <Card aria-label="Conversations" aria-busy={!conversations}>
        {error && !conversations && <QueryProblem error={error} retry={() => void refetch()} />}
        {!error && !conversations && <RunRowsSkeleton rows={8} />}
        {conversations && conversations.length > 0 && (
          <ul className="divide-y divide-line">
            {conversations.map((conversation) => (
              <ConversationRow key={conversation.conversation_id} conversation={conversation} />
            ))}
          </ul>
        )}
        {conversations?.length === 0 && (
          <EmptyState title={family === "all" ? "Nothing has been said yet" : "No conversation of this kind"} seed="conversations">
            Every run opens a conversation. Give its conversation_id to a later run, and that one knows what was said before.
          </EmptyState>
        )}
        {hasNextPage && <LoadMore busy={isFetchingNextPage} onClick={() => void fetchNextPage()} />}
      </Card>
    </>
  );
}
