import "server-only";
import { z } from "zod";
import { type Operation, operation } from "@/lib/api/http/operation";
import { toList } from "@/lib/api/http/to-list";
import { getRunOf } from "@/lib/api/v1/runs/get-run-operation";
import { listRunEventsOf } from "@/lib/api/v1/runs/list-run-events-operation";
import { EXAMPLE_CANCELLED_RUN, EXAMPLE_RUN, EXAMPLE_SUPER_AGENT_RUN } from "@/lib/api/v1/runs/run-examples";
import { runFilterQuery, toRunFilter } from "@/lib/api/v1/runs/run-filter-query";
import { toRun } from "@/lib/api/v1/runs/to-run";
import { examplePage } from "@/lib/api/v1/schemas/example-page";
import { idField, listOf } from "@/lib/api/v1/schemas/fields";
import { runSchema } from "@/lib/api/v1/schemas/run-schemas";
import { PRODUCT_PROFILE_OPERATIONS } from "@/lib/api/v1/super-agent/product-profile-operations";
import { START_SUPER_AGENT_RUN_OPERATIONS } from "@/lib/api/v1/super-agent/start-super-agent-run-operations";
import { cancelRun } from "@/lib/domain/runs/cancel-run";
import { SUPER_AGENT_KINDS } from "@/lib/domain/runs/get-run";
import { listRuns } from "@/lib/domain/runs/list-runs";

const { agent_id: _never, ...filters } = runFilterQuery.shape; // a super-agent run has no agent

const listSuperAgentRunsOperation = operation({
  method: "GET",
  path: "/v1/super-agent/runs",
  operationId: "listSuperAgentRuns",
  tag: "Super-agent",
  summary: "List super-agent runs",
  description: "Super-agent runs only, newest first. The runs that they started are in the agents' list.",
  superAgent: true,
  query: z.object(filters),
  responses: [{ status: 200, description: "A page of runs.", schema: listOf(runSchema), examples: examplePage(EXAMPLE_SUPER_AGENT_RUN) }],
  errors: ["INVALID_INPUT"],
  async handle({ principal, query, baseUrl }) {
    const page = await listRuns(principal, query, toRunFilter(query, SUPER_AGENT_KINDS));
    return { status: 200, body: toList(page, (run) => toRun(run, baseUrl)) };
  },
});

const getSuperAgentRunOperation = operation({
  ...getRunOf(SUPER_AGENT_KINDS),
  path: "/v1/super-agent/runs/{run_id}",
  operationId: "getSuperAgentRun",
  tag: "Super-agent",
  summary: "Fetch a super-agent run",
  description: "Status, result, usage and error of a super-agent run.",
  superAgent: true,
});

const listSuperAgentRunEventsOperation = operation({
  ...listRunEventsOf(SUPER_AGENT_KINDS),
  path: "/v1/super-agent/runs/{run_id}/events",
  operationId: "listSuperAgentRunEvents",
  tag: "Super-agent",
  summary: "Follow or page a super-agent run's events",
  superAgent: true,
});

const cancelSuperAgentRunOperation = operation({
  method: "POST",
  path: "/v1/super-agent/runs/{run_id}/cancel",
  operationId: "cancelSuperAgentRun",
  tag: "Super-agent",
  summary: "Cancel a super-agent run",
  description: "Cancels it, and the run of an agent that it waits for. A run that has ended is answered unchanged.",
  superAgent: true,
  params: z.object({ run_id: idField }),
  creates: ["nothing"],
  responses: [
    { status: 202, description: "Cancelled by this call.", schema: runSchema, examples: { cancelled: EXAMPLE_CANCELLED_RUN } },
    { status: 200, description: "The run had ended before.", schema: runSchema, examples: { completed: EXAMPLE_RUN } },
  ],
  errors: ["INVALID_INPUT", "RUN_NOT_FOUND"],
  async handle({ principal, params, baseUrl }) {
    const { run, cancelled } = await cancelRun(principal, params.run_id, SUPER_AGENT_KINDS);
    return { status: cancelled ? 202 : 200, body: toRun(run, baseUrl) };
  },
});

export const SUPER_AGENT_OPERATIONS: Operation[] = [
  ...PRODUCT_PROFILE_OPERATIONS,
  ...START_SUPER_AGENT_RUN_OPERATIONS,
  listSuperAgentRunsOperation,
  getSuperAgentRunOperation,
  listSuperAgentRunEventsOperation,
  cancelSuperAgentRunOperation,
];
