"use client";
import { Square } from "lucide-react";
import { Button } from "@/components/ui/button";
import { consolePaths } from "@/lib/console/console-paths";
import type { Run } from "@/lib/console/shapes/run";
import { useConsoleQuery } from "@/lib/console/use-console-query";
import { isTerminal } from "@/lib/model/run/run-status";
import { useCancelRun } from "../../_run/use-cancel-run";
import { DeleteRunButton } from "./delete-run-button";
import { RunAgainButton } from "./run-again-button";

export function RunActions({ runId }: { runId: string }) {
  const { data: run } = useConsoleQuery<Run>(consolePaths.run(runId));
  const cancel = useCancelRun();
  if (!run) return null;
  if (isTerminal(run.status))
    return (
      <>
        <DeleteRunButton runId={run.run_id} />
        <RunAgainButton run={run} />
      </>
    );
  return (
    <Button busy={cancel.isPending} onClick={() => cancel.mutate(runId)}>
      <Square aria-hidden="true" />
      Cancel run
    </Button>
  );
}
