"use client";
import { type InfiniteData, keepPreviousData, type UseInfiniteQueryResult, useInfiniteQuery } from "@tanstack/react-query";
import type { ConsoleError } from "@/lib/console/console-error";
import { queryKey } from "@/lib/console/query-key";
import { requestConsoleJson } from "@/lib/console/request-console-json";
import type { Page } from "@/lib/console/shapes/page";
import { withCursor } from "@/lib/console/with-cursor";

interface Options<Row> {
  refreshEvery?: (rows: Row[]) => number | false;
}

/** Reads a list page after page; `path` is the first page's. Old rows stay in view while a changed filter loads. */
export function useConsolePages<Row>(
  path: string,
  { refreshEvery }: Options<Row> = {},
): UseInfiniteQueryResult<InfiniteData<Page<Row>>, ConsoleError> {
  return useInfiniteQuery({
    queryKey: [...queryKey(path), "pages"],
    queryFn: ({ pageParam, signal }) => requestConsoleJson<Page<Row>>(withCursor(path, pageParam), { signal }),
    initialPageParam: null as string | null, // the literal null would narrow the parameter's type to null alone
    getNextPageParam: (last) => (last.has_more ? last.next_cursor : null),
    placeholderData: keepPreviousData,
    refetchInterval:
      refreshEvery && ((query) => (query.state.error ? 30_000 : refreshEvery(query.state.data?.pages.flatMap((page) => page.data) ?? []))),
  });
}
