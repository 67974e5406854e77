"use client";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { Message } from "@/lib/client/schemas";
import { fetchRead } from "@/lib/console/api";
import { pagesKey, reads } from "@/lib/console/reads";

const ACTIVE_MILLISECONDS = 3_000;

export interface ConversationReading {
  /** In the order in which they were said, as far back as was read. */
  messages: Message[] | undefined;
  activeRunId: string | null;
  error: Error | null;
  refetch: () => void;
  hasEarlier: boolean;
  isReadingEarlier: boolean;
  readEarlier: () => void;
}

/** A conversation's messages, the newest first page and earlier ones on demand; read again while a run of it is active. */
export function useConversation(conversationId: string): ConversationReading {
  const read = reads.conversation(conversationId);
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: pagesKey(read),
    queryFn: ({ pageParam, signal }) => fetchRead(read, signal, pageParam),
    initialPageParam: null as string | null, // the literal null would narrow the parameter's type to null alone
    getNextPageParam: (last) => (last.has_more ? last.next_cursor : null),
    refetchInterval: (query) => (query.state.data?.pages[0]?.active_run_id ? ACTIVE_MILLISECONDS : false),
  });
  return {
    messages: data?.pages.toReversed().flatMap((page) => page.messages),
    activeRunId: data?.pages[0]?.active_run_id ?? null,
    error,
    refetch: () => void refetch(),
    hasEarlier: hasNextPage,
    isReadingEarlier: isFetchingNextPage,
    readEarlier: () => void fetchNextPage(),
  };
}
