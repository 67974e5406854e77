"use client";

import { type UseMutationResult, useQueryClient } from "@tanstack/react-query";
import { ArrowUpRight, Square } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { formatCredits, formatDuration } from "@/components/format/format";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { RunStatusBadge } from "@/components/ui/run-status-badge";
import type { Run } from "@/lib/client/schemas";
import { consoleApi, messageOf } from "@/lib/console/api";
import { useConsoleMutation } from "@/lib/console/queries";
import { queryKey, reads } from "@/lib/console/reads";
import type { Transcript } from "@/lib/console/transcript/transcript";
import type { RunStream } from "@/lib/console/transcript/use-run-stream";
import { MessageBox } from "./message-box";
import { Elapsed, RunTranscript } from "./run-transcript";

type LiveStream = Pick<RunStream<never>, "surface" | "transcript" | "state" | "error">;

/** A run that was just started, live in a frame of its own on another page. */
export function LiveRun({
  stream,
  label,
  children,
}: {
  stream: LiveStream;
  label: string;
  children?: ReactNode;
}) {
  const { transcript, state, error } = stream;
  if (state === null) return null;
  if (error && transcript.lastSequence < 0) {
    return (
      <Alert tone="danger" title="The run was not accepted" alert>
        {messageOf(error)}
      </Alert>
    );
  }
  return (
    <section
      aria-label={label}
      className="overflow-hidden rounded-lg border border-line bg-surface"
    >
      <LiveRunHead stream={stream} />
      <div className="p-4 sm:p-5">
        <RunTranscript transcript={transcript} state={state} />
        <SayMeanwhile stream={stream} />
        {children}
      </div>
    </section>
  );
}

/** Room to speak to a run while it works. A question has room of its own. */
function SayMeanwhile({ stream: { surface, transcript } }: { stream: LiveStream }) {
  const { runId, status, blocks } = transcript;
  const asks = blocks.some(
    (block) => block.kind === "question" && block.answer === null && !block.over,
  );
  if (runId === null || status !== "running" || asks) return null;
  return (
    <div className="mt-4 border-line border-t pt-4">
      <MessageBox runId={runId} path={surface.messages} />
    </div>
  );
}

function LiveRunHead({ stream: { surface, transcript } }: { stream: LiveStream }) {
  const cancel = useCancelRun(surface.runs);
  const { runId, status, error, startedAt, endedAt, usage } = transcript;
  const approval = transcript.blocks.some(
    (block) => block.kind === "approval" && block.decision === null,
  );
  const question = transcript.blocks.some(
    (block) => block.kind === "question" && block.answer === null && !block.over,
  );
  const active = status === "pending" || status === "running";
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1.5 border-line border-b px-4 py-1.5">
      <RunStatusBadge
        status={error?.code === "RUN_CANCELLED" ? "cancelled" : status}
        waiting={approval ? "approval" : question ? "question" : undefined}
      />
      <span className="font-mono text-faint text-xs tabular">
        {startedAt &&
          (endedAt ? (
            formatDuration(Date.parse(endedAt) - Date.parse(startedAt))
          ) : (
            <Elapsed since={startedAt} />
          ))}
        {usage && ` · ${formatCredits(usage.credits)} credits`}
      </span>
      <span className="ml-auto flex items-center gap-1.5">
        {active && runId && (
          <Button size="small" loading={cancel.isPending} onClick={() => cancel.mutate(runId)}>
            <Square aria-hidden="true" />
            Cancel run
          </Button>
        )}
        {runId && surface.page && (
          <Button asChild variant="ghost" size="small">
            <Link href={surface.page(runId)}>
              Open run
              <ArrowUpRight aria-hidden="true" />
            </Link>
          </Button>
        )}
      </span>
    </div>
  );
}

/** Stops the run of this id. */
export function useCancelRun(
  runs: { cancel: (runId: string) => Promise<Run> } = consoleApi.runs,
): UseMutationResult<Run, Error, string> {
  return useConsoleMutation((runId: string) => runs.cancel(runId), {
    stale: ["/v1/runs"],
    done: "The run is being stopped.",
  });
}

/**
 * Reads again what a run changes, when it is accepted and when it ends: lists, balance, the run
 * itself.
 */
export function useStreamEnd(transcript: Transcript): void {
  const client = useQueryClient();
  const { runId, status } = transcript;
  useEffect(() => {
    if (runId === null || status === "pending") return;
    for (const scope of [
      "/v1/runs",
      "/v1/super-agent/runs",
      "/v1/conversations",
      "/v1/agents",
      reads.usage,
    ] as const)
      void client.invalidateQueries({ queryKey: queryKey(scope) });
  }, [client, runId, status]);
}
