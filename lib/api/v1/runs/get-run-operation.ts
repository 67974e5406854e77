import "server-only";
import { z } from "zod";
import { operation } from "@/lib/api/http/operation";
import { toRun } from "@/lib/api/v1/runs/to-run";
import { idField } from "@/lib/api/v1/schemas/fields";
import { runSchema } from "@/lib/api/v1/schemas/run-schemas";
import { getRun } from "@/lib/domain/runs/get-run";
import { readTranscript } from "@/lib/domain/runs/read-transcript";

export const getRunOperation = operation({
  method: "GET",
  path: "/v1/runs/{run_id}",
  operationId: "getRun",
  tag: "Runs",
  summary: "Fetch a run",
  description: "Status, result, usage and error of a run of any kind but the super-agent's.",
  params: z.object({ run_id: idField }),
  query: z.object({
    raw_output: z
      .enum(["true", "false"], "must be true or false")
      .default("false")
      .meta({ description: "`true` adds the whole transcript as `result.raw_output`." }),
  }),
  responses: [{ status: 200, description: "The run.", schema: runSchema }],
  errors: ["INVALID_INPUT", "RUN_NOT_FOUND"],
  async handle({ principal, params, query, baseUrl }) {
    const run = await getRun(principal, params.run_id);
    if (query.raw_output === "true" && run.result) run.result = { ...run.result, raw_output: await readTranscript(run.id) };
    return { status: 200, body: toRun(run, baseUrl) };
  },
});
