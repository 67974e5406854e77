import type { Artifact, Card, LoggedEvent, RunResult, Usage } from "@/lib/client/schemas";
import type { TodoStatus } from "@/lib/model/run/run-event";

/**
 * One piece of a run's timeline. A block is never changed in place: a new object means that it has
 * to be drawn again.
 */
export type Block =
  | { kind: "message"; id: string; text: string; done: boolean }
  | { kind: "thinking"; id: string; title: string; text: string; done: boolean }
  | {
      kind: "todo";
      id: string;
      title: string;
      items: { id: string; text: string; done: boolean; status?: TodoStatus | undefined }[];
      done: boolean;
    }
  | {
      kind: "search";
      id: string;
      title: string;
      items: { title: string; url: string }[];
      done: boolean;
    }
  | {
      kind: "tool";
      id: string;
      name: string;
      status: "running" | "succeeded" | "failed" | "stopped";
      startedAt: string;
      endedAt: string | null;
    }
  | { kind: "artifact"; id: string; artifact: Artifact }
  | { kind: "notice"; id: string; text: string }
  | { kind: "said"; id: string; text: string }
  | {
      kind: "question";
      id: string;
      runId: string;
      question: string;
      options: readonly string[];
      /** Null while it waits. */
      answer: string | null;
      /** Nobody can answer it any more. */
      over: boolean;
    }
  | {
      kind: "approval";
      id: string;
      toolName: string;
      summary: string;
      reason: string | null;
      decision: "approve" | "reject" | "expired" | null;
    };

/** What a run has shown so far: its event log folded into the pieces that a person sees. */
export interface Transcript {
  runId: string | null;
  agentId: string | null;
  conversationId: string | null;
  status: "pending" | "running" | "completed" | "failed";
  blocks: readonly Block[];
  usage: Usage | null;
  result: RunResult | null;
  error: { code: string; message: string } | null;
  startedAt: string | null;
  endedAt: string | null;
  /** -1 before the first event. */
  lastSequence: number;
}

export const EMPTY_TRANSCRIPT: Transcript = {
  runId: null,
  agentId: null,
  conversationId: null,
  status: "pending",
  blocks: [],
  usage: null,
  result: null,
  error: null,
  startedAt: null,
  endedAt: null,
  lastSequence: -1,
};

/**
 * The transcript after a batch of events. Blocks that none of them touches stay the very same
 * objects.
 */
export function applyEvents(transcript: Transcript, events: readonly LoggedEvent[]): Transcript {
  if (events.length === 0) return transcript;
  const blocks = [...transcript.blocks];
  let next: Transcript = { ...transcript, blocks };
  for (const event of events) {
    applyBlockEvent(blocks, event);
    next = applyLoggedEvent(next, blocks, event);
    next.lastSequence = event.sequence_number;
  }
  return next;
}

function applyLoggedEvent(transcript: Transcript, blocks: Block[], event: LoggedEvent): Transcript {
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
      return {
        ...transcript,
        status: "failed",
        error: event.error,
        usage: event.usage ?? transcript.usage,
        endedAt: event.created_at,
      };
    default:
      return transcript;
  }
}

/** Nothing may go on blinking after the end, whatever the log left open. */
function closeAll(blocks: Block[], at: string): void {
  for (const [index, block] of blocks.entries()) {
    if (block.kind === "tool" && block.status === "running")
      blocks[index] = { ...block, status: "stopped", endedAt: at };
    if ("done" in block && !block.done) blocks[index] = { ...block, done: true };
    if (block.kind === "question" && block.answer === null)
      blocks[index] = { ...block, over: true };
    if (block.kind === "approval" && block.decision === null)
      blocks[index] = { ...block, decision: "expired" };
  }
}

/**
 * Changes the list (never a block in it) by one event. An event of an unknown type changes nothing.
 */
function applyBlockEvent(blocks: Block[], event: LoggedEvent): void {
  switch (event.type) {
    case "message.created":
      if (event.replaces) drop(blocks, "message", event.replaces);
      finishMessages(blocks);
      blocks.push({ kind: "message", id: event.message_id, text: "", done: false });
      break;
    case "output_text.delta":
      appendText(blocks, "message", event.message_id, event.delta);
      break;
    case "thinking.delta":
      appendText(blocks, "thinking", event.card_id, event.delta);
      break;
    case "card.created":
    case "card.updated":
      putCard(blocks, event.card);
      break;
    case "tool.started":
      finishMessages(blocks);
      put(blocks, {
        kind: "tool",
        id: event.tool_call_id,
        name: event.name,
        status: "running",
        startedAt: event.created_at,
        endedAt: null,
      });
      break;
    case "question.asked":
      put(blocks, {
        kind: "question",
        id: event.tool_call_id,
        runId: event.run_id,
        question: event.question,
        options: event.options ?? [],
        answer: null,
        over: false,
      });
      break;
    case "message.received": {
      const asked = event.tool_call_id && find(blocks, "question", event.tool_call_id);
      finishMessages(blocks);
      if (asked) blocks[asked.index] = { ...asked.block, answer: event.text };
      else put(blocks, { kind: "said", id: event.message_id, text: event.text });
      break;
    }
    case "tool.completed": {
      const open = find(blocks, "question", event.tool_call_id);
      if (open && open.block.answer === null) blocks[open.index] = { ...open.block, over: true };
      const begun = find(blocks, "tool", event.tool_call_id)?.block;
      const startedAt = begun?.startedAt ?? event.created_at;
      put(blocks, {
        kind: "tool",
        id: event.tool_call_id,
        name: event.name,
        status: event.status,
        startedAt,
        endedAt: event.created_at,
      });
      break;
    }
    case "artifact.created":
      put(blocks, { kind: "artifact", id: event.artifact.id, artifact: event.artifact });
      break;
    case "connector.unavailable":
      put(blocks, {
        kind: "notice",
        id: event.name,
        text: `${event.message} The run goes on without its tools.`,
      });
      break;
    case "budget.reached":
      put(blocks, {
        kind: "notice",
        id: `budget-${event.sequence_number}`,
        text:
          event.reason === "credits"
            ? `The run waits for credits: its next step needs ${event.required} in the account.`
            : `The run has reached its budget of ${event.max_credits} credits: its next step ` +
              `needs ${event.required}.`,
      });
      break;
    case "budget.raised":
      put(blocks, {
        kind: "notice",
        id: `budget-${event.sequence_number}`,
        text: "There are enough credits: the run goes on.",
      });
      break;
    case "context.compacted":
      put(blocks, {
        kind: "notice",
        id: `compacted-${event.sequence_number}`,
        text:
          "The context grew too long for the model: " +
          `${event.messages === 1 ? "1 message was" : `${event.messages} messages were`} summed ` +
          "up.",
      });
      break;
    case "approval.requested":
    case "approval.resolved": {
      const decision = event.type === "approval.resolved" ? event.decision : null;
      const asked = find(blocks, "approval", event.approval_id)?.block;
      const summary = event.summary || asked?.summary || "";
      const reason = (event.type === "approval.requested" && event.reason) || asked?.reason || null;
      put(blocks, {
        kind: "approval",
        id: event.approval_id,
        toolName: event.tool_name,
        summary,
        reason,
        decision,
      });
      break;
    }
  }
}

type BlockOf<Kind extends Block["kind"]> = Extract<Block, { kind: Kind }>;

/** From the end: what an event is about is nearly always among the last blocks. */
function find<Kind extends Block["kind"]>(
  blocks: Block[],
  kind: Kind,
  id: string,
): { index: number; block: BlockOf<Kind> } | null {
  for (let index = blocks.length - 1; index >= 0; index -= 1) {
    const block = blocks[index];
    // The kind was just compared.
    if (block?.kind === kind && block.id === id) return { index, block: block as BlockOf<Kind> };
  }
  return null;
}

function put(blocks: Block[], block: Block): void {
  const found = find(blocks, block.kind, block.id);
  if (found) blocks[found.index] = block;
  else blocks.push(block);
}

function drop(blocks: Block[], kind: Block["kind"], id: string): void {
  const found = find(blocks, kind, id);
  if (found) blocks.splice(found.index, 1);
}

function appendText(
  blocks: Block[],
  kind: "message" | "thinking",
  id: string,
  delta: string,
): void {
  const found = find(blocks, kind, id);
  if (found) blocks[found.index] = { ...found.block, text: found.block.text + delta };
  else if (kind === "message") blocks.push({ kind, id, text: delta, done: false });
  else blocks.push({ kind, id, title: "Thinking", text: delta, done: false });
}

function finishMessages(blocks: Block[]): void {
  for (let index = blocks.length - 1; index >= 0; index -= 1) {
    const block = blocks[index];
    if (block?.kind !== "message") continue;
    if (block.done) return;
    blocks[index] = { ...block, done: true };
  }
}

function putCard(blocks: Block[], card: Card): void {
  const { card_id: id, title } = card;
  const done = card.status === "done";
  if (card.kind === "thinking") {
    const text = find(blocks, "thinking", id)?.block.text ?? "";
    put(blocks, { kind: "thinking", id, title: title || "Thinking", text, done });
  } else if (card.kind === "todo")
    put(blocks, {
      kind: "todo",
      id,
      title,
      items: card.items.filter((item) => "text" in item),
      done,
    });
  else
    put(blocks, {
      kind: "search",
      id,
      title,
      items: card.items.filter((item) => "url" in item),
      done,
    });
}
