import "server-only";
import { z } from "zod";
import { operation, toList } from "@/lib/api/http/operation";
import {
  EXAMPLE_IDS,
  examplePage,
  idField,
  listOf,
  listQuery,
  timeField,
} from "@/lib/api/schemas/fields";
import { wireOf } from "@/lib/api/schemas/noun-wire";
import { getConversation } from "@/lib/domain/conversations/conversation-view";
import { deleteConversation } from "@/lib/domain/conversations/delete-conversation";
import { listConversations } from "@/lib/domain/conversations/list-conversations";
import { listMessages, type MessageView } from "@/lib/domain/conversations/list-messages";
import { CONVERSATION_FIELDS } from "@/lib/model/conversation/conversation-fields";
import { namedEndUserField } from "@/lib/model/end-user";
import { LIST_MAX_ROWS } from "@/lib/model/limits";
import { CONVERSATION_FAMILIES } from "@/lib/model/run/run-kind";

const WIRE = wireOf(CONVERSATION_FIELDS);
const conversationSchema = z.object(WIRE.shown).meta({ id: "Conversation" });

const messageSchema = z
  .object({
    message_id: idField,
    role: z.enum(["user", "assistant"]),
    text: z.string(),
    run_id: idField,
    created_at: timeField,
  })
  .meta({ id: "Message" });

const conversationWithMessagesSchema = z
  .object({
    ...WIRE.shown,
    messages: z
      .array(messageSchema)
      .meta({ description: "The newest ones, in the order in which they were said." }),
    has_more: z.boolean().meta({ description: "There are earlier messages." }),
    next_cursor: z.string().nullable().meta({ description: "`cursor` of the earlier messages." }),
  })
  .meta({ id: "ConversationWithMessages" });

function toMessage(message: MessageView) {
  return {
    message_id: message.id,
    role: message.role,
    text: message.text,
    run_id: message.runId,
    created_at: message.createdAt.toISOString(),
  };
}

const CONVERSATION = "/v1/conversations/{conversation_id}";
const params = z.object({ conversation_id: idField });

const EXAMPLE_MESSAGES = {
  messages: [
    {
      message_id: EXAMPLE_IDS.message_id,
      role: "user",
      text: "What were the best three months?",
      run_id: EXAMPLE_IDS.run_id,
      created_at: WIRE.example.created_at,
    },
  ],
  has_more: false,
  next_cursor: null,
};

const listConversationsOperation = operation({
  method: "GET",
  path: "/v1/conversations",
  operationId: "listConversations",
  tag: "Conversations",
  summary: "List conversations",
  description:
    "The account's conversations, newest first, without their messages. Those of the " +
    "super-agent only where the account may use it.",
  query: z.object({
    ...listQuery,
    family: z
      .enum(CONVERSATION_FAMILIES, `must be one of ${CONVERSATION_FAMILIES.join(", ")}`)
      .optional()
      .meta({ description: "Only this family.", examples: ["agent"] }),
    end_user: namedEndUserField.optional().meta({ description: "Only those of this person." }),
  }),
  responses: [
    {
      status: 200,
      description: "A page of conversations.",
      schema: listOf(conversationSchema),
      examples: examplePage(WIRE.example),
    },
  ],
  errors: ["INVALID_INPUT"],
  async handle({ principal, query }) {
    const { family = null, end_user: endUser = null } = query;
    return {
      status: 200,
      body: toList(await listConversations(principal, query, family, endUser), WIRE.toWire),
    };
  },
});

const getConversationOperation = operation({
  method: "GET",
  path: CONVERSATION,
  operationId: "getConversation",
  tag: "Conversations",
  summary: "Fetch a conversation",
  description:
    `The conversation with its newest messages, at most \`limit\` (${LIST_MAX_ROWS} by default) ` +
    "and 4 MiB of text, in the order in which they were said. `cursor` leads to the earlier ones.",
  params,
  query: z.object({
    ...listQuery,
    limit: listQuery.limit.unwrap().default(LIST_MAX_ROWS).meta(limitMeta()),
  }),
  responses: [
    {
      status: 200,
      description: "The conversation.",
      schema: conversationWithMessagesSchema,
      examples: { messages: { ...WIRE.example, ...EXAMPLE_MESSAGES } },
    },
  ],
  errors: ["INVALID_INPUT", "CONVERSATION_NOT_FOUND"],
  async handle({ principal, params: { conversation_id: id }, query }) {
    const conversation = await getConversation(principal, id);
    const { messages, nextCursor } = await listMessages(id, query);
    const body = {
      ...WIRE.toWire(conversation),
      messages: messages.map(toMessage),
      has_more: nextCursor !== null,
      next_cursor: nextCursor,
    };
    return { status: 200, body };
  },
});

const deleteConversationOperation = operation({
  method: "DELETE",
  path: CONVERSATION,
  operationId: "deleteConversation",
  tag: "Conversations",
  summary: "Delete a conversation",
  description:
    "Forgets the conversation and its messages; its runs stay readable. While a run of it " +
    "has not ended: 409.",
  params,
  responses: [{ status: 204, description: "Deleted." }],
  errors: ["INVALID_INPUT", "CONVERSATION_NOT_FOUND", "CONVERSATION_BUSY"],
  async handle({ principal, params: { conversation_id: id } }) {
    await deleteConversation(principal, id);
    return { status: 204 };
  },
});

function limitMeta() {
  const bounds = {
    type: "integer" as const,
    minimum: 1,
    maximum: LIST_MAX_ROWS,
    default: LIST_MAX_ROWS,
  };
  return { description: "Messages a page.", override: bounds };
}

export const CONVERSATION_OPERATIONS = [
  listConversationsOperation,
  getConversationOperation,
  deleteConversationOperation,
];
