"use client";
import { Ellipsis, History, PencilLine, Play, Plus, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { LoadMore } from "@/components/ui/load-more";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "@/components/ui/menu";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { Switch } from "@/components/ui/switch";
import type { Agent, Schedule } from "@/lib/client/schemas";
import { consoleApi } from "@/lib/console/api";
import { useConsoleMutation, useConsolePages } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { describeCron } from "@/lib/console/schedule/describe-cron";
import { QueryProblem } from "../../../_shared/query-problem";
import { FiringsDialog } from "./firings-dialog";
import { FiringTime, ScheduleDialog } from "./schedule-dialog";

const REFRESH_MILLISECONDS = 30_000;

/** When the agent runs by itself. */
export function SchedulesTab({ agent }: { agent: Agent }) {
  const [creating, setCreating] = useState(false);
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useConsolePages(
    reads.agentSchedules(agent.agent_id),
    {
      refreshEvery: (rows) =>
        rows.some((schedule) => schedule.enabled) ? REFRESH_MILLISECONDS : false,
    },
  );
  const schedules = data?.pages.flatMap((page) => page.data);
  const archived = agent.status === "archived";
  const create = !archived && (
    <Button size="small" variant="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden="true" />
      Create schedule
    </Button>
  );
  return (
    <>
      <Card aria-label="Schedules" aria-busy={!schedules}>
        {schedules && schedules.length > 0 && (
          <CardHeader
            title="Schedules"
            note={archived ? "an archived agent does not run" : "each firing is an ordinary run"}
          >
            {create}
          </CardHeader>
        )}
        {error && !schedules && <QueryProblem error={error} retry={() => void refetch()} />}
        {!error && !schedules && <SchedulesSkeleton />}
        {schedules?.length === 0 && (
          <EmptyState title="Run it by the clock" seed="schedules" action={create}>
            A schedule starts this agent with a fixed input, such as every weekday at 09:00 in your
            time zone. What was missed while the service was down is made up for by one run.
          </EmptyState>
        )}
        {schedules && schedules.length > 0 && (
          <ul className="divide-y divide-line">
            {schedules.map((schedule) => (
              <ScheduleRow key={schedule.schedule_id} schedule={schedule} agent={agent} />
            ))}
          </ul>
        )}
        {hasNextPage && (
          <LoadMore loading={isFetchingNextPage} onClick={() => void fetchNextPage()} />
        )}
      </Card>
      {!archived && (
        <ScheduleDialog
          agent={agent}
          schedule={null}
          open={creating}
          onClose={() => setCreating(false)}
        />
      )}
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

/** One schedule: when, when next, what it started last, and a switch. */
function ScheduleRow({ schedule, agent }: { schedule: Schedule; agent: Agent }) {
  const [dialog, setDialog] = useState<"edit" | "firings" | "delete" | null>(null);
  const router = useRouter();
  const run = useConsoleMutation(
    () => consoleApi.post(`${SCHEDULE}/run`, { params: { path: pathOf(schedule) } }),
    {
      stale: [`/v1/agents/${schedule.agent_id}/schedules`, "/v1/runs"],
      onSuccess: ({ run_id }) => router.push(`/runs/${run_id}`),
    },
  );
  const archived = agent.status === "archived";
  const close = () => setDialog(null);
  const words = describeCron(schedule.cron);
  const name = words ?? schedule.cron;
  return (
    <li className="flex flex-wrap items-center gap-x-4 px-4 py-3.5 text-sm">
      <EnabledSwitch schedule={schedule} name={name} disabled={archived} />
      <div className="min-w-0 flex-1">
        <p className={words === null ? "font-mono" : "font-medium [overflow-wrap:anywhere]"}>
          {name}
        </p>
        <p className="mt-0.5 flex flex-wrap gap-x-3 gap-y-0.5 text-faint text-xs">
          {words !== null && <code className="font-mono">{schedule.cron}</code>}
          <span>{schedule.timezone}</span>
          {schedule.agent_version !== null && <span>version {schedule.agent_version}</span>}
          {schedule.max_credits !== null && <span>{schedule.max_credits} credits a run</span>}
          {schedule.on_budget === "wait" && <span>waits at its budget</span>}
          {schedule.end_user !== null && <span>for {schedule.end_user}</span>}
          {schedule.webhook_url !== null && <span>with a webhook</span>}
        </p>
        {schedule.last_error && schedule.paused_at === null && (
          <p className="mt-1 text-danger text-xs [overflow-wrap:anywhere]">
            Did not run <RelativeTime time={schedule.last_error.at} />:{" "}
            {schedule.last_error.message}
          </p>
        )}
        <ScheduleTimes
          schedule={schedule}
          className="mt-2 flex flex-wrap gap-x-6 gap-y-1 text-xs md:hidden"
        />
      </div>
      <ScheduleTimes
        schedule={schedule}
        className="hidden w-80 shrink-0 grid-cols-[minmax(0,1fr)_6rem] gap-4 text-xs md:grid"
      />
      <Menu>
        <MenuTrigger asChild>
          <Button variant="ghost" size="icon" aria-label={`Actions for “${name}”`}>
            <Ellipsis aria-hidden="true" />
          </Button>
        </MenuTrigger>
        <MenuContent>
          {!archived && (
            <>
              <MenuItem disabled={run.isPending} onSelect={() => run.mutate()}>
                <Play aria-hidden="true" />
                Run now
              </MenuItem>
              <MenuItem onSelect={() => setDialog("edit")}>
                <PencilLine aria-hidden="true" />
                Edit
              </MenuItem>
            </>
          )}
          <MenuItem onSelect={() => setDialog("firings")}>
            <History aria-hidden="true" />
            Firings
          </MenuItem>
          <MenuItem danger onSelect={() => setDialog("delete")}>
            <Trash2 aria-hidden="true" />
            Delete
          </MenuItem>
        </MenuContent>
      </Menu>
      <Failures schedule={schedule} />
      <ScheduleDialog agent={agent} schedule={schedule} open={dialog === "edit"} onClose={close} />
      <FiringsDialog schedule={schedule} name={name} open={dialog === "firings"} onClose={close} />
      <DeleteDialog schedule={schedule} name={name} open={dialog === "delete"} onClose={close} />
    </li>
  );
}

/** What went wrong in a row; where that has paused the schedule, why, and what to do. */
function Failures({ schedule: { failures, paused_at, paused_reason } }: { schedule: Schedule }) {
  if (paused_at !== null)
    return (
      <Alert tone="warning" title="Paused by its failures" className="mt-3 basis-full">
        {paused_reason} Switch it on to go on.
      </Alert>
    );
  if (failures === 0) return null;
  return (
    <p className="mt-1.5 basis-full text-warning text-xs">
      {failures === 1 ? "The last firing failed" : `The last ${failures} firings failed`}
    </p>
  );
}

function ScheduleTimes({ schedule, className }: { schedule: Schedule; className: string }) {
  return (
    <dl className={className}>
      <div>
        <dt className="text-faint">Next run</dt>
        <dd>
          {schedule.next_run_at ? (
            <FiringTime time={new Date(schedule.next_run_at)} timezone={schedule.timezone} />
          ) : (
            <span className="text-faint">Paused</span>
          )}
        </dd>
      </div>
      <div>
        <dt className="text-faint">Last run</dt>
        <dd>
          {schedule.last_run_at ? (
            <Link
              href={`/runs?schedule=${schedule.schedule_id}`}
              className="text-accent underline-offset-4 hover:underline"
            >
              <RelativeTime time={schedule.last_run_at} />
            </Link>
          ) : (
            <span className="text-faint">Never</span>
          )}
        </dd>
      </div>
    </dl>
  );
}

function EnabledSwitch({
  schedule,
  name,
  disabled,
}: {
  schedule: Schedule;
  name: string;
  disabled: boolean;
}) {
  const toggle = useConsoleMutation(
    (enabled: boolean) =>
      consoleApi.patch(SCHEDULE, { params: { path: pathOf(schedule) }, body: { enabled } }),
    { stale: [`/v1/agents/${schedule.agent_id}/schedules`] },
  );
  // Shown at once; then the newer of its answer and the list.
  const stored =
    toggle.data && toggle.data.updated_at >= schedule.updated_at ? toggle.data : schedule;
  const shown = toggle.isPending ? toggle.variables : stored.enabled;
  return (
    <Switch
      aria-label={`${name}, enabled`}
      checked={shown}
      disabled={disabled || toggle.isPending}
      onCheckedChange={(enabled) => toggle.mutate(enabled)}
    />
  );
}

interface DeleteDialogProps {
  schedule: Schedule;
  name: string;
  open: boolean;
  onClose: () => void;
}

function DeleteDialog({ schedule, name, open, onClose }: DeleteDialogProps) {
  const remove = useConsoleMutation(
    () => consoleApi.delete(SCHEDULE, { params: { path: pathOf(schedule) } }),
    {
      stale: [`/v1/agents/${schedule.agent_id}/schedules`],
      done: "The schedule was deleted.",
      onSuccess: onClose,
    },
  );
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="Delete this schedule?"
      action="Delete schedule"
      loading={remove.isPending}
      onConfirm={() => remove.mutate()}
    >
      The agent no longer runs {name}. Runs that it started stay. To stop it for a while only,
      switch it off instead.
    </ConfirmDialog>
  );
}

const SCHEDULE = "/v1/agents/{agent_id}/schedules/{schedule_id}";

function pathOf({ agent_id, schedule_id }: Schedule) {
  return { agent_id, schedule_id };
}
