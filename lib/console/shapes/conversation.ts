import type { ConversationFamily } from "@/lib/model/run/run-status";

/** A conversation as lists carry it (contract §2). */
export interface Conversation {
  conversation_id: string;
  family: ConversationFamily;
  /** What was said first, cut. */
  title: string;
  /** The run that has not ended. */
  active_run_id: string | null;
  created_at: string;
  updated_at: string;
}

export interface Message {
  message_id: string;
  role: "user" | "assistant";
  text: string;
  run_id: string;
  created_at: string;
}

/** One conversation with its newest messages, in the order in which they were said; the cursor leads to the earlier ones. */
export interface ConversationWithMessages extends Conversation {
  messages: Message[];
  has_more: boolean;
  next_cursor: string | null;
}
