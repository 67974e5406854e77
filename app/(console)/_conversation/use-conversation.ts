"use client";

import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Message } from "@/lib/client/schemas";
import { fetchRead } from "@/lib/console/api";
import { pagesKey, queryKey, reads } from "@/lib/console/reads";
import type { RunStream } from "@/lib/console/transcript/use-run-stream";
import { useStreamEnd } from "../_run/live-run";

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

/**
 * A conversation's messages, the newest first page and earlier ones on demand; read again while a
 * run of it is active.
 */
export function useConversation(conversationId: string): ConversationReading {
  const read = reads.conversation(conversationId);
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    {
      queryKey: pagesKey(read),
      queryFn: ({ pageParam, signal }) => fetchRead(read, signal, pageParam),
      // The literal null would narrow the parameter's type to null alone.
      initialPageParam: null as string | null,
      getNextPageParam: (last) => (last.has_more ? last.next_cursor : null),
      refetchInterval: (query) =>
        query.state.data?.pages[0]?.active_run_id ? ACTIVE_MILLISECONDS : false,
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

interface ConversationState {
  conversationId: string;
  activeRunId: string | null;
  /** The run whose answer stands last among the messages. */
  answered: string | null;
}

/**
 * Keeps a conversation's one live run: the active one is followed, and let go of once its answer
 * stands among the messages.
 */
export function useConversationRun(
  stream: RunStream<never>,
  { conversationId, activeRunId, answered }: ConversationState,
): void {
  useStreamEnd(stream.transcript);
  useFollowActive(stream, activeRunId);
  useReadAgain(stream, conversationId);
  const { transcript, state, reset } = stream;
  const told = state === "ended" && transcript.runId !== null && transcript.runId === answered;
  useEffect(() => {
    if (told) reset();
  }, [told, reset]);
}

/** Somebody else's run, or one of before a reload, is shown too. */
function useFollowActive({ state, follow }: RunStream<never>, activeRunId: string | null): void {
  useEffect(() => {
    if (activeRunId !== null && state === null) follow(activeRunId);
  }, [activeRunId, state, follow]);
}

/**
 * What the run said belongs to the messages as soon as it was accepted, and again when it has
 * ended.
 */
function useReadAgain(
  { transcript: { runId, status } }: RunStream<never>,
  conversationId: string,
): void {
  const client = useQueryClient();
  useEffect(() => {
    if (runId === null || status === "pending") return;
    void client.invalidateQueries({ queryKey: queryKey(reads.conversation(conversationId)) });
  }, [client, conversationId, runId, status]);
}
