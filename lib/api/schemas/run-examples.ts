import "server-only";
import type { z } from "zod";
import { EXAMPLE_IDS } from "@/lib/api/schemas/fields";
import {
  EXAMPLE_PENDING_RUN,
  type editRunSchema,
  type runSchema,
} from "@/lib/api/schemas/run-schemas";

type Run = z.output<typeof runSchema>;

const { run_id, agent_id, conversation_id, artifact_id } = EXAMPLE_IDS;

const USAGE: Run["usage"] = {
  credits: 8.16,
  breakdown: [
    {
      model: "anthropic/claude-sonnet-5-5",
      capability: "chat",
      input_tokens: 1620,
      output_tokens: 220,
      cached_input_tokens: 0,
      units: 0,
      credits: 8.16,
    },
  ],
};

const RESULT: NonNullable<Run["result"]> = {
  text: "March, May and July were the best months.",
  agent_id,
  agent_name: "Sales reader",
  artifacts: [
    {
      id: artifact_id,
      title: "Best months",
      type: "text/markdown",
      url: `/api/artifacts/${artifact_id}?expires=1769852700&signature=Zk3…`,
      name: "best-months.md",
      size_bytes: 312,
    },
  ],
};

/** The same run at work. */
export const EXAMPLE_RUNNING_RUN: Run = {
  ...EXAMPLE_PENDING_RUN,
  status: "running",
  started_at: "2026-01-31T09:30:00.012Z",
};

/** The same run when it has ended well. */
export const EXAMPLE_RUN: Run = {
  ...EXAMPLE_PENDING_RUN,
  status: "completed",
  result: RESULT,
  usage: USAGE,
  started_at: "2026-01-31T09:30:00.012Z",
  completed_at: "2026-01-31T09:30:04.250Z",
  webhook_delivered_at: "2026-01-31T09:30:04.391Z",
};

/** As it is fetched by its id: with what it did. */
export const EXAMPLE_FETCHED_RUN: Run = {
  ...EXAMPLE_RUN,
  actions: [
    {
      action_id: "call_1",
      tool: "read_sales",
      kind: "read",
      target: "api.example.com/sales",
      status: "succeeded",
      approval_id: null,
      artifact_ids: [],
      at: "2026-01-31T09:30:01.904Z",
    },
    {
      action_id: "call_2",
      tool: "artifacts",
      kind: "write",
      target: "Best months",
      status: "succeeded",
      approval_id: null,
      artifact_ids: [artifact_id],
      at: "2026-01-31T09:30:03.118Z",
    },
  ],
  actions_truncated: false,
};

/** A creation run that was accepted just now. */
export const EXAMPLE_CREATION_RUN: Run = {
  ...EXAMPLE_PENDING_RUN,
  kind: "agent_creation",
  agent_id: null,
  metadata: {},
};

/** A run of the super-agent that was accepted just now. */
export const EXAMPLE_SUPER_AGENT_RUN: Run = {
  ...EXAMPLE_PENDING_RUN,
  kind: "super_agent",
  agent_id: null,
  metadata: {},
};

/** A run that was stopped. */
export const EXAMPLE_CANCELLED_RUN: Run = {
  ...EXAMPLE_PENDING_RUN,
  status: "cancelled",
  started_at: "2026-01-31T09:30:00.012Z",
  completed_at: "2026-01-31T09:30:01.700Z",
};

/** An edit that was accepted just now. */
export const EXAMPLE_EDIT: z.output<typeof editRunSchema> = {
  run_id,
  agent_id,
  status: "queued",
  conversation_id,
  result: null,
  usage: { credits: 0, breakdown: [] },
  error: null,
  created_at: "2026-01-31T09:30:00.000Z",
  started_at: null,
  completed_at: null,
};

/** The same when it has ended well, as it is fetched by its id. */
export const EXAMPLE_FETCHED_EDIT: z.output<typeof editRunSchema> = {
  ...EXAMPLE_EDIT,
  status: "succeeded",
  result: {
    text: "It is called Sales desk now.",
    agent_id,
    agent_name: "Sales desk",
    artifacts: [],
  },
  usage: USAGE,
  started_at: "2026-01-31T09:30:00.012Z",
  completed_at: "2026-01-31T09:30:04.250Z",
  actions: [
    {
      action_id: "call_1",
      tool: "edit_agent",
      kind: "write",
      target: "edit_agent",
      status: "succeeded",
      approval_id: null,
      artifact_ids: [],
      at: "2026-01-31T09:30:02.407Z",
    },
  ],
  actions_truncated: false,
};

const line = { run_id, created_at: "2026-01-31T09:30:00.015Z" };
const message_id = EXAMPLE_IDS.message_id;

/** Lines of a stream; each is an example of its own, because the schema is that of one line. */
export const EXAMPLE_EVENTS = {
  created: {
    type: "run.created",
    sequence_number: 0,
    ...line,
    render_protocol: 1,
    status: "running",
    agent_id,
    conversation_id,
  },
  message: { type: "message.created", sequence_number: 1, ...line, message_id, role: "assistant" },
  text: { type: "output_text.delta", sequence_number: 2, ...line, message_id, delta: "March, May" },
  completed: {
    type: "run.completed",
    sequence_number: 9,
    ...line,
    status: "completed",
    result: RESULT,
    usage: USAGE,
    agent_id,
  },
} as const;
