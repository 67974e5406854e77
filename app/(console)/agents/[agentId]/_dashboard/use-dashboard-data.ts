"use client";
import { useEffect, useMemo } from "react";
import type { Run } from "@/lib/client/schemas";
import { type DashboardData, isAgentRun } from "@/lib/console/dashboard/widget-data";
import { useConsolePages, useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { isTerminal } from "@/lib/model/run/run-status";

const ACTIVE_MILLISECONDS = 3_000;
const IDLE_MILLISECONDS = 20_000;
/** Pages of edits that are looked through for the last run. */
const PAGES_MAX = 5;

/**
 * What the widgets show, read again while a run is active, when one ends, and now and then:
 * schedules and the API start runs too.
 */
export function useDashboardData(
  agentId: string,
  historyRuns: number,
): { data: DashboardData; error: Error | null; retry: () => void } {
  const history = useConsoleQuery(reads.runs({ agent_id: agentId, limit: historyRuns }), {
    refreshEvery: (page) =>
      page?.data.some((run) => !isTerminal(run.status)) ? ACTIVE_MILLISECONDS : IDLE_MILLISECONDS,
  });
  const usage = useConsoleQuery(reads.usage);
  const last = useLastRun(agentId);
  const runs = useMemo(() => history.data?.data.filter(isAgentRun), [history.data]);
  // A run that this page did not start has ended when the newest completed one is another.
  const newest = runs?.find((run) => run.status === "completed");
  const lastId = last.run === undefined ? undefined : (last.run?.run_id ?? null);
  const refresh = last.refetch;
  const { refetch: refetchUsage } = usage;
  useEffect(() => {
    if (!newest || lastId === undefined || newest.run_id === lastId) return;
    refresh();
    void refetchUsage();
  }, [newest, lastId, refresh, refetchUsage]);
  // The list may be ahead of the query for completed runs; the newer one counts.
  const lastRun =
    newest && last.run !== undefined && (last.run === null || newest.run_id > last.run.run_id)
      ? newest
      : last.run;
  const used = usage.data ?? (usage.error ? null : undefined);
  const data = useMemo(
    () => ({ agentId, runs, lastRun, usage: used }),
    [agentId, runs, lastRun, used],
  );
  const error = runs === undefined ? history.error : lastRun === undefined ? last.error : null;
  const retry = () => {
    void history.refetch();
    refresh();
  };
  return { data, error, retry };
}

/**
 * The newest completed run of the agent at work, however many edits came after it (within reason).
 */
function useLastRun(agentId: string): {
  run: Run | null | undefined;
  error: Error | null;
  refetch: () => void;
} {
  const path = reads.runs({ agent_id: agentId, status: "completed", limit: 10 });
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = useConsolePages(path);
  const run = data?.pages.flatMap((page) => page.data).find(isAgentRun);
  const seeks =
    data !== undefined && run === undefined && hasNextPage && data.pages.length < PAGES_MAX;
  useEffect(() => {
    if (seeks && !isFetching && !error) void fetchNextPage();
  }, [seeks, isFetching, error, fetchNextPage]);
  const again = useMemo(() => () => void refetch(), [refetch]);
  return {
    run: run ?? (data === undefined || (seeks && !error) ? undefined : null),
    error,
    refetch: again,
  };
}
