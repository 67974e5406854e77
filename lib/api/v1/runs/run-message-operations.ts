import "server-only";
import { z } from "zod";
import { type Call, operation, type Reply, toList } from "@/lib/api/http/operation";
import { examplePage, idField, listOf, listQuery } from "@/lib/api/schemas/fields";
import {
  acceptedMessageSchema,
  EXAMPLE_ACCEPTED_MESSAGE,
  EXAMPLE_RUN_MESSAGE,
  messageRequest,
  NEXT_RUN_ERRORS,
  runMessageSchema,
  sendMessageBody,
  toAcceptedMessage,
  toRunMessage,
} from "@/lib/api/schemas/message-schemas";
import { listRunMessages } from "@/lib/domain/runs/list-run-messages";
import { messageRun } from "@/lib/domain/runs/message-run";
import type { ErrorCode } from "@/lib/model/errors";
import { AGENT_ROUTE_KINDS, type RunKind } from "@/lib/model/run/run-status";

const params = z.object({ run_id: idField });

/** Saying something to a run, on the routes that show runs of these kinds. */
export function sendMessageOf(kinds: readonly RunKind[], route: string) {
  return {
    method: "POST" as const,
    description:
      "Says something to a run that has not ended. `next_step` is shown to its model with " +
      "the next turn, once, in the order of acceptance; a run that waits for an approval, a " +
      "result or credits is not woken by it, one that waits for the answer to a question " +
      "(`requires_action.type: question`) takes it as the answer. A run that would end just " +
      "then takes another turn. `after` becomes the next run of the conversation, and is " +
      "refused where that could not start: 402 `INSUFFICIENT_CREDITS`, 403 " +
      "`ACCOUNT_BLOCKED`. At most 100 messages wait for a turn, 1,000 are taken in all; " +
      "beyond, and after the end (`RUN_NOT_ACTIVE`), 409.",
    budget: "run" as const,
    idempotent: true,
    params,
    body: sendMessageBody,
    examples: {
      text: { input: "Leave the appendix out." },
      after: { input: { question: "And the worst?" }, when: "after" as const },
    },
    creates: ["nothing" as const],
    responses: [
      {
        status: 202 as const,
        description: "Accepted.",
        schema: acceptedMessageSchema,
        examples: { accepted: EXAMPLE_ACCEPTED_MESSAGE },
      },
    ],
    errors: [
      "INVALID_INPUT",
      "RUN_NOT_FOUND",
      "RUN_NOT_ACTIVE",
      "CONFLICT",
      "IDEMPOTENCY_CONFLICT",
      ...NEXT_RUN_ERRORS,
    ] satisfies ErrorCode[],
    async handle(
      call: Call<z.output<typeof params>, undefined, z.output<typeof sendMessageBody>>,
    ): Promise<Reply<202>> {
      const kept = messageRequest(call, route, toAcceptedMessage);
      const { input, when } = call.body;
      const sent = await messageRun(
        call.principal,
        call.params.run_id,
        { input, when },
        kept,
        kinds,
      );
      if ("replayed" in sent)
        return { status: 202, body: sent.body, headers: { "Idempotency-Replayed": "true" } };
      return { status: 202, body: toAcceptedMessage(sent) };
    },
  };
}

/** What was said to a run, on the routes that show runs of these kinds. */
export function listRunMessagesOf(kinds: readonly RunKind[]) {
  const query = z.object(listQuery);
  return {
    method: "GET" as const,
    description:
      "What was said to a run since it was started, newest first, and what became of it.",
    params,
    query,
    responses: [
      {
        status: 200 as const,
        description: "A page of messages.",
        schema: listOf(runMessageSchema),
        examples: examplePage(EXAMPLE_RUN_MESSAGE),
      },
    ],
    errors: ["INVALID_INPUT", "RUN_NOT_FOUND"] satisfies ErrorCode[],
    async handle({
      principal,
      params: { run_id: runId },
      query: page,
    }: Call<z.output<typeof params>, z.output<typeof query>, undefined>): Promise<Reply<200>> {
      const found = await listRunMessages(principal, runId, page, kinds);
      return { status: 200, body: toList(found, toRunMessage) };
    },
  };
}

export const RUN_MESSAGE_OPERATIONS = [
  operation({
    ...sendMessageOf(AGENT_ROUTE_KINDS, "sendMessage"),
    path: "/v1/runs/{run_id}/messages",
    operationId: "sendMessage",
    tag: "Runs",
    summary: "Say something to a run",
  }),
  operation({
    ...listRunMessagesOf(AGENT_ROUTE_KINDS),
    path: "/v1/runs/{run_id}/messages",
    operationId: "listRunMessages",
    tag: "Runs",
    summary: "List what was said to a run",
  }),
];
