"use client";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { ConsoleError } from "@/lib/console/console-error";
import { queryKey } from "@/lib/console/query-key";
import { requestConsoleJson } from "@/lib/console/request-console-json";

interface Options<T> {
  enabled?: boolean;
  /** Milliseconds until the next look, or false to rest; asked after every answer. */
  refreshEvery?: (data: T | undefined) => number | false;
}

/** Reads one path below `/api/console/`, from what the server prefetched when it did. */
export function useConsoleQuery<T>(path: string, { enabled, refreshEvery }: Options<T> = {}): UseQueryResult<T, ConsoleError> {
  return useQuery<T, ConsoleError>({
    queryKey: queryKey(path),
    queryFn: ({ signal }) => requestConsoleJson<T>(path, { signal }),
    enabled,
    refetchInterval: refreshEvery && ((query) => (query.state.error ? 30_000 : refreshEvery(query.state.data))),
  });
}
