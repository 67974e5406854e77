"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { queryKey, reads } from "@/lib/console/reads";
import type { RunStream } from "@/lib/console/transcript/use-run-stream";
import { useStreamEnd } from "../_run/use-stream-end";

interface ConversationState {
  conversationId: string;
  activeRunId: string | null;
  /** The run whose answer stands last among the messages. */
  answered: string | null;
}

/** Keeps a conversation's one live run: the active one is followed, and let go of once its answer stands among the messages. */
export function useConversationRun(stream: RunStream<never>, { conversationId, activeRunId, answered }: ConversationState): void {
  useStreamEnd(stream.transcript);
  useFollowActive(stream, activeRunId);
  useReadAgain(stream, conversationId);
  const { transcript, state, reset } = stream;
  const told = state === "ended" && transcript.runId !== null && transcript.runId === answered;
  useEffect(() => {
    if (told) reset();
  }, [told, reset]);
}

/** Somebody else's run, or one of before a reload, is shown too. */
function useFollowActive({ state, follow }: RunStream<never>, activeRunId: string | null): void {
  useEffect(() => {
    if (activeRunId !== null && state === null) follow(activeRunId);
  }, [activeRunId, state, follow]);
}

/** What the run said belongs to the messages as soon as it was accepted, and again when it has ended. */
function useReadAgain({ transcript: { runId, status } }: RunStream<never>, conversationId: string): void {
  const client = useQueryClient();
  useEffect(() => {
    if (runId === null || status === "pending") return;
    void client.invalidateQueries({ queryKey: queryKey(reads.conversation(conversationId)) });
  }, [client, conversationId, runId, status]);
}
