import "server-only";
import { z } from "zod";
import type { Call } from "@/lib/api/http/operation";
import { EXAMPLE_IDS, idField, timeField } from "@/lib/api/schemas/fields";
import type { RunMessageView } from "@/lib/domain/runs/list-run-messages";
import { hashRequest } from "@/lib/domain/runs/request-run";
import type { AcceptedMessage, MessageRequest } from "@/lib/domain/runs/send-message";
import type { ErrorCode } from "@/lib/model/errors";
import { INPUT_MAX_BYTES, INPUT_MAX_CHARACTERS } from "@/lib/model/limits";
import { inputField } from "@/lib/model/run/run-fields";
import { MESSAGE_TIMES } from "@/lib/model/run/run-message";
import { textOf } from "@/lib/model/text-of";

const said = textOf(INPUT_MAX_CHARACTERS, { min: 1 }).refine(
  (text) => Buffer.byteLength(text, "utf8") <= INPUT_MAX_BYTES,
  `must have at most ${INPUT_MAX_BYTES} bytes of UTF-8`,
);

/** A message as a body says it; both surfaces name it alike. */
const messageFields = {
  input: z.union([said, inputField], "must be a text or an object").meta({
    description: "What is said: a text, or named inputs as the run was started with.",
    example: "Leave the appendix out.",
  }),
  when: z
    .enum(MESSAGE_TIMES)
    .default("next_step")
    .meta({
      description:
        "`next_step`: the model is shown it with its next turn. `after`: it becomes the next " +
        "run of the conversation, of the same agent in the same workspace.",
    }),
};

/**
 * What a message for later may be refused with beside what every message is: it becomes a run like
 * any other, for which the account must be good still. Its workspace may be gone by then, and the
 * conversation of a run that ends at this moment.
 */
export const NEXT_RUN_ERRORS = [
  "WORKSPACE_NOT_FOUND",
  "CONVERSATION_NOT_FOUND",
  "ACCOUNT_BLOCKED",
  "INSUFFICIENT_CREDITS",
] satisfies ErrorCode[];

export const sendMessageBody = z.strictObject(messageFields).meta({ id: "SendMessageRequest" });
export const appSendMessageBody = z
  .strictObject(messageFields)
  .meta({ id: "AppSendMessageRequest" });

const position = z
  .number()
  .int()
  .min(1)
  .meta({ description: "Among the messages of the run, in the order of acceptance." });
const nextRun = idField.nullable().meta({ description: "Of `after`: the run that it becomes." });

export const acceptedMessageSchema = z
  .object({ message_id: idField, position, next_run_id: nextRun })
  .meta({ id: "AcceptedMessage" });
export const appAcceptedMessageSchema = z
  .object({ messageId: idField, position, nextRunId: nextRun })
  .meta({ id: "AppAcceptedMessage" });

export const EXAMPLE_ACCEPTED_MESSAGE = {
  message_id: EXAMPLE_IDS.message_id,
  position: 1,
  next_run_id: null,
};
export const EXAMPLE_APP_ACCEPTED_MESSAGE = {
  messageId: EXAMPLE_IDS.message_id,
  position: 1,
  nextRunId: null,
};

export function toAcceptedMessage({ messageId, position, nextRunId }: AcceptedMessage) {
  return { message_id: messageId, position, next_run_id: nextRunId };
}

/** What `sendMessage` needs to keep an `Idempotency-Key`; nothing without one. */
export function messageRequest(
  call: Call<unknown, unknown, unknown>,
  route: string,
  toBody: (message: AcceptedMessage) => unknown,
): MessageRequest | undefined {
  if (call.idempotencyKey === null) return undefined;
  return {
    route: `${route} ${JSON.stringify(call.params ?? {})}`,
    key: call.idempotencyKey,
    requestHash: hashRequest(call.body),
    answer: (message) => ({ status: 202, body: JSON.stringify(toBody(message)) }),
  };
}

export const runMessageSchema = z
  .object({
    message_id: idField,
    position,
    when: z.enum(MESSAGE_TIMES),
    text: z.string(),
    status: z.enum(["waiting", "shown", "queued", "missed"]).meta({
      description:
        "`waiting` for the next turn; `shown` to the model; `queued`: it is `next_run_id`; " +
        "`missed`: the run ended without it.",
    }),
    tool_call_id: z.string().nullable().meta({ description: "The question that it answered." }),
    next_run_id: nextRun,
    created_at: timeField,
  })
  .meta({ id: "RunMessage" });

export const EXAMPLE_RUN_MESSAGE: z.output<typeof runMessageSchema> = {
  ...EXAMPLE_ACCEPTED_MESSAGE,
  when: "next_step",
  text: "Leave the appendix out.",
  status: "waiting",
  tool_call_id: null,
  created_at: "2026-01-31T09:30:02.000Z",
};

export function toRunMessage(message: RunMessageView): z.output<typeof runMessageSchema> {
  const { id, position, when, text, status, toolCallId, nextRunId, createdAt } = message;
  return {
    message_id: id,
    position,
    when,
    text,
    status,
    tool_call_id: toolCallId,
    next_run_id: nextRunId,
    created_at: createdAt.toISOString(),
  };
}
