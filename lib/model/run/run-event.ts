import type { RunFailureCode } from "@/lib/model/run/run-failure";
import type { MessageTime } from "@/lib/model/run/run-message";
import type { Artifact, RunResult, Usage } from "@/lib/model/run/run-result";

/**
 * The lines of a run's stream (contract §3). One log serves streams, resumption, the console and
 * `raw_output`.
 */
export interface Card {
  card_id: string;
  kind: "thinking" | "search" | "todo";
  status: "in_progress" | "done";
  title: string;
  items: CardItem[];
}
export const TODO_STATUSES = ["pending", "in_progress", "done"] as const;
export type TodoStatus = (typeof TODO_STATUSES)[number];
export type CardItem =
  /** `status` is absent in cards of an older version. */
  { id: string; text: string; done: boolean; status?: TodoStatus } | { title: string; url: string };

/** An event before the log has numbered it. */
export type RunEventBody =
  | {
      type: "run.created";
      render_protocol: 1;
      status: string;
      agent_id: string | null;
      conversation_id: string | null;
    }
  | { type: "message.created"; message_id: string; role: "assistant"; replaces?: string }
  | { type: "output_text.delta"; message_id: string; delta: string }
  | { type: "thinking.delta"; card_id: string; delta: string }
  | { type: "card.created" | "card.updated"; card: Card }
  | { type: "tool.started"; tool_call_id: string; name: string }
  | { type: "tool.completed"; tool_call_id: string; name: string; status: "succeeded" | "failed" }
  | { type: "artifact.created"; artifact: Artifact }
  | {
      type: "approval.requested";
      approval_id: string;
      tool_name: string;
      summary: string;
      reason?: string;
      replaces?: string;
    }
  | {
      type: "approval.resolved";
      approval_id: string;
      tool_name: string;
      summary: string;
      decision: "approve" | "reject" | "expired";
    }
  | { type: "client_tool.requested"; calls: { tool_call_id: string; name: string }[] }
  | {
      type: "budget.reached";
      /** `credits`: the account lacks them, not the run's limit. */
      reason: "budget" | "credits";
      spent: number;
      required: number;
      max_credits: number | null;
    }
  | { type: "budget.raised" }
  | { type: "question.asked"; tool_call_id: string; question: string; options?: string[] }
  | {
      type: "message.received";
      message_id: string;
      role: "user";
      when: MessageTime;
      text: string;
      /** The question that it answers. */
      tool_call_id?: string;
    }
  | { type: "connector.unavailable"; name: string; message: string }
  | { type: "context.compacted"; messages: number; tokens_before: number; tokens_after: number }
  | { type: "usage.updated"; usage: Usage }
  | {
      type: "run.completed";
      status: "completed";
      result: RunResult;
      usage: Usage;
      agent_id: string | null;
    }
  | {
      type: "run.failed";
      status: "failed";
      error: { code: RunFailureCode; message: string };
      usage?: Usage;
    };

/** A line as it is stored and streamed. `created_at` is RFC 3339 in UTC. */
export type RunEvent = RunEventBody & {
  sequence_number: number;
  run_id: string;
  created_at: string;
};

export function isTerminalEvent(type: string): boolean {
  return type === "run.completed" || type === "run.failed";
}
