"use client";
import { Markdown } from "@/components/markdown/markdown";
import { Notice } from "@/components/ui/notice";
import type { Run } from "@/lib/console/shapes/run";
import type { RunStream } from "@/lib/console/transcript/use-run-stream";
import { ArtifactBlock } from "../../_run/artifact-block";
import { NewAgentCard } from "../../_run/new-agent-card";
import { RunErrorNotice } from "../../_run/run-error-notice";
import { RunTranscript } from "../../_run/run-transcript";

/** The run from its event log; from its record when the log is gone, a day after the end. */
export function RunTimeline({ run, stream }: { run: Run; stream: RunStream }) {
  const { transcript, state, error } = stream;
  const built = run.kind === "agent_creation" && run.status === "completed" && run.agent_id;
  const logGone = state === "ended" && transcript.blocks.length === 0 && transcript.error === null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {error && (
        <Notice tone="danger" title="The event log could not be read" alert>
          {error.message}
        </Notice>
      )}
      {logGone ? <RunRemains run={run} /> : <RunTranscript transcript={transcript} state={state} />}
      {built && <NewAgentCard agentId={built} name={run.result?.agent_name ?? "The new agent"} />}
    </div>
  );
}

function RunRemains({ run }: { run: Run }) {
  return (
    <>
      {run.result?.text && <Markdown text={run.result.text} />}
      {run.result?.artifacts.map((artifact) => (
        <ArtifactBlock key={artifact.id} artifact={artifact} />
      ))}
      {run.error && <RunErrorNotice code={run.error.code} message={run.error.message} />}
      <p className="text-faint text-xs">The steps in between are kept for 24 hours after a run's end; what is shown here is its outcome.</p>
    </>
  );
}
