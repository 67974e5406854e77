import "server-only";
import { z } from "zod";
import { idField, timeField } from "@/lib/api/v1/schemas/fields";
import { artifactSchema, runErrorSchema, runResultSchema, usageSchema } from "@/lib/api/v1/schemas/run-schemas";

const line = { run_id: idField, created_at: timeField };
const numbered = { sequence_number: z.number().int(), ...line };

const card = z
  .object({
    card_id: z.string(),
    kind: z.enum(["thinking", "search", "todo"]),
    status: z.enum(["in_progress", "done"]),
    title: z.string(),
    items: z.array(
      z.union([z.object({ id: z.string(), text: z.string(), done: z.boolean() }), z.object({ title: z.string(), url: z.string() })]),
    ),
  })
  .meta({ id: "Card" });

const event = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) => z.object({ type: z.literal(type), ...numbered, ...shape });
const approval = { approval_id: idField, tool_name: z.string(), summary: z.string() };

/** One line of a run's stream (contract §3). */
export const runEventSchema = z
  .discriminatedUnion("type", [
    event("run.created", {
      render_protocol: z.literal(1),
      status: z.string(),
      agent_id: idField.nullable(),
      conversation_id: idField.nullable(),
    }),
    event("message.created", { message_id: z.string(), role: z.literal("assistant"), replaces: z.string().optional() }),
    event("output_text.delta", { message_id: z.string(), delta: z.string() }),
    event("thinking.delta", { card_id: z.string(), delta: z.string() }),
    event("card.created", { card }),
    event("card.updated", { card }),
    event("tool.started", { tool_call_id: z.string(), name: z.string() }),
    event("tool.completed", { tool_call_id: z.string(), name: z.string(), status: z.enum(["succeeded", "failed"]) }),
    event("artifact.created", { artifact: artifactSchema }),
    event("approval.requested", approval),
    event("approval.resolved", { ...approval, decision: z.enum(["approve", "reject", "expired"]) }),
    event("usage.updated", { usage: usageSchema }),
    event("run.completed", { status: z.literal("completed"), result: runResultSchema, usage: usageSchema, agent_id: idField.nullable() }),
    event("run.failed", { status: z.literal("failed"), error: runErrorSchema, usage: usageSchema.optional() }),
    event("error", { code: z.string(), message: z.string() }),
    z.object({ type: z.literal("ping"), ...line }),
  ])
  .meta({ id: "RunEvent", description: "One line of a run's stream." });
