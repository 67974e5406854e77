"use client";

import { Wrench } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { Field } from "@/components/ui/field";
import { Textarea } from "@/components/ui/textarea";
import { ToggleGroup } from "@/components/ui/toggle-group";
import type { Run } from "@/lib/client/schemas";
import { consoleApi } from "@/lib/console/api";
import { useConsoleMutation } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";

type Action = NonNullable<Run["requires_action"]>;
type ClientCall = Extract<Action, { type: "client_tool" }>["calls"][number];

/** The calls of client tools that a run waits for: what each was given, and a form to answer it by hand. */
export function ClientCalls({ run }: { run: Run }) {
  const action = run.requires_action;
  if (action?.type !== "client_tool") return null;
  return (
    <Card aria-label="Waiting calls">
      <CardHeader title="Waits for results" note={`${action.calls.length} ${action.calls.length === 1 ? "call" : "calls"}`} />
      <p className="px-4 pt-3.5 text-muted text-sm">
        Tools that the program which started this run carries out. If it does not, answer here: the run goes on with the last one.
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
      missing ? (outcome === "error" ? "Say why the call was not carried out." : "Write what the tool answers: text or JSON.") : null,
    );
    if (!missing) post.mutate();
  };
  return (
    <form onSubmit={submit} aria-label={`Result of ${call.name}`} className="grid grid-cols-[minmax(0,1fr)] gap-3" noValidate>
      <h3 className="flex min-w-0 items-center gap-2 text-sm">
        <Wrench aria-hidden="true" className="size-4 shrink-0 text-faint" />
        <span className="min-w-0 font-mono text-xs [overflow-wrap:anywhere]">{call.name}</span>
      </h3>
      <CodeBlock code={JSON.stringify(call.arguments, null, 2)} label={`arguments of ${call.name}`} />
      <Field
        label={outcome === "error" ? "Why it failed" : "Result"}
        hint={outcome === "error" ? "In words: the model reads them." : "JSON where it is valid JSON, else text."}
        error={problem}
        aside={<ToggleGroup label={`What became of ${call.name}`} value={outcome} options={OUTCOMES} onChange={setOutcome} />}
      >
        {(control) => <Textarea {...control} value={text} onChange={(event) => write(event.target.value)} className="font-mono text-xs" />}
      </Field>
      <div>
        <Button type="submit" variant="primary" loading={post.isPending} className="max-sm:h-10 max-sm:w-full">
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
