"use client";
import { useMemo } from "react";
import { consolePaths } from "@/lib/console/console-paths";
import type { Page } from "@/lib/console/shapes/page";
import type { Run } from "@/lib/console/shapes/run";
import type { RunStream } from "@/lib/console/transcript/use-run-stream";
import { useConsoleQuery } from "@/lib/console/use-console-query";
import { Messages } from "../_conversation/messages";
import { useConversation } from "../_conversation/use-conversation";
import { useConversationRun } from "../_conversation/use-conversation-run";

/** What was said before; a run that is still active is followed in `stream`. */
export function ConversationSoFar({ conversationId, stream }: { conversationId: string; stream: RunStream }) {
  const conversation = useConversation(conversationId);
  const { data } = useConsoleQuery<Page<Run>>(consolePaths.superAgentRuns({ conversation_id: conversationId }));
  const runs = useMemo(() => new Map(data?.data.map((run) => [run.run_id, run])), [data]);
  const answered = conversation.messages?.findLast((message) => message.role === "assistant")?.run_id ?? null;
  useConversationRun(stream, { conversationId, activeRunId: conversation.activeRunId, answered });
  return <Messages conversation={conversation} family="super_agent" runs={runs} />;
}
