import "server-only";
import { type MessageInput, saidText } from "@/lib/model/run/run-message";
import { postgres } from "@/lib/platform/postgres";
import type { TurnContent } from "@/lib/runtime/models/read-turn";

/**
 * The whole transcript of a run as text: each turn's words and the tools that it called, and what
 * was said to it meanwhile, in order; never a tool's input or output.
 */
export async function readTranscript(runId: string): Promise<string> {
  const { rows } = await postgres().query<{ content: TurnContent; said: MessageInput[] | null }>(
    `SELECT t.content, (SELECT jsonb_agg(m.input ORDER BY m.position) FROM run_messages m
       WHERE m.run_id = t.run_id AND m.turn = t.turn AND m.tool_call_id IS NULL) AS said
     FROM run_turns t WHERE t.run_id = $1 ORDER BY t.turn`,
    [runId],
  );
  return rows
    .flatMap(({ content, said }) => [
      ...(said ?? []).map(messageText),
      ...content.flatMap(partText),
    ])
    .join("\n\n");
}

function messageText(input: MessageInput): string {
  return `[message: ${saidText(input)}]`;
}

function partText(part: TurnContent[number]): string[] {
  if (part.type === "text") return [part.text];
  if (part.type === "tool-call") return [`[tool: ${part.toolName}]`];
  return [];
}
