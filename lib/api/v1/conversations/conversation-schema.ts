import "server-only";
import { z } from "zod";
import { idField, timeField } from "@/lib/api/v1/schemas/fields";
import type { ConversationView } from "@/lib/domain/conversations/conversation-view";
import type { MessageView } from "@/lib/domain/conversations/list-messages";
import { CONVERSATION_FAMILIES } from "@/lib/model/run/run-status";

const fields = {
  conversation_id: idField,
  family: z
    .enum(CONVERSATION_FAMILIES)
    .meta({ description: "Which runs may continue it: creations and edits, agent runs, or the super-agent's." }),
  title: z.string().meta({ description: "What was said first, cut." }),
  active_run_id: idField.nullable().meta({ description: "The run that has not ended; until then no other is accepted." }),
  created_at: timeField,
  updated_at: timeField,
};

export const conversationSchema = z.object(fields).meta({ id: "Conversation" });

const messageSchema = z
  .object({ message_id: idField, role: z.enum(["user", "assistant"]), text: z.string(), run_id: idField, created_at: timeField })
  .meta({ id: "Message" });

export const conversationWithMessagesSchema = z
  .object({
    ...fields,
    messages: z.array(messageSchema).meta({ description: "The newest ones, in the order in which they were said." }),
    has_more: z.boolean().meta({ description: "There are earlier messages." }),
    next_cursor: z.string().nullable().meta({ description: "`cursor` of the earlier messages." }),
  })
  .meta({ id: "ConversationWithMessages" });

export function toConversation(conversation: ConversationView) {
  return {
    conversation_id: conversation.id,
    family: conversation.family,
    title: conversation.title,
    active_run_id: conversation.activeRunId,
    created_at: conversation.createdAt.toISOString(),
    updated_at: conversation.updatedAt.toISOString(),
  };
}

export function toMessage(message: MessageView) {
  return {
    message_id: message.id,
    role: message.role,
    text: message.text,
    run_id: message.runId,
    created_at: message.createdAt.toISOString(),
  };
}
