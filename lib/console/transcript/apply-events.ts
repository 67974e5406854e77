import { applyBlockEvent } from "@/lib/console/transcript/apply-block-event";
import type { Block } from "@/lib/console/transcript/block";
import type { Transcript } from "@/lib/console/transcript/transcript";
import type { RunEvent } from "@/lib/model/run/run-event";

/** The transcript after a batch of events. Blocks that none of them touches stay the very same objects. */
export function applyEvents(transcript: Transcript, events: readonly RunEvent[]): Transcript {
  if (events.length === 0) return transcript;
  const blocks = [...transcript.blocks];
  let next: Transcript = { ...transcript, blocks };
  for (const event of events) {
    applyBlockEvent(blocks, event);
    next = applyRunEvent(next, blocks, event);
    next.lastSequence = event.sequence_number;
  }
  return next;
}

function applyRunEvent(transcript: Transcript, blocks: Block[], event: RunEvent): Transcript {
  switch (event.type) {
    case "run.created":
      return {
        ...transcript,
        runId: event.run_id,
        agentId: event.agent_id,
        conversationId: event.conversation_id,
        status: "running",
        startedAt: event.created_at,
      };
    case "usage.updated":
      return { ...transcript, usage: event.usage };
    case "run.completed":
      closeAll(blocks, event.created_at);
      return {
        ...transcript,
        status: "completed",
        result: event.result,
        usage: event.usage,
        agentId: event.agent_id ?? event.result.agent_id ?? transcript.agentId,
        endedAt: event.created_at,
      };
    case "run.failed":
      closeAll(blocks, event.created_at);
      return { ...transcript, status: "failed", error: event.error, usage: event.usage ?? transcript.usage, endedAt: event.created_at };
    default:
      return transcript;
  }
}

/** Nothing may go on blinking after the end, whatever the log left open. */
function closeAll(blocks: Block[], at: string): void {
  for (const [index, block] of blocks.entries()) {
    if (block.kind === "tool" && block.status === "running") blocks[index] = { ...block, status: "stopped", endedAt: at };
    if ("done" in block && !block.done) blocks[index] = { ...block, done: true };
    if (block.kind === "approval" && block.decision === null) blocks[index] = { ...block, decision: "expired" };
  }
}
