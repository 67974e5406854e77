"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Card, CardHeader } from "@/components/ui/card";
import { consolePaths } from "@/lib/console/console-paths";
import { queryKey } from "@/lib/console/query-key";
import { type RunStream, useRunStream } from "@/lib/console/transcript/use-run-stream";
import type { ConversationFamily } from "@/lib/model/run/run-status";
import { LiveRun } from "../../_run/live-run";
import { useStreamEnd } from "../../_run/use-stream-end";
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
  useStreamEnd(stream.transcript);
  useFollowActive(stream, activeRunId);
  useReadAgain(stream, conversationId);
  const { transcript, state, reset } = stream;
  const told = state === "ended" && transcript.runId !== null && transcript.runId === answered;
  useEffect(() => {
    if (told) reset();
  }, [told, reset]);
  const busy = state !== null && state !== "ended";
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

/** Somebody else's run, or one of before a reload, is shown too. */
function useFollowActive({ state, follow }: RunStream, activeRunId: string | null): void {
  useEffect(() => {
    if (activeRunId !== null && state === null) follow(activeRunId);
  }, [activeRunId, state, follow]);
}

/** What the run said belongs to the messages as soon as it was accepted, and again when it has ended. */
function useReadAgain({ transcript: { runId, status } }: RunStream, conversationId: string): void {
  const client = useQueryClient();
  useEffect(() => {
    if (runId === null || status === "pending") return;
    void client.invalidateQueries({ queryKey: queryKey(consolePaths.conversation(conversationId)) });
  }, [client, conversationId, runId, status]);
}
