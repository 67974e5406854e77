"use client";
import Link from "next/link";
import { Card, CardHeader } from "@/components/ui/card";
import { useConsoleQuery } from "@/lib/console/queries";
import { isTerminal } from "@/lib/model/run/run-status";
import { RunRows } from "../_run/run-rows";
import { RunRowsSkeleton } from "../_run/run-rows-skeleton";
import { useAgentNames } from "../_run/use-agent-names";
import { QueryProblem } from "../_shared/query-problem";
import { overviewPaths } from "./overview-paths";

export function OverviewRuns() {
  const agentNames = useAgentNames();
  const { data, error, refetch } = useConsoleQuery(overviewPaths.runs, {
    refreshEvery: (page) => (page?.data.some((run) => !isTerminal(run.status)) ? 3_000 : false),
  });
  return (
    <Card aria-label="Recent runs">
      <CardHeader title="Recent runs">
        <Link href="/runs" className="text-accent text-sm underline-offset-4 hover:underline">
          All runs
        </Link>
      </CardHeader>
      {error && !data ? <QueryProblem error={error} retry={() => void refetch()} /> : null}
      {!error && !data ? <RunRowsSkeleton rows={6} /> : null}
      {data && data.data.length > 0 ? <RunRows runs={data.data.slice(0, 7)} agentNames={agentNames} /> : null}
      {data?.data.length === 0 ? (
        <p className="px-4 py-12 text-center text-muted text-sm">Runs stand here as soon as the first one has started, live.</p>
      ) : null}
    </Card>
  );
}
