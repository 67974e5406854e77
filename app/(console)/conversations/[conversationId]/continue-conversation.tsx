"use client";
import { Card, CardHeader } from "@/components/ui/card";
import { useRunStream } from "@/lib/console/transcript/use-run-stream";
import type { ConversationFamily } from "@/lib/model/run/run-status";
import { useConversationRun } from "../../_conversation/use-conversation-run";
import { LiveRun } from "../../_run/live-run";
import { ContinueBuilding } from "./continue-building";
import { ContinueRunning } from "./continue-running";

interface ContinueConversationProps {
  conversationId: string;
  family: Exclude<ConversationFamily, "super_agent">;
  /** While it has not ended no other run is accepted. */
  activeRunId: string | null;
  lastAgentId: string | null;
  /** The run whose answer stands last among the messages. */
  answered: string | null;
}

/** Goes on with a conversation; the run is shown live until its answer stands among the messages. */
export function ContinueConversation({ conversationId, family, activeRunId, lastAgentId, answered }: ContinueConversationProps) {
  const stream = useRunStream();
  useConversationRun(stream, { conversationId, activeRunId, answered });
  const busy = stream.state !== null && stream.state !== "ended";
  return (
    <>
      <LiveRun stream={stream} label="Run" />
      <Card aria-label="Continue" className="overflow-visible">
        <CardHeader title="Continue this conversation" note={busy ? "once this run has ended" : undefined} />
        <div className="p-4">
          {family === "agent" ? (
            <ContinueRunning
              // An answer empties the form.
              key={answered}
              lastAgentId={lastAgentId}
              busy={busy}
              onRun={(body) => stream.start({ ...body, conversation_id: conversationId })}
            />
          ) : (
            <ContinueBuilding conversationId={conversationId} lastAgentId={lastAgentId} busy={busy} onStarted={stream.follow} />
          )}
        </div>
      </Card>
    </>
  );
}
