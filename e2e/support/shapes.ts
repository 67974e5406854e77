import { z } from "zod";

// The outside shapes of the specification (§2) and the contract (§§1–4). Payloads may gain fields, so objects are loose; they may never lose one.

export const uuidShape = z.string().regex(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
export const timeShape = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

export const errorShape = z.looseObject({
  error: z.string().regex(/^[A-Z_]+$/),
  message: z.string().min(1),
  details: z.array(z.looseObject({ path: z.string(), message: z.string().min(1) })).optional(),
});

export const artifactShape = z.looseObject({ id: z.string(), title: z.string(), type: z.string(), url: z.string() });

export const usageRowShape = z.looseObject({
  model: z.string(),
  capability: z.enum(["chat", "vision", "image", "video", "speech"]),
  input_tokens: z.int().min(0),
  output_tokens: z.int().min(0),
  cached_input_tokens: z.int().min(0),
  units: z.number().min(0),
  credits: z.number().min(0),
});
export const usageShape = z.looseObject({ credits: z.number().min(0), breakdown: z.array(usageRowShape) });

export const resultShape = z.looseObject({
  text: z.string(),
  artifacts: z.array(artifactShape),
  agent_id: uuidShape.optional(),
  agent_name: z.string().optional(),
  raw_output: z.string().optional(),
});

export const runShape = z.looseObject({
  run_id: uuidShape,
  status: z.enum(["pending", "running", "completed", "failed", "cancelled"]),
  kind: z.enum(["agent", "agent_creation", "agent_edit", "super_agent", "app"]),
  agent_id: uuidShape.nullable(),
  conversation_id: uuidShape.nullable(),
  workspace_id: uuidShape.nullable(),
  model: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
  requires_action: z.looseObject({ type: z.literal("approval"), approval_id: uuidShape }).nullable(),
  result: resultShape.nullish(),
  usage: usageShape.nullish(),
  error: z.looseObject({ code: z.string(), message: z.string().min(1) }).nullish(),
  created_at: timeShape,
  started_at: timeShape.nullish(),
  completed_at: timeShape.nullish(),
  webhook_delivered_at: timeShape.nullish(),
});
export type Run = z.infer<typeof runShape>;

export const agentSummaryShape = z.looseObject({
  agent_id: uuidShape,
  name: z.string().min(1).max(255),
  description: z.string().nullable(),
  version: z.string(),
  status: z.string(),
  write_autonomy: z.enum(["full_auto", "approval_required", "blocked"]),
  created_at: timeShape,
  updated_at: timeShape,
});
export const agentShape = agentSummaryShape.extend({
  skill_content: z.string(),
  config_content: z.string(),
  config: z.looseObject({ version: z.literal(1) }),
  dashboard_template: z.looseObject({}).nullable(),
  inputs_schema: z.looseObject({}).nullable(),
  current_version_id: uuidShape,
});
export type Agent = z.infer<typeof agentShape>;

export const versionShape = z.looseObject({
  version_id: uuidShape,
  number: z.int().min(1),
  version: z.string(),
  release_note: z.string().nullable(),
  created_at: timeShape,
  source: z.enum(["create", "patch", "edit", "restore"]),
});

export const editShape = z.looseObject({
  run_id: uuidShape,
  agent_id: uuidShape,
  status: z.enum(["queued", "running", "succeeded", "failed", "cancelled"]),
  conversation_id: uuidShape.nullable(),
  result: resultShape.nullish(),
  usage: usageShape.nullish(),
  error: z.looseObject({ code: z.string(), message: z.string().min(1) }).nullish(),
  created_at: timeShape,
  started_at: timeShape.nullish(),
  completed_at: timeShape.nullish(),
});
export type Edit = z.infer<typeof editShape>;

export const conversationShape = z.looseObject({
  conversation_id: uuidShape,
  family: z.enum(["creation", "agent", "super_agent"]),
  title: z.string(),
  active_run_id: uuidShape.nullable(),
  created_at: timeShape,
  updated_at: timeShape,
});
export const conversationWithMessagesShape = conversationShape.extend({
  messages: z.array(
    z.looseObject({
      message_id: uuidShape,
      role: z.enum(["user", "assistant"]),
      text: z.string(),
      run_id: uuidShape,
      created_at: timeShape,
    }),
  ),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
});

export const workspaceShape = z.looseObject({
  workspace_id: uuidShape,
  name: z.string(),
  description: z.string().nullable(),
  created_at: timeShape,
  updated_at: timeShape,
});
export const fileShape = z.looseObject({
  file_id: uuidShape,
  path: z.string(),
  name: z.string(),
  size_bytes: z.int().min(0),
  content_type: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  created_at: timeShape,
});

export const accountUsageShape = z.looseObject({
  credits: z.looseObject({ available: z.number().min(0) }),
  used_24h: z.number().min(0),
  by_model: z.array(z.looseObject({})),
  by_agent: z.array(z.looseObject({})),
  by_day: z.array(z.looseObject({})),
  window_start: timeShape,
});

/** A list of the developer API (contract §1, "Lists"). */
export function pageShape<T extends z.ZodType>(row: T) {
  return z.looseObject({ data: z.array(row), has_more: z.boolean(), next_cursor: z.string().nullable() });
}

const numbered = { sequence_number: z.int().min(0), run_id: uuidShape, created_at: timeShape };
const cardShape = z.looseObject({
  card_id: z.string(),
  kind: z.enum(["thinking", "search", "todo"]),
  status: z.enum(["in_progress", "done"]),
  title: z.string(),
  items: z.array(
    z.union([
      z.looseObject({ id: z.string(), text: z.string(), done: z.boolean() }),
      z.looseObject({ title: z.string(), url: z.string() }),
    ]),
  ),
});

/** A line of the stream (contract §3). Tool markers are strict: they must never carry a tool's input or output. */
export const lineShape = z.discriminatedUnion("type", [
  z.looseObject({
    type: z.literal("run.created"),
    ...numbered,
    render_protocol: z.literal(1),
    status: z.string(),
    agent_id: uuidShape.nullable(),
    conversation_id: uuidShape.nullable(),
  }),
  z.looseObject({
    type: z.literal("message.created"),
    ...numbered,
    message_id: z.string(),
    role: z.literal("assistant"),
    replaces: z.string().nullish(),
  }),
  z.looseObject({ type: z.literal("output_text.delta"), ...numbered, message_id: z.string(), delta: z.string().min(1) }),
  z.looseObject({ type: z.literal("thinking.delta"), ...numbered, card_id: z.string(), delta: z.string() }),
  z.looseObject({ type: z.enum(["card.created", "card.updated"]), ...numbered, card: cardShape }),
  z.strictObject({ type: z.literal("tool.started"), ...numbered, tool_call_id: z.string(), name: z.string() }),
  z.strictObject({
    type: z.literal("tool.completed"),
    ...numbered,
    tool_call_id: z.string(),
    name: z.string(),
    status: z.enum(["succeeded", "failed"]),
  }),
  z.looseObject({ type: z.literal("artifact.created"), ...numbered, artifact: artifactShape }),
  z.looseObject({ type: z.literal("approval.requested"), ...numbered, approval_id: uuidShape, tool_name: z.string(), summary: z.string() }),
  z.looseObject({
    type: z.literal("approval.resolved"),
    ...numbered,
    approval_id: uuidShape,
    decision: z.enum(["approve", "reject", "expired"]),
  }),
  z.looseObject({ type: z.literal("usage.updated"), ...numbered, usage: usageShape }),
  z.looseObject({
    type: z.literal("run.completed"),
    ...numbered,
    status: z.literal("completed"),
    result: resultShape,
    usage: usageShape,
    agent_id: uuidShape.nullable(),
  }),
  z.looseObject({
    type: z.literal("run.failed"),
    ...numbered,
    status: z.literal("failed"),
    error: z.looseObject({ code: z.string(), message: z.string().min(1) }),
    usage: usageShape.nullish(),
  }),
  z.looseObject({ type: z.literal("error"), code: z.string(), message: z.string() }),
  z.looseObject({ type: z.literal("ping") }),
]);
export type Line = z.infer<typeof lineShape>;
export type NumberedLine = Exclude<Line, { type: "ping" } | { type: "error" }>;

export const secretShape = z.looseObject({
  name: z.string(),
  description: z.string().nullable(),
  allowed_hosts: z.array(z.string()),
  created_at: timeShape,
  updated_at: timeShape,
  last_used_at: timeShape.nullable(),
});

export const skillShape = z.looseObject({
  skill_id: uuidShape,
  name: z.string(),
  description: z.string(),
  source: z.enum(["custom", "built_in"]),
  enabled: z.boolean(),
  version: z.number().int().min(1),
  created_at: timeShape,
});
export const skillDetailShape = skillShape.extend({ content: z.string() });

export const approvalShape = z.looseObject({
  approval_id: uuidShape,
  run_id: uuidShape,
  agent_id: uuidShape.nullable(),
  tool_name: z.string(),
  arguments: z.unknown(),
  kind: z.enum(["tool_call", "agent_edit"]),
  tool_kind: z.enum(["http", "mcp", "built_in"]).nullable(),
  method: z.string().nullable(),
  target: z.string().nullable(),
  secret_name: z.string().nullable(),
  secret_header: z.string().nullable(),
  definition: z.looseObject({}).nullable(),
  changes: z.array(z.string()),
  reason: z.string().nullable(),
  replaces: uuidShape.nullable(),
  digest: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
  status: z.enum(["pending", "approved", "rejected", "expired"]),
  created_at: timeShape,
  expires_at: timeShape,
  decided_at: timeShape.nullable(),
});
export type Approval = z.infer<typeof approvalShape>;
