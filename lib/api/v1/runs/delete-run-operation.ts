import "server-only";
import { z } from "zod";
import { operation } from "@/lib/api/http/operation";
import { idField } from "@/lib/api/v1/schemas/fields";
import { deleteRun } from "@/lib/domain/runs/delete-run";

export const deleteRunOperation = operation({
  method: "DELETE",
  path: "/v1/runs/{run_id}",
  operationId: "deleteRun",
  tag: "Runs",
  summary: "Delete a run",
  description:
    "Deletes an ended run with its events, transcript, messages, approvals, deliveries and artifacts; their bytes no longer count against the account's space. What it cost stays in the account's usage. While it is at work: 409.",
  params: z.object({ run_id: idField }),
  responses: [{ status: 204, description: "Deleted." }],
  errors: ["INVALID_INPUT", "RUN_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params }) {
    await deleteRun(principal, params.run_id);
    return { status: 204 };
  },
});
