"use client";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { ConsoleError } from "@/lib/console/console-error";
import { consolePaths } from "@/lib/console/console-paths";
import { queryKey } from "@/lib/console/query-key";
import { requestConsoleJson } from "@/lib/console/request-console-json";
import type { ConversationWithMessages, Message } from "@/lib/console/shapes/conversation";
import { withCursor } from "@/lib/console/with-cursor";

const ACTIVE_MILLISECONDS = 3_000;

export interface ConversationReading {
  /** In the order in which they were said, as far back as was read. */
  messages: Message[] | undefined;
  activeRunId: string | null;
  error: ConsoleError | null;
  refetch: () => void;
  hasEarlier: boolean;
  isReadingEarlier: boolean;
  readEarlier: () => void;
}

/** A conversation's messages, the newest first page and earlier ones on demand; read again while a run of it is active. */
export function useConversation(conversationId: string): ConversationReading {
  const path = consolePaths.conversation(conversationId);
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery<ConversationWithMessages, ConsoleError>(
    {
      queryKey: [...queryKey(path), "pages"],
      // The cursor is what getNextPageParam gave; its type is lost where the types are named by hand.
      queryFn: ({ pageParam, signal }) =>
        requestConsoleJson<ConversationWithMessages>(withCursor(path, pageParam as string | null), { signal }),
      initialPageParam: null,
      getNextPageParam: (last) => (last.has_more ? last.next_cursor : null),
      refetchInterval: (query) => (query.state.data?.pages[0]?.active_run_id ? ACTIVE_MILLISECONDS : false),
    },
  );
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
