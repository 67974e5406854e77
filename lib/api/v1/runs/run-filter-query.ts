import "server-only";
import { z } from "zod";
import { idField, listQuery, timeField } from "@/lib/api/v1/schemas/fields";
import type { RunFilter } from "@/lib/domain/runs/list-runs";
import { METADATA_MAX_PAIRS } from "@/lib/model/limits";
import { RUN_STATUSES, type RunStatus } from "@/lib/model/run/run-status";

const STATUSES: ReadonlySet<string> = new Set(RUN_STATUSES);

const statusList = z
  .string()
  .refine((text) => text.split(",").every((status) => STATUSES.has(status)), `must be a comma list of ${RUN_STATUSES.join(", ")}`)
  .transform((text) => text.split(",") as RunStatus[]) // each was found in the set above
  .meta({ description: `A comma list of ${RUN_STATUSES.join(", ")}.`, override: { type: "string", example: "pending,running" } });

/** The filters of the run lists. */
export const runFilterQuery = z.object({
  ...listQuery,
  status: statusList.optional(),
  agent_id: idField.optional().meta({ description: "Only runs of this agent." }),
  conversation_id: idField.optional().meta({ description: "Only runs of this conversation." }),
  created_after: timeField.optional().meta({ description: "Only runs accepted after this time.", examples: ["2026-01-01T00:00:00.000Z"] }),
  created_before: timeField
    .optional()
    .meta({ description: "Only runs accepted before this time.", examples: ["2036-01-01T00:00:00.000Z"] }),
  metadata: z
    .record(z.string(), z.string())
    .refine((pairs) => Object.keys(pairs).length <= METADATA_MAX_PAIRS, `may have at most ${METADATA_MAX_PAIRS} pairs`)
    .optional()
    .meta({
      description: "`metadata[key]=value`: only runs with each of these pairs.",
      examples: [{ customer: "c_42" }],
      param: { style: "deepObject", explode: true },
    }),
});

export function toRunFilter(query: z.output<typeof runFilterQuery>, kinds: RunFilter["kinds"]): RunFilter {
  return {
    kinds,
    statuses: query.status ?? null,
    agentId: query.agent_id ?? null,
    conversationId: query.conversation_id ?? null,
    createdAfter: query.created_after ? new Date(query.created_after) : null,
    createdBefore: query.created_before ? new Date(query.created_before) : null,
    metadata: query.metadata ?? {},
  };
}
