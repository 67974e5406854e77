"use client";
import type { ReactNode } from "react";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LoadMore } from "@/components/ui/load-more";
import { useConsolePages } from "@/lib/console/queries";
import type { Read } from "@/lib/console/reads";
import { isTerminal } from "@/lib/model/run/run-status";
import { QueryProblem } from "../_shared/query-problem";
import { RunRows, RunRowsHead } from "./run-rows";
import { RunRowsSkeleton } from "./run-rows-skeleton";
import { useAgentNames } from "./use-agent-names";

/** The runs of a filter; while any of them is active they are looked at again and again. */
export function RunList({ read, empty }: { read: Read<"/v1/runs">; empty?: ReactNode }) {
  const agentNames = useAgentNames();
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useConsolePages(read, {
    refreshEvery: (rows) => (rows.some((run) => !isTerminal(run.status)) ? 3_000 : false),
  });
  const runs = data?.pages.flatMap((page) => page.data);
  return (
    <Card aria-label="Runs" aria-busy={!runs}>
      {error && !runs && <QueryProblem error={error} retry={() => void refetch()} />}
      {!error && !runs && <RunRowsSkeleton rows={8} />}
      {runs && runs.length > 0 && (
        <>
          <RunRowsHead />
          <RunRows runs={runs} agentNames={agentNames} />
        </>
      )}
      {runs?.length === 0 &&
        (empty ?? (
          <EmptyState title="No runs yet" seed="runs">
            Each run of this agent stands here with its status, time and credits.
          </EmptyState>
        ))}
      {hasNextPage && <LoadMore busy={isFetchingNextPage} onClick={() => void fetchNextPage()} />}
    </Card>
  );
}
