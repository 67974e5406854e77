"use client";

import { Card, CardHeader } from "@/components/ui/card";
import type { Run } from "@/lib/client/schemas";
import { useAgentNames, useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { isTerminal } from "@/lib/model/run/run-status";
import { RunRows, RunRowsHead } from "./run-list";

const ACTIVE_MILLISECONDS = 5_000;

/** The runs that this one has started, the newest first; nothing where there are none. */
export function StartedRuns({ run }: { run: Run }) {
  const agentNames = useAgentNames();
  const { data } = useConsoleQuery(reads.startedRuns(run.run_id), {
    refreshEvery: (page) =>
      !isTerminal(run.status) || page?.data.some(({ status }) => !isTerminal(status))
        ? ACTIVE_MILLISECONDS
        : false,
  });
  if (!data || data.data.length === 0) return null;
  const { length } = data.data;
  return (
    <Card aria-label="Runs that it started" className="@container">
      <CardHeader
        title="Runs that it started"
        note={`${length}${data.has_more ? " newest" : ""}`}
      />
      <RunRowsHead />
      <RunRows runs={data.data} agentNames={agentNames} />
    </Card>
  );
}
