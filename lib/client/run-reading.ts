import type { AppEvent } from "./app-events";
import type { components } from "./openapi-types";

type Schemas = components["schemas"];

/** A run as far as its events have been read: what a page shows of it. */
export interface RunReading {
  status: "running" | "completed" | "failed" | "cancelled";
  conversationId: string | null;
  /** What the agent says: of the run at work its newest message so far, at the end the answer. */
  text: string;
  /** The tools that it has called, in order. */
  tools: { toolCallId: string; name: string; status: "running" | "succeeded" | "failed" }[];
  /** Who is asked, while a person must decide. */
  approval: { approvalId: string; toolName: string; summary: string } | null;
  /** What the person is asked; what is sent next is the answer. */
  question: { question: string; options: string[] } | null;
  result: Schemas["AppRunResult"] | null;
  error: { code: string; message: string } | null;
  /** What to go on after. */
  lastSequenceNumber: number;
}

export function newReading(): RunReading {
  return {
    status: "running",
    conversationId: null,
    text: "",
    tools: [],
    approval: null,
    question: null,
    result: null,
    error: null,
    lastSequenceNumber: -1,
  };
}

/** The reading after one more event. Events that it does not know change nothing but the number. */
export function readEvent(reading: RunReading, event: AppEvent): RunReading {
  return { ...reading, lastSequenceNumber: event.sequenceNumber, ...changesBy(reading, event) };
}

function changesBy(reading: RunReading, event: AppEvent): Partial<RunReading> {
  switch (event.type) {
    case "run.created":
      return { conversationId: event.conversationId };
    case "message.created":
      return { text: "" };
    case "output_text.delta":
      return { text: reading.text + event.delta };
    case "tool.started": {
      const { toolCallId, name } = event;
      return { tools: [...reading.tools, { toolCallId, name, status: "running" }] };
    }
    case "tool.completed":
      return {
        ...(reading.question && { question: null }),
        tools: reading.tools.map((tool) =>
          tool.toolCallId === event.toolCallId ? { ...tool, status: event.status } : tool,
        ),
      };
    case "approval.requested": {
      const { approvalId, toolName, summary } = event;
      return { approval: { approvalId, toolName, summary } };
    }
    case "approval.resolved":
      return event.approvalId === reading.approval?.approvalId ? { approval: null } : {};
    case "question.asked":
      return { question: { question: event.question, options: event.options ?? [] } };
    case "run.completed":
      return { status: "completed", approval: null, result: event.result, text: event.result.text };
    case "run.failed":
      return {
        status: event.error.code === "RUN_CANCELLED" ? "cancelled" : "failed",
        approval: null,
        question: null,
        error: event.error,
      };
    default:
      return {};
  }
}
