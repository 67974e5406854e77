import "server-only";
import { operation } from "@/lib/api/http/operation";
import { toList } from "@/lib/api/http/to-list";
import { EXAMPLE_RUN } from "@/lib/api/v1/runs/run-examples";
import { runFilterQuery, toRunFilter } from "@/lib/api/v1/runs/run-filter-query";
import { toRun } from "@/lib/api/v1/runs/to-run";
import { examplePage } from "@/lib/api/v1/schemas/example-page";
import { listOf } from "@/lib/api/v1/schemas/fields";
import { runSchema } from "@/lib/api/v1/schemas/run-schemas";
import { AGENT_ROUTE_KINDS } from "@/lib/domain/runs/get-run";
import { listRuns } from "@/lib/domain/runs/list-runs";

export const listRunsOperation = operation({
  method: "GET",
  path: "/v1/runs",
  operationId: "listRuns",
  tag: "Runs",
  summary: "List runs",
  description: "The account's runs of every kind but the super-agent's, newest first.",
  query: runFilterQuery,
  responses: [{ status: 200, description: "A page of runs.", schema: listOf(runSchema), examples: examplePage(EXAMPLE_RUN) }],
  errors: ["INVALID_INPUT"],
  async handle({ principal, query, baseUrl }) {
    const page = await listRuns(principal, query, toRunFilter(query, AGENT_ROUTE_KINDS));
    return { status: 200, body: toList(page, (run) => toRun(run, baseUrl)) };
  },
});
