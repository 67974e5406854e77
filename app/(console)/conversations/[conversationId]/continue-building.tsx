"use client";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Textarea } from "@/components/ui/textarea";
import { consolePaths } from "@/lib/console/console-paths";
import { requestConsoleJson } from "@/lib/console/request-console-json";
import { useConsoleMutation } from "@/lib/console/use-console-mutation";

interface ContinueBuildingProps {
  conversationId: string;
  /** The agent that the conversation made or changed last; null when there is none yet. */
  lastAgentId: string | null;
  busy: boolean;
  onStarted: (runId: string) => void;
}

/** The next sentence of a conversation that builds an agent: an edit of it, or another try where there is none yet. */
export function ContinueBuilding({ conversationId, lastAgentId, busy, onStarted }: ContinueBuildingProps) {
  const [input, setInput] = useState("");
  const path = lastAgentId ? `${consolePaths.agent(lastAgentId)}/edits` : "v1/agents";
  const send = useConsoleMutation(
    () => requestConsoleJson<{ run_id: string }>(path, { method: "POST", body: { input, conversation_id: conversationId } }),
    {
      stale: ["v1/runs"],
      quiet: true,
      onSuccess: (run) => {
        setInput("");
        onStarted(run.run_id);
      },
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (input.trim()) send.mutate();
  };
  return (
    <form onSubmit={submit} className="grid gap-4">
      {send.error && (
        <Notice tone="danger" title="This was not accepted" alert>
          {send.error.message}
        </Notice>
      )}
      <Field label={lastAgentId ? "What should change?" : "What should the agent do?"}>
        {(control) => <Textarea {...control} value={input} onChange={(event) => setInput(event.target.value)} />}
      </Field>
      <div>
        <Button type="submit" look="primary" busy={busy || send.isPending} disabled={!input.trim()}>
          {lastAgentId ? "Start edit" : "Create agent"}
        </Button>
      </div>
    </form>
  );
}
