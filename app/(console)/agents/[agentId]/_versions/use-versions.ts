"use client";
import { useEffect } from "react";
import { useConsolePages } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";

/**
 * An agent's versions, newest first, as far as they are loaded. With `wanted`, a version's id or that of the run that made one, it loads on until that
 * version and the one before it are there.
 */
export function useVersions(agentId: string, wanted: string | null = null) {
  const query = useConsolePages(reads.agentVersions(agentId));
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = query;
  const rows = data?.pages.flatMap((page) => page.data);
  const index = wanted === null ? 0 : (rows?.findIndex((row) => row.version_id === wanted || row.run_id === wanted) ?? -1);
  const short = rows !== undefined && wanted !== null && (index === -1 || index === rows.length - 1);
  const loadOn = short && hasNextPage && !isFetching && !isError;
  useEffect(() => {
    if (loadOn) void fetchNextPage();
  }, [loadOn, fetchNextPage]);
  return {
    ...query,
    rows,
    /** Null when there is none, or not yet. */
    found: rows?.[index] ?? null,
    /** The version that `found` followed. */
    previous: (index >= 0 && rows?.[index + 1]) || null,
    looking: rows === undefined ? !isError : index === -1 && (isFetching || loadOn),
  };
}
