"use client";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Textarea } from "@/components/ui/textarea";
import { EXAMPLE_SENTENCES } from "@/lib/console/example-sentences";
import { useRunStream } from "@/lib/console/transcript/use-run-stream";
import { LiveRun } from "../_run/live-run";
import { NewAgentCard } from "../_run/new-agent-card";
import { useStartAgentCreation } from "../_run/use-start-agent-creation";
import { useStreamEnd } from "../_run/use-stream-end";
import { Snippets } from "../_shared/snippets";
import { TwoWays } from "./two-ways";

export function StepAgent() {
  const [input, setInput] = useState<string>(EXAMPLE_SENTENCES[0].sentence);
  const stream = useRunStream();
  useStreamEnd(stream.transcript);
  const create = useStartAgentCreation((run) => stream.follow(run.run_id));
  const { status, agentId, result } = stream.transcript;
  const busy = create.isPending || (stream.state !== null && stream.state !== "ended");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (input.trim()) create.mutate({ input, conversationId: null });
  };
  const here = (
    <form onSubmit={submit} className="grid gap-4">
      <Field label="What should the agent do?">
        {(control) => <Textarea {...control} value={input} onChange={(event) => setInput(event.target.value)} />}
      </Field>
      <div>
        <Button type="submit" look="primary" busy={busy} disabled={!input.trim()}>
          Create agent
        </Button>
      </div>
      {create.error && (
        <Notice tone="danger" title="The agent was not started" alert>
          {create.error.message}
        </Notice>
      )}
    </form>
  );
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <TwoWays here={here} code={<Snippets what="Create an agent" call={{ method: "POST", path: "/v1/agents", body: { input } }} />} />
      <LiveRun stream={stream} label="Agent being built">
        {status === "completed" && agentId && (
          <div className="mt-5">
            <NewAgentCard agentId={agentId} name={result?.agent_name ?? "Your agent"} />
          </div>
        )}
      </LiveRun>
    </div>
  );
}
