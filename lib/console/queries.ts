"use client";

import {
  type InfiniteData,
  keepPreviousData,
  type UseInfiniteQueryResult,
  type UseMutationResult,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useMemo } from "react";
import { toast } from "sonner";
import type { Page } from "@/lib/client/schemas";
import { fetchRead, messageOf } from "@/lib/console/api";
import {
  type ListPath,
  pagesKey,
  queryKey,
  type Read,
  type ReadAnswer,
  type ReadPath,
  type ReadScope,
  type RowOf,
  reads,
} from "@/lib/console/reads";

/** After an error, however often an answer would have been asked for. */
const REFRESH_AFTER_ERROR_MS = 30_000;

interface QueryOptions<T> {
  enabled?: boolean;
  /** Milliseconds until the next look, or false to rest; asked after every answer. */
  refreshEvery?: (data: T | undefined) => number | false;
}

/** Reads something, from what the server prefetched when it did. */
export function useConsoleQuery<P extends ReadPath>(
  read: Read<P>,
  { enabled, refreshEvery }: QueryOptions<ReadAnswer<P>> = {},
): UseQueryResult<ReadAnswer<P>> {
  return useQuery({
    queryKey: queryKey(read),
    queryFn: ({ signal }) => fetchRead(read, signal),
    enabled,
    refetchInterval:
      refreshEvery &&
      ((query) => (query.state.error ? REFRESH_AFTER_ERROR_MS : refreshEvery(query.state.data))),
  });
}

interface PagesOptions<Row> {
  refreshEvery?: (rows: Row[]) => number | false;
}

/**
 * Reads a list page after page; `read` is the first page's. Old rows stay in view while a changed
 * filter loads.
 */
export function useConsolePages<P extends ListPath>(
  read: Read<P>,
  { refreshEvery }: PagesOptions<RowOf<P>> = {},
): UseInfiniteQueryResult<InfiniteData<Page<RowOf<P>>>> {
  // That a list's answer is a page of its rows is how both types are made.
  const fetchPage = fetchRead as (
    read: Read<P>,
    signal: AbortSignal,
    cursor: string | null,
  ) => Promise<Page<RowOf<P>>>;
  return useInfiniteQuery({
    queryKey: pagesKey(read),
    queryFn: ({ pageParam, signal }) => fetchPage(read, signal, pageParam),
    // The literal null would narrow the parameter's type to null alone.
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last.has_more ? last.next_cursor : null),
    placeholderData: keepPreviousData,
    refetchInterval:
      refreshEvery &&
      ((query) =>
        query.state.error
          ? REFRESH_AFTER_ERROR_MS
          : refreshEvery(query.state.data?.pages.flatMap((page) => page.data) ?? [])),
  });
}

interface MutationOptions<Answer> {
  /** What is out of date once this succeeded. */
  stale?: readonly ReadScope[];
  /** A toast on success. */
  done?: string;
  onSuccess?: (answer: Answer) => void;
  onError?: (error: Error) => void;
  /** The caller shows the error itself; otherwise a toast does. */
  quiet?: boolean;
}

/** One change. What it made stale is read again, and its outcome is said in a toast. */
export function useConsoleMutation<Answer, Variables = void>(
  change: (variables: Variables) => Promise<Answer>,
  { stale = [], done, onSuccess, onError, quiet = false }: MutationOptions<Answer> = {},
): UseMutationResult<Answer, Error, Variables> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (answer) => {
      for (const scope of stale) void client.invalidateQueries({ queryKey: queryKey(scope) });
      if (done) toast.success(done);
      onSuccess?.(answer);
    },
    onError: (error) => {
      if (!quiet) toast.error(messageOf(error));
      onError?.(error);
    },
  });
}

/** The newest hundred agents' names by id. */
export function useAgentNames(): ReadonlyMap<string, string> {
  const { data } = useConsoleQuery(reads.agents({ limit: 100 }));
  return useMemo(() => new Map(data?.data.map((agent) => [agent.agent_id, agent.name])), [data]);
}
