"use client";

import { Square, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { CopyButton } from "@/components/ui/copy-button";
import { ScrollRegion } from "@/components/ui/scroll-region";
import { Skeleton } from "@/components/ui/skeleton";
import { ToggleGroup } from "@/components/ui/toggle-group";
import type { Run } from "@/lib/client/schemas";
import { consoleApi, messageOf } from "@/lib/console/api";
import type { InputSchema } from "@/lib/console/inputs";
import { useConsoleMutation, useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { runAsCurl } from "@/lib/console/reference/run-as-curl";
import { type RunStream, useFollowRun } from "@/lib/console/transcript/use-run-stream";
import type { Artifact } from "@/lib/model/run/run-result";
import { isAgentsWork, isTerminal } from "@/lib/model/run/run-status";
import { isStored, NewAgentCard } from "../../_run/agent-creation";
import { Answer } from "../../_run/answer";
import { ArtifactBlock } from "../../_run/artifact-block";
import { BudgetNotice } from "../../_run/budget-notice";
import { InputValues } from "../../_run/input-values";
import { useCancelRun, useStreamEnd } from "../../_run/live-run";
import { MessageBox } from "../../_run/message-box";
import { RunErrorNotice, RunTranscript } from "../../_run/run-transcript";
import { Sources } from "../../_run/sources";
import { StartedRuns } from "../../_run/started-runs";
import { DeleteButton } from "../../_shared/delete-button";
import { QueryProblem } from "../../_shared/query-problem";
import { useBaseUrl } from "../../_shell/console-providers";
import { ClientCalls, ReplayButton, ReplayComparison } from "./run-actions";
import { type RunAbove, RunFacts, UsageRows } from "./run-facts";
import { RunScratchFiles } from "./run-files";
import { RunReceipts } from "./run-receipts";
import { RunTrace } from "./run-trace";

const VIEW_NAMES = { timeline: "Timeline", trace: "Trace", raw: "Transcript" } as const;

interface RunViewProps {
  runId: string;
  agentName: string | null;
  /** The run that started it. */
  above: RunAbove | null;
}

/** One run, live while it lives: its timeline, and beside it the facts. */
export function RunView({ runId, ...known }: RunViewProps) {
  const { data: run } = useConsoleQuery(reads.run(runId), {
    refreshEvery,
  });
  const stream = useFollowRun(runId);
  const [view, setView] = useState<keyof typeof VIEW_NAMES>("timeline");
  useStreamEnd(stream.transcript);
  if (!run) return null;
  const usage = isTerminal(run.status) ? run.usage : (stream.transcript.usage ?? run.usage);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        {run.input && <RunInput input={run.input} />}
        <BudgetNotice run={run} />
        <ClientCalls run={run} />
        {run.replayed_from && (
          <ReplayComparison run={{ ...run, usage }} firstId={run.replayed_from} />
        )}
        <RunReceipts run={run} />
        <StartedRuns run={run} />
        <Card aria-label="What happened">
          <CardHeader title={VIEW_NAMES[view]}>
            <ToggleGroup
              label="View"
              value={view}
              options={[
                { value: "timeline", label: "Timeline" },
                { value: "trace", label: "Trace" },
                { value: "raw", label: "Raw" },
              ]}
              onChange={setView}
            />
          </CardHeader>
          <div className="p-4 sm:p-5">
            {view === "timeline" && <RunTimeline run={run} stream={stream} />}
            {view === "trace" && <RunTrace run={run} transcript={stream.transcript} />}
            {view === "raw" && <RawTranscript run={run} />}
          </div>
          {!isTerminal(run.status) && run.requires_action?.type !== "question" && (
            <div className="border-line border-t p-4 sm:p-5">
              <MessageBox
                runId={runId}
                path="/v1/runs/{run_id}/messages"
                mayFollow={isAgentsWork(run.kind)}
              />
            </div>
          )}
        </Card>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <RunFacts run={run} {...known} />
        {run.result && run.result.artifacts.length > 0 && (
          <RunArtifacts
            runId={runId}
            artifacts={run.result.artifacts}
            deletable={isTerminal(run.status)}
          />
        )}
        <RunScratchFiles run={run} />
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

/** The whole transcript as text, as `raw_output=true` returns it. */
function RawTranscript({ run }: { run: Run }) {
  const ended = isTerminal(run.status);
  const { data, error, refetch } = useConsoleQuery(reads.rawRun(run.run_id), { enabled: ended });
  if (!ended)
    return (
      <p className="text-muted text-sm">The transcript is put together when the run has ended.</p>
    );
  if (error) return <QueryProblem error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-64" />;
  return (
    <CodeBlock
      code={data.result?.raw_output ?? data.result?.text ?? JSON.stringify(data, null, 2)}
      label="raw transcript"
    />
  );
}

const VIEWS = [
  { value: "fields", label: "Fields" },
  { value: "json", label: "JSON" },
] as const;

/** What the run was given. */
function RunInput({ input }: { input: InputSchema }) {
  const [view, setView] = useState<"fields" | "json">("fields");
  const empty = Object.keys(input).length === 0;
  const json = JSON.stringify(input, null, 2);
  return (
    <Card aria-label="Input">
      <CardHeader title="Input">
        <ToggleGroup label="View of the input" value={view} options={VIEWS} onChange={setView} />
        <CopyButton text={json} what="input" />
      </CardHeader>
      {empty && <p className="px-4 py-3.5 text-faint text-sm">The run was given nothing.</p>}
      {!empty && view === "json" && (
        <div className="p-4">
          <CodeBlock code={json} label="input as JSON" />
        </div>
      )}
      {!empty && view === "fields" && (
        <ScrollRegion label="Input fields" className="max-h-80">
          <InputValues input={input} className="divide-y divide-line px-4 text-sm" />
        </ScrollRegion>
      )}
    </Card>
  );
}

/** The run from its event log; from its record when the log is gone, a day after the end. */
function RunTimeline({ run, stream }: { run: Run; stream: RunStream }) {
  const { transcript, state, error } = stream;
  const built =
    run.kind === "agent_creation" &&
    run.status === "completed" &&
    isStored(run.result) &&
    run.agent_id;
  const logGone = state === "ended" && transcript.blocks.length === 0 && transcript.error === null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {error && (
        <Alert tone="danger" title="The event log could not be read" alert>
          {messageOf(error)}
        </Alert>
      )}
      {logGone ? <RunRemains run={run} /> : <RunTranscript transcript={transcript} state={state} />}
      {built && <NewAgentCard agentId={built} name={run.result?.agent_name ?? "The new agent"} />}
    </div>
  );
}

function RunRemains({ run }: { run: Run }) {
  return (
    <>
      {run.result?.text && <Answer text={run.result.text} />}
      {run.result?.citations && <Sources citations={run.result.citations} />}
      {run.result?.artifacts.map((artifact) => (
        <ArtifactBlock key={artifact.id} artifact={artifact} />
      ))}
      {run.error && <RunErrorNotice code={run.error.code} message={run.error.message} />}
      <p className="text-faint text-xs">
        The steps in between are kept for 24 hours after a run's end; what is shown here is its
        outcome.
      </p>
    </>
  );
}

interface RunArtifactsProps {
  runId: string;
  artifacts: readonly Artifact[];
  /** Not while the run is at work: its result would list them again. */
  deletable: boolean;
}

/** The files that the run made, under addresses that are still good. */
function RunArtifacts({ runId, artifacts, deletable }: RunArtifactsProps) {
  const [doomed, setDoomed] = useState<Artifact | null>(null);
  const remove = useConsoleMutation(
    (artifact: Artifact) =>
      consoleApi.delete("/v1/artifacts/{artifact_id}", {
        params: { path: { artifact_id: artifact.id } },
      }),
    { stale: [reads.run(runId)], done: "The file was deleted.", onSuccess: () => setDoomed(null) },
  );
  return (
    <Card aria-label="Files">
      <CardHeader title="Files" />
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-2 p-3">
        {artifacts.map((artifact) => (
          <li key={artifact.id}>
            <ArtifactBlock artifact={artifact}>
              {deletable && (
                <Button
                  variant="ghost"
                  size="icon-small"
                  aria-label={`Delete ${artifact.name}`}
                  onClick={() => setDoomed(artifact)}
                >
                  <Trash2 aria-hidden="true" />
                </Button>
              )}
            </ArtifactBlock>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={doomed !== null}
        onOpenChange={(open) => !open && setDoomed(null)}
        title="Delete this file?"
        action="Delete file"
        loading={remove.isPending}
        onConfirm={() => doomed && remove.mutate(doomed)}
      >
        <span className="break-all font-mono text-xs">{doomed?.name}</span> is deleted for good. The
        run stays.
      </ConfirmDialog>
    </Card>
  );
}

export function RunActions({ runId }: { runId: string }) {
  const { data: run } = useConsoleQuery(reads.run(runId));
  const cancel = useCancelRun();
  if (!run) return null;
  if (isTerminal(run.status))
    return (
      <>
        <CurlButton run={run} />
        <DeleteRunButton runId={run.run_id} />
        <ReplayButton run={run} />
      </>
    );
  return (
    <>
      <CurlButton run={run} />
      <Button loading={cancel.isPending} onClick={() => cancel.mutate(runId)}>
        <Square aria-hidden="true" />
        Cancel run
      </Button>
    </>
  );
}

/** The run as the command that starts such a one, for a terminal or a bug report. */
function CurlButton({ run }: { run: Run }) {
  const curl = runAsCurl(run, useBaseUrl());
  if (curl === null) return null;
  return <CopyButton text={curl} what="as curl" label="Copy as curl" />;
}

/** Deletes a run that has ended, once it is sure. */
function DeleteRunButton({ runId }: { runId: string }) {
  const router = useRouter();
  const remove = useConsoleMutation(
    () => consoleApi.delete("/v1/runs/{run_id}", { params: { path: { run_id: runId } } }),
    {
      done: "The run was deleted.",
      onSuccess: () => router.push("/runs"),
    },
  );
  return (
    <DeleteButton noun="run" remove={remove}>
      Its transcript, its messages in the conversation, the files that it made and what was sent
      about it are deleted with it. What it cost stays in the account&apos;s usage. This cannot be
      undone.
    </DeleteButton>
  );
}
