"use client";
import { parseAsString, useQueryState } from "nuqs";
import { useEffect, useState } from "react";
import { Notice } from "@/components/ui/notice";
import { useRunStream } from "@/lib/console/transcript/use-run-stream";
import { isUuid } from "@/lib/model/uuid";
import { LiveRun } from "../../_run/live-run";
import { NewAgentCard } from "../../_run/new-agent-card";
import { useStartAgentCreation } from "../../_run/use-start-agent-creation";
import { useStreamEnd } from "../../_run/use-stream-end";
import { ExampleSentences } from "./example-sentences";
import { PromptBox } from "./prompt-box";

/** From a sentence to an agent, live. The run's id stands in the address, so that a reload goes on watching. */
export function AgentBuilder({ initialInput, initialConversationId }: { initialInput: string; initialConversationId: string | null }) {
  const [input, setInput] = useState(initialInput);
  const [runId, setRunId] = useQueryState("run", parseAsString);
  const stream = useRunStream();
  const { follow, transcript } = stream;
  useStreamEnd(transcript);
  const create = useStartAgentCreation((run) => {
    setInput("");
    void setRunId(run.run_id);
  });
  useEffect(() => {
    if (runId && isUuid(runId)) follow(runId);
  }, [runId, follow]);
  const conversationId = transcript.conversationId ?? initialConversationId;
  const busy = create.isPending || (stream.state !== null && stream.state !== "ended");
  const isFollowUp = conversationId !== null && transcript.status !== "pending";
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <LiveRun stream={stream} label="Agent being built">
        {transcript.status === "completed" && transcript.agentId && (
          <div className="mt-5">
            <NewAgentCard agentId={transcript.agentId} name={transcript.result?.agent_name ?? "Your agent"} />
          </div>
        )}
      </LiveRun>
      {create.error && (
        <Notice tone="danger" title="The agent was not started" alert>
          {create.error.message}
        </Notice>
      )}
      {!busy && (
        <PromptBox
          value={input}
          onChange={setInput}
          label={isFollowUp ? "Say more" : "What should the agent do?"}
          placeholder={isFollowUp ? "Say what to do differently; the conversation so far is kept." : "An agent that reads … and writes …"}
          action={isFollowUp ? "Send" : "Create agent"}
          onSubmit={() => create.mutate({ input, conversationId })}
        />
      )}
      {stream.state === null && !busy && <ExampleSentences onPick={setInput} />}
    </div>
  );
}
