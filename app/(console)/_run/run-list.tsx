"use client";

import { X } from "lucide-react";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import type { ReactNode } from "react";
import { AgentGlyph } from "@/components/brand/turned-part";
import { formatCredits, formatDuration, shortenId } from "@/components/format/format";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { LoadMore } from "@/components/ui/load-more";
import { RelativeTime } from "@/components/ui/relative-time";
import { RunStatusBadge } from "@/components/ui/run-status-badge";
import { Select } from "@/components/ui/select";
import { Skeleton } from "@/components/ui/skeleton";
import { ToggleGroup } from "@/components/ui/toggle-group";
import type { Run } from "@/lib/client/schemas";
import { useAgentNames, useConsolePages } from "@/lib/console/queries";
import type { Read } from "@/lib/console/reads";
import { isTerminal } from "@/lib/model/run/run-status";
import { QueryProblem } from "../_shared/query-problem";
import { RUN_FILTERS, toRunsRead } from "../runs/run-filters";
import { runTitle } from "./run-title";

/** The runs of a filter; while any of them is active they are looked at again and again. */
export function RunList({ read, empty }: { read: Read<"/v1/runs">; empty?: ReactNode }) {
  const agentNames = useAgentNames();
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useConsolePages(
    read,
    {
      refreshEvery: (rows) => (rows.some((run) => !isTerminal(run.status)) ? 3_000 : false),
    },
  );
  const runs = data?.pages.flatMap((page) => page.data);
  return (
    <Card aria-label="Runs" aria-busy={!runs} className="@container">
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
      {hasNextPage && (
        <LoadMore loading={isFetchingNextPage} onClick={() => void fetchNextPage()} />
      )}
    </Card>
  );
}

/**
 * Runs, a line each, which lead to their pages. `agentNames` maps ids to names. How many columns
 * there are is decided by the `@container` around them, so that a name is never squeezed.
 */
export function RunRows({
  runs,
  agentNames,
}: {
  runs: Run[];
  agentNames: ReadonlyMap<string, string>;
}) {
  return (
    <ul className="divide-y divide-line">
      {runs.map((run) => (
        <li key={run.run_id}>
          <RunRow run={run} title={runTitle(run, agentNames)} />
        </li>
      ))}
    </ul>
  );
}

function RunRow({ run, title }: { run: Run; title: string }) {
  return (
    <Link
      href={`/runs/${run.run_id}`}
      className="grid min-h-12 @3xl:grid-cols-[minmax(0,1fr)_8.5rem_5rem_4.5rem_5.5rem] @2xl:grid-cols-[minmax(0,1fr)_8.5rem_4.5rem_5.5rem] grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-4 py-2 text-sm transition-colors hover:bg-hover/60 focus-visible:-outline-offset-2"
    >
      <span className="flex min-w-0 items-center gap-2.5">
        <AgentGlyph
          agentId={run.agent_id ?? run.run_id}
          className="size-6 rounded-sm max-sm:hidden"
        />
        <span className="min-w-0">
          <span className="block truncate font-medium">{title}</span>
          <span className="block @2xl:truncate font-mono text-2xs text-faint" title={run.run_id}>
            {shortenId(run.run_id)}
            <span className="@2xl:hidden font-sans text-xs">
              {" · "}
              <RelativeTime time={run.created_at} />
              {run.usage && run.usage.credits > 0 && (
                <> · {formatCredits(run.usage.credits)} credits</>
              )}
            </span>
          </span>
        </span>
      </span>
      <span className="@2xl:justify-self-start justify-self-end">
        <RunStatusBadge status={run.status} waiting={run.requires_action?.type} />
      </span>
      <span className="@3xl:block hidden text-right text-muted tabular">
        {run.started_at && run.completed_at
          ? formatDuration(Date.parse(run.completed_at) - Date.parse(run.started_at))
          : "–"}
      </span>
      <span className="@2xl:block hidden text-right text-muted tabular">
        {run.usage ? formatCredits(run.usage.credits) : "–"}
      </span>
      <span className="@2xl:block hidden text-right text-faint text-xs">
        <RelativeTime time={run.created_at} />
      </span>
    </Link>
  );
}

/** The captions over `RunRows`. */
export function RunRowsHead() {
  return (
    <div
      aria-hidden="true"
      className="@2xl:grid hidden h-9 @3xl:grid-cols-[minmax(0,1fr)_8.5rem_5rem_4.5rem_5.5rem] grid-cols-[minmax(0,1fr)_8.5rem_4.5rem_5.5rem] items-center gap-x-4 border-line border-b px-4"
    >
      <span className="caption">Run</span>
      <span className="caption">Status</span>
      <span className="caption @3xl:block hidden text-right">Time</span>
      <span className="caption text-right">Credits</span>
      <span className="caption text-right">Started</span>
    </div>
  );
}

export function RunRowsSkeleton({ rows }: { rows: number }) {
  return (
    <div role="status" aria-label="Loading runs" className="divide-y divide-line">
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the places never change
        <div key={index} className="flex h-[3.375rem] items-center gap-4 px-4">
          <Skeleton className="size-6 max-sm:hidden" />
          <Skeleton className="h-4 w-48 max-w-[50%]" />
          <Skeleton className="ml-auto h-5 w-20" />
        </div>
      ))}
    </div>
  );
}

const FILTER_VALUES = RUN_FILTERS.map(({ value }) => value);

export function FilteredRuns() {
  const [{ status, agent, schedule }, setFilter] = useQueryStates({
    status: parseAsStringLiteral(FILTER_VALUES).withDefault("all"),
    agent: parseAsString.withDefault(""),
    schedule: parseAsString.withDefault(""),
  });
  const agentNames = useAgentNames();
  const path = toRunsRead({ status, agent, schedule });
  const filtered = status !== "all" || agent !== "" || schedule !== "";
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <ToggleGroup
          label="Status"
          value={status}
          options={RUN_FILTERS}
          onChange={(next) => void setFilter({ status: next })}
        />
        <Select
          aria-label="Agent"
          value={agent}
          onChange={(event) => void setFilter({ agent: event.target.value || null })}
          className="w-full sm:w-56"
        >
          <option value="">All agents</option>
          {[...agentNames].map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
        {schedule !== "" && (
          <Button
            size="small"
            onClick={() => void setFilter({ schedule: null })}
            aria-label="Show the runs of all schedules"
          >
            Of one schedule
            <X aria-hidden="true" />
          </Button>
        )}
      </div>
      <RunList
        read={path}
        empty={filtered ? <NoneFit onClear={() => void setFilter(null)} /> : <NoRuns />}
      />
    </>
  );
}

function NoneFit({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      title="No run fits these filters"
      seed="filter"
      action={<Button onClick={onClear}>Clear filters</Button>}
    >
      Runs may have another status, or belong to another agent.
    </EmptyState>
  );
}

function NoRuns() {
  return (
    <EmptyState
      title="Nothing has run yet"
      seed="no-runs"
      action={
        <Button asChild variant="primary">
          <Link href="/">Open the quickstart</Link>
        </Button>
      }
    >
      A run is one piece of work of one agent. Started here or by API, it can be watched live, and
      its whole log stays for a day.
    </EmptyState>
  );
}
