import type { Block } from "@/lib/console/transcript/block";
import type { Card, RunEvent } from "@/lib/model/run/run-event";

/** Changes the list (never a block in it) by one event. An event of an unknown type changes nothing. */
export function applyBlockEvent(blocks: Block[], event: RunEvent): void {
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
    case "tool.completed": {
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
    case "approval.requested":
    case "approval.resolved": {
      const decision = event.type === "approval.resolved" ? event.decision : null;
      const asked = find(blocks, "approval", event.approval_id)?.block;
      const summary = event.summary || asked?.summary || "";
      const reason = (event.type === "approval.requested" && event.reason) || asked?.reason || null;
      put(blocks, { kind: "approval", id: event.approval_id, toolName: event.tool_name, summary, reason, decision });
      break;
    }
  }
}

type BlockOf<Kind extends Block["kind"]> = Extract<Block, { kind: Kind }>;

/** From the end: what an event is about is nearly always among the last blocks. */
function find<Kind extends Block["kind"]>(blocks: Block[], kind: Kind, id: string): { index: number; block: BlockOf<Kind> } | null {
  for (let index = blocks.length - 1; index >= 0; index -= 1) {
    const block = blocks[index];
    if (block?.kind === kind && block.id === id) return { index, block: block as BlockOf<Kind> }; // the kind was just compared
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

function appendText(blocks: Block[], kind: "message" | "thinking", id: string, delta: string): void {
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
  } else if (card.kind === "todo") put(blocks, { kind: "todo", id, title, items: card.items.filter((item) => "text" in item), done });
  else put(blocks, { kind: "search", id, title, items: card.items.filter((item) => "url" in item), done });
}
