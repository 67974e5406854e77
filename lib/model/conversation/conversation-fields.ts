import { z } from "zod";
import {
  boolean,
  computed,
  field,
  nullable,
  text,
  time,
  uuid,
} from "@/lib/model/fields/field-table";
import { EXAMPLE_IDS, idField, timeField } from "@/lib/model/fields/shared-fields";
import { CONVERSATION_FAMILIES, type ConversationFamily } from "@/lib/model/run/run-kind";

/** What a conversation is made of, beside its messages. */
export const CONVERSATION_FIELDS = {
  id: field(uuid, {
    wire: "conversation_id",
    shown: idField,
    example: EXAMPLE_IDS.conversation_id,
  }),
  accountId: field(uuid, { inner: true }),
  family: field(text<ConversationFamily>(), {
    shown: z.enum(CONVERSATION_FAMILIES).meta({
      description:
        "Which runs may continue it: creations and edits, agent runs, or the super-agent's.",
    }),
    example: "agent",
  }),
  endUser: field(nullable(text()), {
    shown: z.string().nullable().meta({
      description: "The person whose it is: only runs for them continue it. Null: nobody's yet.",
    }),
    example: null,
  }),
  title: field(computed<string>(), {
    shown: z.string().meta({ description: "What was said first, cut." }),
    example: "What were the best three months?",
  }),
  activeRunId: field(nullable(uuid), {
    shown: idField
      .nullable()
      .meta({ description: "The run that has not ended; until then no other is accepted." }),
    example: null,
  }),
  seenPrivate: field(boolean, { inner: true }),
  createdAt: field(time, { shown: timeField, example: "2026-01-31T09:30:00.000Z" }),
  updatedAt: field(time, { shown: timeField, example: "2026-01-31T09:30:04.250Z" }),
};
