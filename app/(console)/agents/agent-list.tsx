"use client";
import { Search } from "lucide-react";
import { debounce, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { AgentGlyph } from "@/components/brand/turned-part";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { INPUT_CLASSES } from "@/components/ui/input";
import { Link } from "@/components/ui/link";
import { LoadMore } from "@/components/ui/load-more";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { ToggleGroup } from "@/components/ui/toggle-group";
import type { AgentMetadata } from "@/lib/client/schemas";
import { useConsolePages } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { AutonomyBadge } from "../_shared/autonomy-badge";
import { QueryProblem } from "../_shared/query-problem";
import { TemplateGallery } from "./template-gallery";

const STATUSES = [
  { value: "active", label: "Active" },
  { value: "archived", label: "Archived" },
] as const;

export function AgentList() {
  const [{ q, status }, setFilter] = useQueryStates({
    q: parseAsString.withDefault(""),
    status: parseAsStringLiteral(["active", "archived"]).withDefault("active"),
  });
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useConsolePages(
    reads.agents({ status, q }),
  );
  const agents = data?.pages.flatMap((page) => page.data);
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <div className="relative min-w-0 flex-1 sm:max-w-xs">
          <Search
            aria-hidden="true"
            className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-faint"
          />
          <input
            type="search"
            aria-label="Search agents"
            placeholder="Search by name…"
            value={q}
            onChange={(event) =>
              void setFilter({ q: event.target.value || null }, { limitUrlUpdates: debounce(250) })
            }
            className={`${INPUT_CLASSES} h-8.5 pl-8`}
          />
        </div>
        <ToggleGroup
          label="Status"
          value={status}
          options={STATUSES}
          onChange={(next) => void setFilter({ status: next })}
        />
      </div>
      <Card aria-label="Agents" aria-busy={!agents}>
        {error && !agents && <QueryProblem error={error} retry={() => void refetch()} />}
        {!error && !agents && <AgentRowsSkeleton rows={6} />}
        {agents && agents.length > 0 && <AgentRows agents={agents} />}
        {agents?.length === 0 && <NoAgents query={q} archived={status === "archived"} />}
        {hasNextPage && (
          <LoadMore loading={isFetchingNextPage} onClick={() => void fetchNextPage()} />
        )}
      </Card>
    </>
  );
}

function AgentRows({ agents }: { agents: AgentMetadata[] }) {
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
              <span className="block truncate text-muted">
                {agent.description || "No description"}
              </span>
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

function AgentRowsSkeleton({ rows }: { rows: number }) {
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

/** Why the list is empty, and what to do about it. */
function NoAgents({ query, archived }: { query: string; archived: boolean }) {
  if (query) {
    return (
      <EmptyState title={`Nothing found for “${query}”`} seed="search">
        Names and descriptions were searched. Try fewer words.
      </EmptyState>
    );
  }
  if (archived) {
    return (
      <EmptyState title="Nothing is archived" seed="archive">
        An archived agent can no longer be run or changed; its runs stay readable.
      </EmptyState>
    );
  }
  return (
    <>
      <EmptyState
        title="Make your first agent"
        seed="first"
        action={
          <Button asChild variant="primary">
            <Link href="/agents/new">Create agent</Link>
          </Button>
        }
      >
        One sentence is enough. It is turned into instructions, inputs, tools and limits, which you
        can read and change.
      </EmptyState>
      <TemplateGallery />
    </>
  );
}
