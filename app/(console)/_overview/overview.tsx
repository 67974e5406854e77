"use client";

import { useEffect, useRef } from "react";
import { AgentGlyph } from "@/components/brand/turned-part";
import { formatCredits } from "@/components/format/format";
import { Card, CardHeader } from "@/components/ui/card";
import { Figure } from "@/components/ui/figure";
import { Link } from "@/components/ui/link";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { useAgentNames, useConsoleQuery } from "@/lib/console/queries";
import { overviewPaths, reads } from "@/lib/console/reads";
import { runsInADay } from "@/lib/console/runs-in-a-day";
import { isTerminal } from "@/lib/model/run/run-status";
import { RunRows, RunRowsHead, RunRowsSkeleton } from "../_run/run-list";
import { QueryProblem } from "../_shared/query-problem";

const PLACE = <Skeleton className="my-1 h-5.5 w-20" />;

export function OverviewFigures() {
  const { data: usage, refetch } = useConsoleQuery(reads.usage);
  const { data: runs } = useConsoleQuery(overviewPaths.runs);
  const active = runs?.data.filter((run) => !isTerminal(run.status)).length;
  const waiting = runs?.data.filter((run) => run.requires_action).length ?? 0;
  // What a run costs and counts is out of date once one begins or ends.
  const told = useRef(active);
  useEffect(() => {
    if (told.current !== undefined && told.current !== active) void refetch();
    told.current = active;
  }, [active, refetch]);
  return (
    <dl
      aria-label="Figures"
      className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line lg:grid-cols-4"
    >
      <Figure
        label="Credits"
        value={usage ? formatCredits(usage.credits.available) : PLACE}
        note="available"
      />
      <Figure
        label="Used"
        value={usage ? formatCredits(usage.used_24h) : PLACE}
        note="credits in 24 hours"
      />
      <Figure
        label="Runs"
        value={usage ? runsInADay(usage, runs?.data ?? [], new Date()) : PLACE}
        note="in 24 hours"
      />
      <Figure
        label="Active"
        value={active ?? PLACE}
        note={waiting > 0 ? `${waiting} waiting for you` : "running now"}
      />
    </dl>
  );
}

export function OverviewAgents() {
  const { data, error, refetch } = useConsoleQuery(overviewPaths.agents);
  return (
    <Card aria-label="Agents">
      <CardHeader title="Agents">
        <Link href="/agents" className="text-accent text-sm underline-offset-4 hover:underline">
          All agents
        </Link>
      </CardHeader>
      {error && !data ? <QueryProblem error={error} retry={() => void refetch()} /> : null}
      {!error && !data ? <AgentsSkeleton /> : null}
      {data?.data.length === 0 ? (
        <p className="px-4 py-12 text-center text-muted text-sm">
          No agents yet. The second step above makes one from a sentence.
        </p>
      ) : null}
      <ul className="divide-y divide-line">
        {data?.data.map((agent) => (
          <li key={agent.agent_id}>
            <Link
              href={`/agents/${agent.agent_id}`}
              className="flex min-h-13 items-center gap-3 px-4 py-2 text-sm transition-colors hover:bg-hover/60 focus-visible:-outline-offset-2"
            >
              <AgentGlyph agentId={agent.agent_id} className="size-7 rounded-sm" />
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium">{agent.name}</span>
                <span className="block truncate text-faint text-xs">{agent.description}</span>
              </span>
              <span className="text-faint text-xs">
                <RelativeTime time={agent.updated_at} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function AgentsSkeleton() {
  return (
    <div role="status" aria-label="Loading agents" className="grid gap-4 p-4">
      <Skeleton className="h-8 w-full" />
      <Skeleton className="h-8 w-full" />
      <Skeleton className="h-8 w-full" />
    </div>
  );
}

export function OverviewRuns() {
  const agentNames = useAgentNames();
  const { data, error, refetch } = useConsoleQuery(overviewPaths.runs, {
    refreshEvery: (page) => (page?.data.some((run) => !isTerminal(run.status)) ? 3_000 : false),
  });
  return (
    <Card aria-label="Recent runs" className="@container">
      <CardHeader title="Recent runs">
        <Link href="/runs" className="text-accent text-sm underline-offset-4 hover:underline">
          All runs
        </Link>
      </CardHeader>
      {error && !data ? <QueryProblem error={error} retry={() => void refetch()} /> : null}
      {!error && !data ? <RunRowsSkeleton rows={6} /> : null}
      {data && data.data.length > 0 ? (
        <>
          <RunRowsHead />
          <RunRows runs={data.data.slice(0, 7)} agentNames={agentNames} />
        </>
      ) : null}
      {data?.data.length === 0 ? (
        <p className="px-4 py-12 text-center text-muted text-sm">
          Runs stand here as soon as the first one has started, live.
        </p>
      ) : null}
    </Card>
  );
}
