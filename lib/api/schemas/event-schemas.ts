import "server-only";
import { z } from "zod";
import type { ApiRequest } from "@/lib/api/http/request";
import { idField, timeField } from "@/lib/api/schemas/fields";
import { budgetShape } from "@/lib/model/run/budget-shape";
import { BUDGET_ACTIONS } from "@/lib/model/run/on-budget";
import { TODO_STATUSES } from "@/lib/model/run/run-event";
import { MESSAGE_TIMES } from "@/lib/model/run/run-message";
import {
  artifactSchema,
  runErrorSchema,
  runResultSchema,
  usageSchema,
} from "@/lib/model/run/run-result-schemas";

const line = { run_id: idField, created_at: timeField };
const numbered = {
  sequence_number: z.number().int().meta({ description: "From 0, growing by 1." }),
  ...line,
};

const card = z
  .object({
    card_id: z.string(),
    kind: z.enum(["thinking", "search", "todo"]),
    status: z.enum(["in_progress", "done"]),
    title: z.string(),
    items: z.array(
      z.union([
        z.object({
          id: z.string(),
          text: z.string(),
          done: z.boolean(),
          status: z
            .enum(TODO_STATUSES)
            .optional()
            .meta({ description: "Of a todo; absent in cards of an older version." }),
        }),
        z.object({ title: z.string(), url: z.string() }),
      ]),
    ),
  })
  .meta({ id: "Card" });

const approval = {
  approval_id: idField,
  tool_name: z.string(),
  summary: z.string().meta({ description: "What the call would do, in one line." }),
};

/** One kind of line: `run.created` is the component `RunCreatedEvent`. */
function event<T extends string, S extends z.ZodRawShape>(type: T, description: string, shape: S) {
  const name = type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const id = `${name}Event`;
  return z.object({ type: z.literal(type), ...numbered, ...shape }).meta({ id, description });
}

const count = z.number().int().min(0);
const messageId = z.string().meta({ description: "Names the message within the run." });
const toolCall = {
  tool_call_id: z.string(),
  name: z.string().meta({ description: "The tool's name." }),
};

/** One line of a run's stream (contract §3). */
export const runEventSchema = z
  .discriminatedUnion("type", [
    event("run.created", "Always the first line.", {
      render_protocol: z.literal(1),
      status: z.string(),
      agent_id: idField.nullable(),
      conversation_id: idField.nullable(),
    }),
    event(
      "message.created",
      "The model starts to speak. Each turn in which it speaks is a message of its own.",
      {
        message_id: messageId,
        role: z.literal("assistant"),
        replaces: z.string().optional().meta({
          description: "A message whose deltas are to be dropped: its step was tried again.",
        }),
      },
    ),
    event(
      "output_text.delta",
      "More text of a message. The joined deltas of the last message that was not replaced " +
        "are `result.text`.",
      {
        message_id: messageId,
        delta: z.string(),
      },
    ),
    event("thinking.delta", "More text of a thinking card.", {
      card_id: z.string(),
      delta: z.string(),
    }),
    event("card.created", "A thinking, search or todo card appears.", { card }),
    event("card.updated", "A card as it is now, whole.", { card }),
    event("tool.started", "A tool is called. Its input is never shown.", toolCall),
    event("tool.completed", "A tool has answered. Its output is never shown.", {
      ...toolCall,
      status: z.enum(["succeeded", "failed"]),
    }),
    event("artifact.created", "The run made a file.", { artifact: artifactSchema }),
    event(
      "approval.requested",
      "The run waits for a person: `POST /v1/approvals/{approval_id}/resolve`.",
      {
        ...approval,
        reason: z.string().optional().meta({
          description: "Why a person is asked, where the agent's own settings do not say so.",
        }),
        replaces: idField.optional().meta({
          description:
            "An approval of the same call whose answer no longer counts: the tool has " +
            "changed since.",
        }),
      },
    ),
    event("approval.resolved", "Somebody decided, or nobody did in time.", {
      ...approval,
      decision: z.enum(["approve", "reject", "expired"]),
    }),
    event(
      "client_tool.requested",
      "The run waits for results of tools that you carry out. Fetch the run for their " +
        "arguments; post the results to its `tool-results`.",
      { calls: z.array(z.object(toolCall)) },
    ),
    event(
      "budget.reached",
      "The run waits until its limit is raised (`PATCH` the run), or its account is topped " +
        "up; `on_budget` is `wait`.",
      {
        reason: z.enum(BUDGET_ACTIONS).meta({
          description: "What does not cover the next step: the run's limit, or the account.",
        }),
        ...budgetShape,
      },
    ),
    event("budget.raised", "It goes on.", {}),
    event(
      "question.asked",
      "The run waits for an answer: the first message that is posted to its `messages`.",
      {
        tool_call_id: z.string(),
        question: z.string(),
        options: z.array(z.string()).optional(),
      },
    ),
    event(
      "message.received",
      "Somebody said something to the run: its model is shown it with the turn that follows. " +
        "Of a run that a message has become (`after`) it is the second line.",
      {
        message_id: idField,
        role: z.literal("user"),
        when: z.enum(MESSAGE_TIMES),
        text: z.string(),
        tool_call_id: z.string().optional().meta({ description: "The question that it answers." }),
      },
    ),
    event(
      "connector.unavailable",
      "A connector of the agent cannot be used; the run goes on without its tools.",
      {
        name: z.string().meta({ description: "The connector's name in the agent's config." }),
        message: z.string().meta({ description: "Why, for the agent's owner." }),
      },
    ),
    event(
      "context.compacted",
      "What the model was shown had grown too long for it: a summary, by the model itself, " +
        "stands in place of the older part from here on. The run goes on.",
      {
        messages: count.meta({
          description: "How many messages of the prompt the summary stands for.",
        }),
        tokens_before: count.meta({ description: "What the prompt came to before, about." }),
        tokens_after: count.meta({ description: "What it comes to with the summary, about." }),
      },
    ),
    event("usage.updated", "What the run has cost so far.", { usage: usageSchema }),
    event("run.completed", "The last line of a run that succeeded.", {
      status: z.literal("completed"),
      result: runResultSchema,
      usage: usageSchema,
      agent_id: idField.nullable(),
    }),
    event("run.failed", "The last line of a run that failed or was cancelled (`RUN_CANCELLED`).", {
      status: z.literal("failed"),
      error: runErrorSchema,
      usage: usageSchema.optional().meta({ description: "Only when the run cost something." }),
    }),
    z
      .object({ type: z.literal("error"), ...numbered, code: z.string(), message: z.string() })
      .meta({
        id: "StreamErrorEvent",
        description:
          "The stream cannot go on, the run may: the last line in place of a terminal one. " +
          "Fetch the run, or its later events.",
      }),
    z.object({ type: z.literal("ping"), ...line }).meta({
      id: "PingEvent",
      description: "After every 10 s of silence. Has no number and is not stored.",
    }),
  ])
  .meta({
    id: "RunEvent",
    description:
      "One line of a run's stream. New types and fields may be added: skip what you do not know.",
  });

/** A page of stored events (contract §2). */
export const runEventPageSchema = z
  .object({
    data: z.array(runEventSchema).meta({ description: "Oldest first." }),
    has_more: z.boolean(),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: "The next `starting_after`; null when there is nothing more." }),
  })
  .meta({ id: "RunEventPage" });

/** After which event a stream or a page begins. */
export const startingAfter = z
  .string()
  .regex(/^(-1|\d{1,9})$/, "must be a whole number from -1")
  .transform(Number)
  .default(-1)
  .meta({
    description: "The last sequence number that you have; -1 (the default) for all.",
    examples: [0],
    override: { type: "integer", minimum: -1, default: -1, pattern: undefined },
  });

/** Whether the events are asked for as a page, not as a stream. */
export function wantsPage(request: ApiRequest): boolean {
  const accept = request.headers.get("accept") ?? "";
  return /application\/json/i.test(accept) && !/application\/x-ndjson/i.test(accept);
}
