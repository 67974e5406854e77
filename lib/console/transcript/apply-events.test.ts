import { describe, expect, it } from "vitest";
import type { LoggedEvent } from "@/lib/client/schemas";
import {
  applyEvents,
  EMPTY_TRANSCRIPT,
  type Transcript,
} from "@/lib/console/transcript/transcript";
import { expectLinear } from "@/lib/platform/test/expect-linear";

type BodyOf<Event> = Event extends LoggedEvent
  ? Omit<Event, "sequence_number" | "run_id" | "created_at">
  : never;
/** An event without its place in the log. */
type EventBody = BodyOf<LoggedEvent>;

const USAGE = { credits: 1, breakdown: [] };

function apply(bodies: EventBody[], from: Transcript = EMPTY_TRANSCRIPT): Transcript {
  const events = bodies.map(
    (body, index) =>
      ({
        ...body,
        sequence_number: from.lastSequence + 1 + index,
        run_id: "run",
        created_at: `2026-01-01T00:00:${String(index).padStart(2, "0")}.000Z`,
      }) as LoggedEvent, // the compiler does not join the two halves of a union's members
  );
  return applyEvents(from, events);
}

const message = (id: string, replaces?: string): EventBody => ({
  type: "message.created",
  message_id: id,
  role: "assistant",
  replaces,
});
const delta = (id: string, text: string): EventBody => ({
  type: "output_text.delta",
  message_id: id,
  delta: text,
});

describe("the transcript of a run", () => {
  it("joins deltas, and drops a message that was replaced", () => {
    const { blocks } = apply([
      message("a"),
      delta("a", "wro"),
      message("b", "a"),
      delta("b", "ri"),
      delta("b", "ght"),
    ]);
    expect(blocks).toEqual([{ kind: "message", id: "b", text: "right", done: false }]);
  });

  it("says once, in a line of its own, that the context was summed up", () => {
    const compacted = {
      type: "context.compacted",
      messages: 12,
      tokens_before: 9000,
      tokens_after: 400,
    } as const;
    const { blocks } = apply([message("a"), compacted, { ...compacted, messages: 1 }]);
    expect(blocks.slice(1)).toMatchObject([
      { kind: "notice", text: expect.stringContaining("12 messages were summed up") },
      { kind: "notice", text: expect.stringContaining("1 message was") },
    ]);
  });

  it("keeps finished blocks the same objects while another one grows", () => {
    const before = apply([
      message("a"),
      delta("a", "done"),
      { type: "tool.started", tool_call_id: "t", name: "todo" },
      message("b"),
    ]);
    const after = apply([delta("b", "more")], before);
    expect(after.blocks[0]).toBe(before.blocks[0]);
    expect(after.blocks[1]).toBe(before.blocks[1]);
    expect(after.blocks[2]).not.toBe(before.blocks[2]);
    expect(before.blocks[2]).toMatchObject({ text: "" });
  });

  it("updates a card in its place, and keeps the thoughts of a thinking card", () => {
    const card = (status: "in_progress" | "done", done: boolean): EventBody => ({
      type: status === "done" ? "card.updated" : "card.created",
      card: {
        card_id: "c",
        kind: "todo",
        status,
        title: "Plan",
        items: [{ id: "1", text: "Read", done }],
      },
    });
    const thinking: EventBody = {
      type: "card.updated",
      card: { card_id: "k", kind: "thinking", status: "done", title: "", items: [] },
    };
    const { blocks } = apply([
      card("in_progress", false),
      { type: "thinking.delta", card_id: "k", delta: "hm" },
      card("done", true),
      thinking,
    ]);
    expect(blocks).toEqual([
      {
        kind: "todo",
        id: "c",
        title: "Plan",
        items: [{ id: "1", text: "Read", done: true }],
        done: true,
      },
      { kind: "thinking", id: "k", title: "Thinking", text: "hm", done: true },
    ]);
  });

  it("leaves nothing blinking after the end", () => {
    const { blocks, status, error } = apply([
      message("a"),
      { type: "tool.started", tool_call_id: "t", name: "slow" },
      { type: "approval.requested", approval_id: "p", tool_name: "send", summary: "Send it" },
      {
        type: "run.failed",
        status: "failed",
        error: { code: "RUN_CANCELLED", message: "stopped" },
      },
    ]);
    expect(status).toBe("failed");
    expect(error?.code).toBe("RUN_CANCELLED");
    expect(blocks).toMatchObject([{ done: true }, { status: "stopped" }, { decision: "expired" }]);
  });

  it("takes the new agent's id from the end of a creation", () => {
    const created: EventBody = {
      type: "run.created",
      render_protocol: 1,
      status: "pending",
      agent_id: null,
      conversation_id: "c",
    };
    const end: EventBody = {
      type: "run.completed",
      status: "completed",
      result: { text: "", artifacts: [], agent_id: "new" },
      usage: USAGE,
      agent_id: null,
    };
    expect(apply([created, end])).toMatchObject({
      runId: "run",
      agentId: "new",
      conversationId: "c",
      status: "completed",
      usage: USAGE,
    });
  });

  it("passes over a type that it does not know", () => {
    const unknown = {
      type: "hologram.created",
      sequence_number: 0,
      run_id: "run",
      created_at: "2026-01-01T00:00:00.000Z",
    };
    expect(applyEvents(EMPTY_TRANSCRIPT, [unknown as unknown as LoggedEvent])).toMatchObject({
      blocks: [],
      lastSequence: 0,
    }); // not of the contract, by intent
  });

  it("folds deltas at a cost that grows with their number alone", async () => {
    const frame = Array.from({ length: 100 }, () => delta("a", "word "));
    await expectLinear(
      125,
      (frames) => frames,
      (frames) => {
        let transcript = apply([message("a")]);
        for (let count = 0; count < frames; count += 1) transcript = apply(frame, transcript);
        expect(transcript.blocks).toHaveLength(1);
        expect(transcript.blocks[0]).toMatchObject({ text: "word ".repeat(frames * 100) });
      },
    );
  });
});
