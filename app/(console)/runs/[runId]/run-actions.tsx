"use client";
import { RotateCcw, Square, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import type { Run } from "@/lib/client/schemas";
import { consoleApi } from "@/lib/console/api";
import { useConsoleMutation, useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { isTerminal } from "@/lib/model/run/run-status";
import { useCancelRun } from "../../_run/live-run";

export function RunActions({ runId }: { runId: string }) {
  const { data: run } = useConsoleQuery(reads.run(runId));
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

/**
 * Starts the agent once more with the very input of this run, in the same workspace, and leads there. It is a run of today: with the agent as it is now,
 * its own model, and a conversation of its own.
 */
function RunAgainButton({ run }: { run: Run }) {
  const router = useRouter();
  const { input, agent_id, workspace_id } = run;
  const again = useConsoleMutation(
    () =>
      consoleApi.post("/v1/runs", {
        body: { input: input ?? {}, ...(agent_id ? { agent_id } : {}), ...(workspace_id ? { workspace_id } : {}) },
      }),
    { stale: ["/v1/runs"], onSuccess: (next) => router.push(`/runs/${next.run_id}`) },
  );
  const repeatable = (run.kind === "agent" || run.kind === "app") && input !== undefined;
  if (!repeatable) return null;
  return (
    <Button busy={again.isPending} onClick={() => again.mutate()}>
      <RotateCcw aria-hidden="true" />
      Run again
    </Button>
  );
}

/** Deletes a run that has ended, once it is sure. */
function DeleteRunButton({ runId }: { runId: string }) {
  const [asked, setAsked] = useState(false);
  const router = useRouter();
  const remove = useConsoleMutation(() => consoleApi.delete("/v1/runs/{run_id}", { params: { path: { run_id: runId } } }), {
    done: "The run was deleted.",
    onSuccess: () => router.push("/runs"),
  });
  return (
    <>
      <Button onClick={() => setAsked(true)}>
        <Trash2 aria-hidden="true" />
        Delete
      </Button>
      <ConfirmDialog
        open={asked}
        onOpenChange={setAsked}
        title="Delete this run?"
        action="Delete run"
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        Its transcript, its messages in the conversation, the files that it made and what was sent about it are deleted with it. What it
        cost stays in the account&apos;s usage. This cannot be undone.
      </ConfirmDialog>
    </>
  );
}
