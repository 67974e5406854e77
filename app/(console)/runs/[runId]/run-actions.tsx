"use client";

import { RotateCcw, Wrench } from "lucide-react";
import { useRouter } from "next/navigation";
import { type FormEvent, type ReactNode, useState } from "react";
import { formatCredits, formatDuration } from "@/components/format/format";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { RunStatusBadge } from "@/components/ui/run-status-badge";
import { ScrollRegion } from "@/components/ui/scroll-region";
import { Textarea } from "@/components/ui/textarea";
import { ToggleGroup } from "@/components/ui/toggle-group";
import type { ModelId, Run } from "@/lib/client/schemas";
import { consoleApi } from "@/lib/console/api";
import { useConsoleMutation, useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { isAgentsWork } from "@/lib/model/run/run-status";
import { Answer } from "../../_run/answer";
import { ModelSelect } from "../../_run/run-form";
import { VersionSelect } from "../../_run/version-select";

type Action = NonNullable<Run["requires_action"]>;
type ClientCall = Extract<Action, { type: "client_tool" }>["calls"][number];

/**
 * The calls of client tools that a run waits for: what each was given, and a form to answer it by
 * hand.
 */
export function ClientCalls({ run }: { run: Run }) {
  const action = run.requires_action;
  if (action?.type !== "client_tool") return null;
  return (
    <Card aria-label="Waiting calls">
      <CardHeader
        title="Waits for results"
        note={`${action.calls.length} ${action.calls.length === 1 ? "call" : "calls"}`}
      />
      <p className="px-4 pt-3.5 text-muted text-sm">
        Tools that the program which started this run carries out. If it does not, answer here: the
        run goes on with the last one.
      </p>
      <ul className="divide-y divide-line">
        {action.calls.map((call) => (
          <li key={call.tool_call_id} className="p-4">
            <ClientCallForm runId={run.run_id} call={call} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

const OUTCOMES = [
  { value: "output", label: "Result" },
  { value: "error", label: "Error" },
] as const;

function ClientCallForm({ runId, call }: { runId: string; call: ClientCall }) {
  const [outcome, setOutcome] = useState<"output" | "error">("output");
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const post = useConsoleMutation(
    () => {
      const result = outcome === "error" ? { error: text } : { output: readOutput(text) };
      return consoleApi.post("/v1/runs/{run_id}/tool-results", {
        params: { path: { run_id: runId } },
        body: { results: [{ tool_call_id: call.tool_call_id, ...result }] },
      });
    },
    { stale: [reads.run(runId), reads.runTrace(runId)], done: "The result was posted." },
  );
  const write = (next: string) => {
    setText(next);
    setProblem(null);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const missing = text.trim() === "";
    setProblem(
      missing
        ? outcome === "error"
          ? "Say why the call was not carried out."
          : "Write what the tool answers: text or JSON."
        : null,
    );
    if (!missing) post.mutate();
  };
  return (
    <form
      onSubmit={submit}
      aria-label={`Result of ${call.name}`}
      className="grid grid-cols-[minmax(0,1fr)] gap-3"
      noValidate
    >
      <h3 className="flex min-w-0 items-center gap-2 text-sm">
        <Wrench aria-hidden="true" className="size-4 shrink-0 text-faint" />
        <span className="min-w-0 font-mono text-xs [overflow-wrap:anywhere]">{call.name}</span>
      </h3>
      <CodeBlock
        code={JSON.stringify(call.arguments, null, 2)}
        label={`arguments of ${call.name}`}
      />
      <Field
        label={outcome === "error" ? "Why it failed" : "Result"}
        hint={
          outcome === "error"
            ? "In words: the model reads them."
            : "JSON where it is valid JSON, else text."
        }
        error={problem}
        aside={
          <ToggleGroup
            label={`What became of ${call.name}`}
            value={outcome}
            options={OUTCOMES}
            onChange={setOutcome}
          />
        }
      >
        {(control) => (
          <Textarea
            {...control}
            value={text}
            onChange={(event) => write(event.target.value)}
            className="font-mono text-xs"
          />
        )}
      </Field>
      <div>
        <Button
          type="submit"
          variant="primary"
          loading={post.isPending}
          className="max-sm:h-10 max-sm:w-full"
        >
          Post the result
        </Button>
      </div>
    </form>
  );
}

function readOutput(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Starts a run of an agent once more, on a model and a version that are chosen, and leads to it.
 */
export function ReplayButton({ run }: { run: Run }) {
  const [asked, setAsked] = useState(false);
  if (!isAgentsWork(run.kind)) return null;
  return (
    <>
      <Button onClick={() => setAsked(true)}>
        <RotateCcw aria-hidden="true" />
        Run again…
      </Button>
      <Dialog
        open={asked}
        onOpenChange={setAsked}
        title="Run again"
        description={
          "The same input, workspace and earlier conversation, in a conversation of its own. Its " +
          "tools act again, and it costs credits like any run."
        }
      >
        <ReplayForm run={run} onClose={() => setAsked(false)} />
      </Dialog>
    </>
  );
}

function ReplayForm({ run, onClose }: { run: Run; onClose: () => void }) {
  const router = useRouter();
  const [model, setModel] = useState<ModelId | "">("");
  const [version, setVersion] = useState<number | null>(null);
  const replay = useConsoleMutation(
    () =>
      consoleApi.post("/v1/runs/{run_id}/replay", {
        params: { path: { run_id: run.run_id } },
        body: { ...(model && { model }), ...(version !== null && { version }) },
      }),
    { stale: ["/v1/runs"], onSuccess: (next) => router.push(`/runs/${next.run_id}`) },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    replay.mutate();
  };
  return (
    <form onSubmit={submit} className="grid gap-4">
      <ModelSelect whose="run" value={model} onChange={setModel} />
      {run.agent_id && (
        <VersionSelect agentId={run.agent_id} value={version} onChange={setVersion} />
      )}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" loading={replay.isPending}>
          Run again
        </Button>
      </DialogActions>
    </form>
  );
}

/**
 * A replay beside the run that it repeats: what they ran on, what they cost, and what they
 * answered.
 */
export function ReplayComparison({ run, firstId }: { run: Run; firstId: string }) {
  const { data: first, error } = useConsoleQuery(reads.run(firstId));
  return (
    <Card aria-label="Comparison">
      <CardHeader title="Compared with the run that it repeats" />
      <div className="grid divide-line max-sm:divide-y sm:grid-cols-2 sm:divide-x">
        {first ? (
          <Side run={first} title={<FirstLink runId={firstId} />} />
        ) : (
          <p className="p-4 text-muted text-sm">
            {error
              ? "The first run cannot be read: it may have been deleted."
              : "The first run is being read."}
          </p>
        )}
        <Side run={run} title="This run" />
      </div>
    </Card>
  );
}

function FirstLink({ runId }: { runId: string }) {
  return (
    <Link href={`/runs/${runId}`} className="text-accent underline-offset-4 hover:underline">
      First run
    </Link>
  );
}

function Side({ run, title }: { run: Run; title: ReactNode }) {
  const took =
    run.started_at && run.completed_at
      ? Date.parse(run.completed_at) - Date.parse(run.started_at)
      : null;
  const facts = [
    ["Model", run.model],
    ...(run.agent_id
      ? [["Version", run.agent_version === null ? "Not known" : String(run.agent_version)]]
      : []),
    ["Time", took === null ? "–" : formatDuration(took)],
    ["Credits", formatCredits(run.usage.credits)],
  ];
  return (
    <div className="grid min-w-0 content-start gap-3 p-4">
      <h3 className="flex min-h-6 items-center justify-between gap-3 font-medium text-sm">
        {title}
        <RunStatusBadge status={run.status} waiting={run.requires_action?.type} />
      </h3>
      <dl className="grid gap-1.5 text-sm">
        {facts.map(([name, value]) => (
          <div key={name} className="flex items-baseline justify-between gap-4">
            <dt className="shrink-0 text-faint">{name}</dt>
            <dd className="min-w-0 text-right tabular [overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
      </dl>
      <ScrollRegion
        label={`Answer of ${typeof title === "string" ? "this run" : "the first run"}`}
        className="max-h-72 border-line border-t pt-3 text-sm"
      >
        {run.result ? (
          <Answer text={run.result.text} />
        ) : (
          <p className="text-muted">
            {run.error
              ? run.error.message
              : run.status === "cancelled"
                ? "It was cancelled."
                : "It has no answer yet."}
          </p>
        )}
      </ScrollRegion>
    </div>
  );
}
