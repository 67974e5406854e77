"use client";
import { Search } from "lucide-react";
import { debounce, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { Card } from "@/components/ui/card";
import { INPUT_CLASSES } from "@/components/ui/input";
import { LoadMore } from "@/components/ui/load-more";
import { Segmented } from "@/components/ui/segmented";
import { consolePaths } from "@/lib/console/console-paths";
import type { Agent } from "@/lib/console/shapes/agent";
import { useConsolePages } from "@/lib/console/use-console-pages";
import { QueryProblem } from "../_shared/query-problem";
import { AgentRows, AgentRowsSkeleton } from "./agent-rows";
import { NoAgents } from "./no-agents";

const STATUSES = [
  { value: "active", label: "Active" },
  { value: "archived", label: "Archived" },
] as const;

export function AgentList() {
  const [{ q, status }, setFilter] = useQueryStates({
    q: parseAsString.withDefault(""),
    status: parseAsStringLiteral(["active", "archived"]).withDefault("active"),
  });
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useConsolePages<Agent>(
    consolePaths.agents({ status, q }),
  );
  const agents = data?.pages.flatMap((page) => page.data);
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <div className="relative min-w-0 flex-1 sm:max-w-xs">
          <Search aria-hidden="true" className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-faint" />
          <input
            type="search"
            aria-label="Search agents"
            placeholder="Search by name…"
            value={q}
            onChange={(event) => void setFilter({ q: event.target.value || null }, { limitUrlUpdates: debounce(250) })}
            className={`${INPUT_CLASSES} h-8.5 pl-8`}
          />
        </div>
        <Segmented label="Status" value={status} options={STATUSES} onChange={(next) => void setFilter({ status: next })} />
      </div>
      <Card aria-label="Agents" aria-busy={!agents}>
        {error && !agents && <QueryProblem error={error} retry={() => void refetch()} />}
        {!error && !agents && <AgentRowsSkeleton rows={6} />}
        {agents && agents.length > 0 && <AgentRows agents={agents} />}
        {agents?.length === 0 && <NoAgents query={q} archived={status === "archived"} />}
        {hasNextPage && <LoadMore busy={isFetchingNextPage} onClick={() => void fetchNextPage()} />}
      </Card>
    </>
  );
}
