"use client";
import Link from "next/link";
import { AgentGlyph } from "@/components/brand/agent-glyph";
import { Card, CardHeader } from "@/components/ui/card";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { useConsoleQuery } from "@/lib/console/queries";
import { QueryProblem } from "../_shared/query-problem";
import { overviewPaths } from "./overview-paths";

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
        <p className="px-4 py-12 text-center text-muted text-sm">No agents yet. The second step above makes one from a sentence.</p>
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
