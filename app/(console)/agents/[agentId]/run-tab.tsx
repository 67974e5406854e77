"use client";
import { MessagesSquare, X } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import type { AgentRecord } from "@/lib/console/shapes/agent";
import { useRunStream } from "@/lib/console/transcript/use-run-stream";
import { LiveRun } from "../../_run/live-run";
import { RunForm } from "../../_run/run-form";
import { useStreamEnd } from "../../_run/use-stream-end";

/** Runs the agent here and now, and goes on with the conversation when asked to. */
export function RunTab({ agent }: { agent: AgentRecord }) {
  const stream = useRunStream();
  const [conversationId, setConversationId] = useState<string | null>(null);
  useStreamEnd(stream.transcript);
  if (agent.status === "archived") {
    return <p className="text-muted text-sm">An archived agent cannot be run. What it did before stands under Runs.</p>;
  }
  const { transcript, state } = stream;
  const follows = transcript.conversationId !== null && state === "ended" && conversationId !== transcript.conversationId;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,22rem)_minmax(0,1fr)]">
      <Card aria-label="Inputs" className="overflow-visible p-4">
        {conversationId && <ConversationChip onEnd={() => setConversationId(null)} />}
        <RunForm
          schema={agent.inputs_schema}
          busy={state !== null && state !== "ended"}
          onRun={(body) =>
            stream.start({ agent_id: agent.agent_id, ...body, ...(conversationId ? { conversation_id: conversationId } : {}) })
          }
        />
      </Card>
      <div className="min-w-0">
        {state === null && <RunPlace />}
        <LiveRun stream={stream} label="Run">
          {follows && (
            <div className="mt-5 border-line border-t pt-4">
              <Button size="small" onClick={() => setConversationId(transcript.conversationId)}>
                <MessagesSquare aria-hidden="true" />
                Continue this conversation
              </Button>
            </div>
          )}
        </LiveRun>
      </div>
    </div>
  );
}

function RunPlace() {
  return (
    <div className="grid min-h-48 place-items-center rounded-lg border border-line-strong border-dashed px-6 py-10 text-center">
      <p className="max-w-xs text-balance text-muted text-sm">
        The run appears here as it happens: what the agent says, the tools it uses, the files it makes.
      </p>
    </div>
  );
}

function ConversationChip({ onEnd }: { onEnd: () => void }) {
  return (
    <p className="mb-4 flex items-center gap-2 rounded-md border border-accent-line bg-accent-soft px-2.5 py-1 text-accent text-xs">
      <MessagesSquare aria-hidden="true" className="size-3.5" />
      Continues the conversation
      <button
        type="button"
        aria-label="Start a new conversation"
        onClick={onEnd}
        className="ml-auto grid size-6 place-items-center rounded-sm"
      >
        <X aria-hidden="true" className="size-3.5" />
      </button>
    </p>
  );
}
