import "server-only";
import { postgres } from "@/lib/platform/postgres";
import type { TurnContent } from "@/lib/runtime/models/read-turn";

/**
 * The whole transcript of a run as text: each turn's words and the tools that it called, in order;
 * never a tool's input or output.
 */
export async function readTranscript(runId: string): Promise<string> {
  const { rows } = await postgres().query<{ content: TurnContent }>(
    "SELECT content FROM run_turns WHERE run_id = $1 ORDER BY turn",
    [runId],
  );
  return rows.flatMap(({ content }) => content.flatMap(partText)).join("\n\n");
}

function partText(part: TurnContent[number]): string[] {
  if (part.type === "text") return [part.text];
  if (part.type === "tool-call") return [`[tool: ${part.toolName}]`];
  return [];
}
