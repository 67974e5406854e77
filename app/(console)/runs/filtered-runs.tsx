"use client";
import { X } from "lucide-react";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { Select } from "@/components/ui/select";
import { ToggleGroup } from "@/components/ui/toggle-group";
import { RunList } from "../_run/run-list";
import { useAgentNames } from "../_run/use-agent-names";
import { RUN_FILTERS, toRunsRead } from "./run-filters";

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
        <ToggleGroup label="Status" value={status} options={RUN_FILTERS} onChange={(next) => void setFilter({ status: next })} />
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
          <Button size="small" onClick={() => void setFilter({ schedule: null })} aria-label="Show the runs of all schedules">
            Of one schedule
            <X aria-hidden="true" />
          </Button>
        )}
      </div>
      <RunList read={path} empty={filtered ? <NoneFit onClear={() => void setFilter(null)} /> : <NoRuns />} />
    </>
  );
}

function NoneFit({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState title="No run fits these filters" seed="filter" action={<Button onClick={onClear}>Clear filters</Button>}>
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
      A run is one piece of work of one agent. Started here or by API, it can be watched live, and its whole log stays for a day.
    </EmptyState>
  );
}
