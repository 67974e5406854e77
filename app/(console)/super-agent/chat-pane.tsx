"use client";
import { useEffect, useRef } from "react";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { SUPER_AGENT_RUN_ROUTES } from "@/lib/console/run-routes";
import { useRunStream } from "@/lib/console/transcript/use-run-stream";
import { LiveRun } from "../_run/live-run";
import { Composer } from "./composer";
import { ConversationSoFar } from "./conversation-so-far";

interface ChatPaneProps {
  /** Null until the first message was accepted. */
  conversationId: string | null;
  onBegun: (conversationId: string) => void;
  /** The address let go of the conversation that began here. */
  onLeft: () => void;
}

/** One conversation with the super-agent: what was said, the run that answers, and the next message. */
export function ChatPane({ conversationId, onBegun, onLeft }: ChatPaneProps) {
  const stream = useRunStream(SUPER_AGENT_RUN_ROUTES);
  const { transcript, state } = stream;
  const begun = transcript.conversationId;
  useEffect(() => {
    if (begun !== null) onBegun(begun);
  }, [begun, onBegun]);
  const shown = useRef(conversationId);
  useEffect(() => {
    if (shown.current !== null && conversationId === null) onLeft();
    shown.current = conversationId;
  }, [conversationId, onLeft]);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      {conversationId === null ? (
        state === null && (
          <Card aria-label="Messages">
            <EmptyState title="What should be done?" seed="super-agent">
              Ask it what your agents did, have it build one or change one, or let it run several and sum up what they found. The runs that
              it starts stand among your runs, and what they cost is part of this one's bound.
            </EmptyState>
          </Card>
        )
      ) : (
        <ConversationSoFar conversationId={conversationId} stream={stream} />
      )}
      <LiveRun stream={stream} label="The super-agent's run" />
      <Composer
        acceptedRunId={transcript.runId}
        busy={state !== null && state !== "ended"}
        onSend={(body) => stream.start({ ...body, ...(conversationId ? { conversation_id: conversationId } : {}) })}
      />
    </div>
  );
}
