"use client";
import { MessagesSquare } from "lucide-react";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { shortenId } from "@/components/format/format";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { LoadMore } from "@/components/ui/load-more";
import { RelativeTime } from "@/components/ui/relative-time";
import { ToggleGroup } from "@/components/ui/toggle-group";
import type { Conversation } from "@/lib/client/schemas";
import { useConsolePages } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { RunRowsSkeleton } from "../_run/run-list";
import { QueryProblem } from "../_shared/query-problem";
import { conversationTitle, FAMILY_FILTERS, FAMILY_NAMES, toFamily } from "./conversation-labels";

const FILTER_VALUES = FAMILY_FILTERS.map(({ value }) => value);
const ACTIVE_MILLISECONDS = 5_000;

export function ConversationList() {
  const [family, setFamily] = useQueryState(
    "family",
    parseAsStringLiteral(FILTER_VALUES).withDefault("all"),
  );
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useConsolePages(
    reads.conversations({ family: toFamily(family) }),
    {
      refreshEvery: (rows) =>
        rows.some((row) => row.active_run_id !== null) ? ACTIVE_MILLISECONDS : false,
    },
  );
  const conversations = data?.pages.flatMap((page) => page.data);
  return (
    <>
      <div className="mb-4">
        <ToggleGroup
          label="Kind"
          value={family}
          options={FAMILY_FILTERS}
          onChange={(next) => void setFamily(next)}
        />
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
          <EmptyState
            title={family === "all" ? "Nothing has been said yet" : "No conversation of this kind"}
            seed="conversations"
          >
            Every run opens a conversation. Give its conversation_id to a later run, and that one
            knows what was said before.
          </EmptyState>
        )}
        {hasNextPage && (
          <LoadMore loading={isFetchingNextPage} onClick={() => void fetchNextPage()} />
        )}
      </Card>
    </>
  );
}

/** One conversation, a line which leads to its page. */
export function ConversationRow({ conversation }: { conversation: Conversation }) {
  return (
    <li>
      <Link
        href={`/conversations/${conversation.conversation_id}`}
        className="grid min-h-13 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-4 py-2 text-sm transition-colors hover:bg-hover/60 focus-visible:-outline-offset-2 sm:grid-cols-[minmax(0,1fr)_7rem_8rem_6rem]"
      >
        <span className="flex min-w-0 items-center gap-3">
          <MessagesSquare aria-hidden="true" className="size-4 shrink-0 text-faint max-sm:hidden" />
          <span className="min-w-0">
            <span className="block truncate font-medium">
              {conversationTitle(conversation.title)}
            </span>
            <span
              className="block truncate font-mono text-2xs text-faint"
              title={conversation.conversation_id}
            >
              {shortenId(conversation.conversation_id)}
            </span>
          </span>
        </span>
        <span className="max-sm:hidden">
          {conversation.active_run_id && <Badge tone="accent">Active</Badge>}
        </span>
        <span className="max-sm:hidden">
          <Badge>{FAMILY_NAMES[conversation.family]}</Badge>
        </span>
        <span className="text-right text-faint text-xs">
          <RelativeTime time={conversation.updated_at} />
        </span>
      </Link>
    </li>
  );
}
