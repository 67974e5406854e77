import "server-only";
import { z } from "zod";
import { operation } from "@/lib/api/http/operation";
import { EXAMPLE_CANCELLED_RUN, EXAMPLE_RUN } from "@/lib/api/v1/runs/run-examples";
import { toRun } from "@/lib/api/v1/runs/to-run";
import { idField } from "@/lib/api/v1/schemas/fields";
import { runSchema } from "@/lib/api/v1/schemas/run-schemas";
import { cancelRun } from "@/lib/domain/runs/cancel-run";

export const cancelRunOperation = operation({
  method: "POST",
  path: "/v1/runs/{run_id}/cancel",
  operationId: "cancelRun",
  tag: "Runs",
  summary: "Cancel a run",
  description: "Cancels a pending or running run and aborts its model call within a second. A run that has ended is answered unchanged.",
  params: z.object({ run_id: idField }),
  creates: ["nothing"],
  responses: [
    { status: 202, description: "Cancelled by this call.", schema: runSchema, examples: { cancelled: EXAMPLE_CANCELLED_RUN } },
    { status: 200, description: "The run had ended before.", schema: runSchema, examples: { completed: EXAMPLE_RUN } },
  ],
  errors: ["INVALID_INPUT", "RUN_NOT_FOUND"],
  async handle({ principal, params, baseUrl }) {
    const { run, cancelled } = await cancelRun(principal, params.run_id);
    return { status: cancelled ? 202 : 200, body: toRun(run, baseUrl) };
  },
});
