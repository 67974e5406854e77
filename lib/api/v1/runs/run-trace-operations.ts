import "server-only";
import { z } from "zod";
import { operation } from "@/lib/api/http/operation";
import { EXAMPLE_IDS, idField, nullableTime, timeField } from "@/lib/api/schemas/fields";
import { readRunPrompts, readRunTrace } from "@/lib/domain/execution/trace/read-run-trace";
import { SPAN_KINDS, SPAN_STATUSES, type TraceSpan } from "@/lib/model/run/trace-span";

const spanSchema = z
  .object({
    span_id: z.string().meta({ description: "Unique in its run." }),
    parent_id: z
      .string()
      .nullable()
      .meta({ description: "The span within which it took place; null at the top." }),
    kind: z.enum(SPAN_KINDS),
    name: z.string().meta({ description: "The model, the tool, the webhook's address, or words." }),
    status: z
      .enum(SPAN_STATUSES)
      .meta({ description: "An approval that was rejected or has expired is `failed`." }),
    started_at: timeField,
    ended_at: nullableTime.meta({ description: "Null while it goes on." }),
    credits: z.number().meta({ description: "Its own. Those of all spans add up to the run's." }),
    attributes: z.record(z.string(), z.unknown()).meta({
      description:
        "By kind; of a model call `input_tokens`, `cached_input_tokens`, `output_tokens`, " +
        "`finish_reason` and more.",
    }),
    input: z.unknown().meta({
      description:
        "Without the account's secrets. Of a model call what is new since the turn before.",
    }),
    output: z.unknown(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    truncated: z
      .boolean()
      .optional()
      .meta({
        description:
          "`true` where input or output was longer than 64 KB: a text then, the beginning of " +
          "its JSON; null where all of them together are too many.",
      }),
  })
  .meta({ id: "RunSpan" });

const promptSchema = z
  .object({
    turn: z
      .number()
      .int()
      .meta({
        description:
          "The first turn that was shown it, from 0 on. A later one begins where the context " +
          "was summarised.",
      }),
    hash: z.string().meta({
      description:
        "SHA-256 of the system prompt and the tools, in hex: runs that were shown the same " +
        "have the same.",
    }),
    system: z.unknown().meta({ description: "The system prompt, a text." }),
    tools: z.unknown().meta({ description: "A list of `{name, description, inputSchema}`." }),
    truncated: z
      .boolean()
      .optional()
      .meta({
        description:
          "`true` where one of them was longer than 64 KB: the beginning of it then, of the " +
          "tools as the beginning of their JSON.",
      }),
  })
  .meta({ id: "RunPrompt" });

const traceSchema = z
  .object({ run_id: idField, prompts: z.array(promptSchema), spans: z.array(spanSchema) })
  .meta({
    id: "RunTrace",
    description:
      "What the model was shown from its first turn on, and the spans in the order of their " +
      "start. They are kept as long as their run.",
  });

const EXAMPLE_PROMPTS: z.output<typeof promptSchema>[] = [
  {
    turn: 0,
    hash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    system: "You are an agent that works for the person who wrote the skill below. …",
    tools: [
      {
        type: "function",
        name: "files_read",
        description: "Reads a file.",
        inputSchema: { type: "object", properties: { path: { type: "string" } } },
      },
    ],
  },
];

const EXAMPLE_SPANS: z.output<typeof spanSchema>[] = [
  {
    ...{
      span_id: "queue",
      parent_id: null,
      kind: "queue",
      name: "Waiting for a place",
      status: "succeeded",
    },
    ...{
      started_at: "2026-01-31T09:30:00.000Z",
      ended_at: "2026-01-31T09:30:00.012Z",
      credits: 0,
      attributes: {},
    },
    ...{ input: null, output: null, error: null },
  },
  {
    ...{ span_id: "turn-0", parent_id: null, kind: "turn", name: "Turn 1", status: "succeeded" },
    ...{
      started_at: "2026-01-31T09:30:00.015Z",
      ended_at: "2026-01-31T09:30:02.101Z",
      credits: 0,
      attributes: { turn: 0 },
    },
    ...{ input: null, output: null, error: null },
  },
  {
    ...{
      span_id: "model-0",
      parent_id: "turn-0",
      kind: "model",
      name: "anthropic/claude-sonnet-5-5",
      status: "succeeded",
    },
    ...{
      started_at: "2026-01-31T09:30:00.015Z",
      ended_at: "2026-01-31T09:30:02.101Z",
      credits: 8.16,
    },
    attributes: {
      input_tokens: 1620,
      cached_input_tokens: 0,
      output_tokens: 220,
      reasoning_tokens: 64,
      finish_reason: "stop",
    },
    input: [{ role: "user", content: { question: "What were the best three months?" } }],
    output: [{ type: "text", text: "March, May and July were the best months." }],
    error: null,
  },
];

export const getRunTraceOperation = operation({
  method: "GET",
  path: "/v1/runs/{run_id}/trace",
  operationId: "getRunTrace",
  tag: "Runs",
  summary: "See what a run did",
  description:
    "What the model was shown (its system prompt and its tools, frozen with the run's first " +
    "turn), and every part of the run with its times, its cost, what went in and what came " +
    "out: the wait for a place, turns, calls of models and tools, approvals, retries, " +
    "contexts that were summarised, deliveries of the webhook. Also while it is at work.",
  params: z.object({ run_id: idField }),
  responses: [
    {
      status: 200,
      description: "The trace.",
      schema: traceSchema,
      examples: {
        completed: { run_id: EXAMPLE_IDS.run_id, prompts: EXAMPLE_PROMPTS, spans: EXAMPLE_SPANS },
      },
    },
  ],
  errors: ["INVALID_INPUT", "RUN_NOT_FOUND"],
  async handle({ principal, params }) {
    return {
      status: 200,
      body: {
        run_id: params.run_id,
        prompts: (await readRunPrompts(principal, params.run_id)).map(
          ({ truncated, ...prompt }) => ({
            ...prompt,
            ...(truncated && { truncated }),
          }),
        ),
        spans: (await readRunTrace(principal, params.run_id)).map(toSpan),
      },
    };
  },
});

function toSpan(span: TraceSpan): z.output<typeof spanSchema> {
  const { spanId: span_id, parentId: parent_id, startedAt, endedAt, truncated, ...rest } = span;
  return {
    ...{
      span_id,
      parent_id,
      ...rest,
      started_at: startedAt.toISOString(),
      ended_at: endedAt?.toISOString() ?? null,
    },
    ...(truncated && { truncated }),
  };
}
