"use client";
import { Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LoadMore } from "@/components/ui/load-more";
import { Skeleton } from "@/components/ui/skeleton";
import { consolePaths } from "@/lib/console/console-paths";
import type { AgentRecord } from "@/lib/console/shapes/agent";
import type { Schedule } from "@/lib/console/shapes/schedule";
import { useConsolePages } from "@/lib/console/use-console-pages";
import { QueryProblem } from "../../../_shared/query-problem";
import { ScheduleDialog } from "./schedule-dialog";
import { ScheduleRow } from "./schedule-row";

const REFRESH_MILLISECONDS = 30_000;

/** When the agent runs by itself. */
export function SchedulesTab({ agent }: { agent: AgentRecord }) {
  const [creating, setCreating] = useState(false);
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useConsolePages<Schedule>(
    consolePaths.agentSchedules(agent.agent_id),
    { refreshEvery: (rows) => (rows.some((schedule) => schedule.enabled) ? REFRESH_MILLISECONDS : false) },
  );
  const schedules = data?.pages.flatMap((page) => page.data);
  const archived = agent.status === "archived";
  const create = !archived && (
    <Button size="small" look="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden="true" />
      Create schedule
    </Button>
  );
  return (
    <>
      <Card aria-label="Schedules" aria-busy={!schedules}>
        {schedules && schedules.length > 0 && (
          <CardHeader title="Schedules" note={archived ? "an archived agent does not run" : "each firing is an ordinary run"}>
            {create}
          </CardHeader>
        )}
        {error && !schedules && <QueryProblem error={error} retry={() => void refetch()} />}
        {!error && !schedules && <SchedulesSkeleton />}
        {schedules?.length === 0 && (
          <EmptyState title="Run it by the clock" seed="schedules" action={create}>
            A schedule starts this agent with a fixed input, such as every weekday at 09:00 in your time zone. What was missed while the
            service was down is made up for by one run.
          </EmptyState>
        )}
        {schedules && schedules.length > 0 && (
          <ul className="divide-y divide-line">
            {schedules.map((schedule) => (
              <ScheduleRow key={schedule.schedule_id} schedule={schedule} agent={agent} />
            ))}
          </ul>
        )}
        {hasNextPage && <LoadMore busy={isFetchingNextPage} onClick={() => void fetchNextPage()} />}
      </Card>
      {!archived && <ScheduleDialog agent={agent} schedule={null} open={creating} onClose={() => setCreating(false)} />}
    </>
  );
}

function SchedulesSkeleton() {
  return (
    <div role="status" aria-label="Loading schedules" className="divide-y divide-line">
      {[0, 1].map((row) => (
        <div key={row} className="flex h-20 items-center gap-4 px-4">
          <Skeleton className="h-5 w-9 rounded-full" />
          <Skeleton className="h-4 w-56 max-w-[60%]" />
        </div>
      ))}
    </div>
  );
}
