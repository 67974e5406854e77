"use client";
import { useState } from "react";
import { Card, CardHeader } from "@/components/ui/card";
import { Segmented } from "@/components/ui/segmented";
import { consolePaths } from "@/lib/console/console-paths";
import type { Run } from "@/lib/console/shapes/run";
import { useFollowRun } from "@/lib/console/transcript/use-follow-run";
import { useConsoleQuery } from "@/lib/console/use-console-query";
import { isTerminal } from "@/lib/model/run/run-status";
import { UsageRows } from "../../_run/usage-rows";
import { useStreamEnd } from "../../_run/use-stream-end";
import { RawTranscript } from "./raw-transcript";
import { RunArtifacts } from "./run-artifacts";
import { RunFacts } from "./run-facts";
import { RunInput } from "./run-input";
import { RunTimeline } from "./run-timeline";

/** One run, live while it lives: its timeline, and beside it the facts. */
export function RunView({ runId, agentName }: { runId: string; agentName: string | null }) {
  const { data: run } = useConsoleQuery<Run>(consolePaths.run(runId), {
    refreshEvery,
  });
  const stream = useFollowRun(runId);
  const [view, setView] = useState<"timeline" | "raw">("timeline");
  useStreamEnd(stream.transcript);
  if (!run) return null;
  const usage = isTerminal(run.status) ? run.usage : (stream.transcript.usage ?? run.usage);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        {run.input && <RunInput input={run.input} />}
        <Card aria-label="What happened">
          <CardHeader title={view === "timeline" ? "Timeline" : "Transcript"}>
            <Segmented
              label="View"
              value={view}
              options={[
                { value: "timeline", label: "Timeline" },
                { value: "raw", label: "Raw" },
              ]}
              onChange={setView}
            />
          </CardHeader>
          <div className="p-4 sm:p-5">{view === "timeline" ? <RunTimeline run={run} stream={stream} /> : <RawTranscript run={run} />}</div>
        </Card>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <RunFacts run={run} agentName={agentName} />
        {run.result && run.result.artifacts.length > 0 && (
          <RunArtifacts runId={runId} artifacts={run.result.artifacts} deletable={isTerminal(run.status)} />
        )}
        {usage && <UsageRows usage={usage} />}
      </div>
    </div>
  );
}

const ACTIVE_MILLISECONDS = 5_000;
/** Addresses of artifacts are good for 15 minutes. */
const ARTIFACTS_MILLISECONDS = 600_000;

function refreshEvery(run: Run | undefined): number | false {
  if (!run) return false;
  if (!isTerminal(run.status)) return ACTIVE_MILLISECONDS;
  return run.result && run.result.artifacts.length > 0 ? ARTIFACTS_MILLISECONDS : false;
}
