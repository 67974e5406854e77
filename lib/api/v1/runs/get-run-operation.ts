import "server-only";
import { z } from "zod";
import { type Call, operation, type Reply } from "@/lib/api/http/operation";
import { EXAMPLE_RUN } from "@/lib/api/v1/runs/run-examples";
import { toRun } from "@/lib/api/v1/runs/to-run";
import { idField } from "@/lib/api/v1/schemas/fields";
import { runSchema } from "@/lib/api/v1/schemas/run-schemas";
import { AGENT_ROUTE_KINDS, getRun } from "@/lib/domain/runs/get-run";
import { readTranscript } from "@/lib/domain/runs/read-transcript";
import type { ErrorCode } from "@/lib/model/errors";
import type { RunKind } from "@/lib/model/run/run-status";

const runParams = z.object({ run_id: idField });
const runQuery = z.object({
  raw_output: z
    .enum(["true", "false"], "must be true or false")
    .default("false")
    .meta({
      description: "`true` adds the whole transcript as `result.raw_output`.",
      examples: [true],
      override: { type: "boolean", enum: undefined, default: false },
    }),
  include_input: z
    .enum(["true", "false"], "must be true or false")
    .default("false")
    .meta({
      description: "`true` adds what the run was given as `input`.",
      examples: [true],
      override: { type: "boolean", enum: undefined, default: false },
    }),
});

/** Fetching a run, on the routes that show runs of these kinds. */
export function getRunOf(kinds: readonly RunKind[]) {
  return {
    method: "GET" as const,
    params: runParams,
    query: runQuery,
    responses: [{ status: 200, description: "The run.", schema: runSchema, examples: { completed: EXAMPLE_RUN } }],
    errors: ["INVALID_INPUT", "RUN_NOT_FOUND"] satisfies ErrorCode[],
    async handle({
      principal,
      params,
      query,
      baseUrl,
    }: Call<z.output<typeof runParams>, z.output<typeof runQuery>, undefined>): Promise<Reply> {
      const run = await getRun(principal, params.run_id, kinds);
      if (query.raw_output === "true" && run.result) run.result = { ...run.result, raw_output: await readTranscript(run.id) };
      return { status: 200, body: { ...toRun(run, baseUrl), ...(query.include_input === "true" && { input: run.input }) } };
    },
  };
}

export const getRunOperation = operation({
  ...getRunOf(AGENT_ROUTE_KINDS),
  path: "/v1/runs/{run_id}",
  operationId: "getRun",
  tag: "Runs",
  summary: "Fetch a run",
  description: "Status, result, usage and error of a run of any kind but the super-agent's.",
});
