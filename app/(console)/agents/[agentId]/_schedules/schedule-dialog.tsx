"use client";
import { Dialog } from "@/components/ui/dialog";
import { consolePaths } from "@/lib/console/console-paths";
import { requestConsoleJson } from "@/lib/console/request-console-json";
import type { AgentRecord } from "@/lib/console/shapes/agent";
import type { Schedule } from "@/lib/console/shapes/schedule";
import { useConsoleMutation } from "@/lib/console/use-console-mutation";
import { type ScheduleDraft, ScheduleForm } from "./schedule-form";

interface ScheduleDialogProps {
  agent: AgentRecord;
  /** Null makes another one. */
  schedule: Schedule | null;
  open: boolean;
  onClose: () => void;
}

export function ScheduleDialog({ agent, schedule, open, onClose }: ScheduleDialogProps) {
  const save = useConsoleMutation(
    (draft: ScheduleDraft) =>
      schedule
        ? requestConsoleJson<Schedule>(consolePaths.agentSchedule(agent.agent_id, schedule.schedule_id), { method: "PATCH", body: draft })
        : requestConsoleJson<Schedule>(`${consolePaths.agent(agent.agent_id)}/schedules`, { method: "POST", body: draft }),
    {
      stale: [`v1/agents/${agent.agent_id}/schedules`],
      done: schedule ? "The schedule was changed." : "The schedule was created.",
      quiet: true,
      onSuccess: onClose,
    },
  );
  const close = () => {
    onClose();
    save.reset();
  };
  return (
    <Dialog
      wide
      open={open}
      onOpenChange={(next) => !next && close()}
      title={schedule ? "Edit schedule" : "Create schedule"}
      description={`Runs ${agent.name} by the clock, with the same input each time.`}
    >
      <ScheduleForm
        agent={agent}
        schedule={schedule}
        busy={save.isPending}
        error={save.error?.message}
        onSubmit={(draft) => save.mutate(draft)}
        onCancel={close}
      />
    </Dialog>
  );
}
