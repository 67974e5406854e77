import Link from "next/link";
import { AgentGlyph } from "@/components/brand/agent-glyph";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import type { Agent } from "@/lib/console/shapes/agent";
import { AutonomyBadge } from "../_shared/autonomy-badge";

export function AgentRows({ agents }: { agents: Agent[] }) {
  return (
    <ul className="divide-y divide-line">
      {agents.map((agent) => (
        <li key={agent.agent_id}>
          <Link
            href={`/agents/${agent.agent_id}`}
            className="grid min-h-16 grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3.5 gap-y-1 px-4 py-3 text-sm transition-colors hover:bg-hover/60 focus-visible:-outline-offset-2 sm:grid-cols-[auto_minmax(0,1fr)_9rem_4rem_6rem]"
          >
            <AgentGlyph agentId={agent.agent_id} className="size-9" />
            <span className="min-w-0">
              <span className="block truncate font-medium text-base">{agent.name}</span>
              <span className="block truncate text-muted">{agent.description || "No description"}</span>
            </span>
            <span className="hidden sm:block">
              <AutonomyBadge autonomy={agent.write_autonomy} />
            </span>
            <span className="hidden font-mono text-faint text-xs sm:block">v{agent.version}</span>
            <span className="hidden text-right text-faint text-xs sm:block">
              <RelativeTime time={agent.updated_at} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

export function AgentRowsSkeleton({ rows }: { rows: number }) {
  return (
    <div role="status" aria-label="Loading agents" className="divide-y divide-line">
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the places never change
        <div key={index} className="flex h-16 items-center gap-3.5 px-4">
          <Skeleton className="size-9 rounded-md" />
          <div className="grid flex-1 gap-2">
            <Skeleton className="h-4 w-40" />
            <Skeleton className="h-3.5 w-full max-w-md" />
          </div>
        </div>
      ))}
    </div>
  );
}
