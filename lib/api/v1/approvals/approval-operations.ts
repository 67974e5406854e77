import "server-only";
import { z } from "zod";
import { operation } from "@/lib/api/http/operation";
import { toList } from "@/lib/api/http/to-list";
import { approvalSchema, toApproval } from "@/lib/api/v1/approvals/approval-schema";
import { statusesField } from "@/lib/api/v1/approvals/statuses-field";
import { EXAMPLE_IDS } from "@/lib/api/v1/schemas/example-ids";
import { examplePage } from "@/lib/api/v1/schemas/example-page";
import { idField, listOf, listQuery } from "@/lib/api/v1/schemas/fields";
import { getApproval } from "@/lib/domain/approvals/get-approval";
import { listApprovals } from "@/lib/domain/approvals/list-approvals";
import { resolveApproval } from "@/lib/domain/approvals/resolve-approval";
import { APPROVAL_DECISIONS, APPROVAL_MESSAGE_MAX_CHARACTERS } from "@/lib/model/approval/approval-status";
import { textOf } from "@/lib/model/text-of";

const PATH = "/v1/approvals/{approval_id}";
const params = z.object({ approval_id: idField });

const EXAMPLE_APPROVAL: z.output<typeof approvalSchema> = {
  approval_id: EXAMPLE_IDS.approval_id,
  run_id: EXAMPLE_IDS.run_id,
  agent_id: EXAMPLE_IDS.agent_id,
  kind: "tool_call",
  tool_call_id: "call_1",
  tool_name: "create_ticket",
  arguments: { title: "Refund for order 4711" },
  summary: "create_ticket: POST https://api.example.com/tickets",
  tool_kind: "http",
  method: "POST",
  target: "https://api.example.com/tickets",
  secret_name: "CRM_KEY",
  secret_header: "Authorization",
  definition: { name: "create_ticket", method: "POST", url: "https://api.example.com/tickets", auth_secret: "CRM_KEY" },
  changes: [],
  reason: null,
  replaces: null,
  digest: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  status: "pending",
  message: null,
  created_at: "2026-01-31T09:30:02.000Z",
  expires_at: "2026-02-01T09:30:02.000Z",
  decided_at: null,
};

const listApprovalsOperation = operation({
  method: "GET",
  path: "/v1/approvals",
  operationId: "listApprovals",
  tag: "Approvals",
  summary: "List approvals",
  description: "The account's approvals, newest first; `status=pending` gives those that wait for a decision.",
  query: z.object({
    ...listQuery,
    status: statusesField,
    run_id: idField.optional().meta({ description: "Only this run's." }),
  }),
  responses: [
    { status: 200, description: "A page of approvals.", schema: listOf(approvalSchema), examples: examplePage(EXAMPLE_APPROVAL) },
  ],
  errors: ["INVALID_INPUT"],
  async handle({ principal, query }) {
    const { limit, cursor, status, run_id } = query;
    const page = await listApprovals(principal, { limit, cursor, statuses: status ?? null, runId: run_id ?? null });
    return { status: 200, body: toList(page, toApproval) };
  },
});

const getApprovalOperation = operation({
  method: "GET",
  path: PATH,
  operationId: "getApproval",
  tag: "Approvals",
  summary: "Fetch an approval",
  description: "The tool call with its arguments, where it goes and with which secret, and what was decided.",
  params,
  responses: [{ status: 200, description: "The approval.", schema: approvalSchema, examples: { approval: EXAMPLE_APPROVAL } }],
  errors: ["INVALID_INPUT", "APPROVAL_NOT_FOUND"],
  async handle({ principal, params }) {
    return { status: 200, body: toApproval(await getApproval(principal, params.approval_id)) };
  },
});

const resolveApprovalOperation = operation({
  method: "POST",
  path: `${PATH}/resolve`,
  operationId: "resolveApproval",
  tag: "Approvals",
  summary: "Decide an approval",
  description:
    "Approves or rejects the call, and the run goes on. An approval counts for what it shows: when the tool is another one by the time of the call, a new approval asks again. The same decision again answers 200; another one, or one that comes after the approval expired, 409.",
  params,
  body: z
    .strictObject({
      decision: z.enum(APPROVAL_DECISIONS, "must be approve or reject"),
      message: textOf(APPROVAL_MESSAGE_MAX_CHARACTERS)
        .nullable()
        .optional()
        .meta({ description: "Told to the model when the call is rejected.", example: "Ask the customer first." }),
    })
    .meta({ id: "ResolveApprovalRequest" }),
  examples: { approve: { decision: "approve" } },
  responses: [{ status: 200, description: "The approval.", schema: approvalSchema, examples: { approval: EXAMPLE_APPROVAL } }],
  errors: ["INVALID_INPUT", "APPROVAL_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params, body }) {
    return { status: 200, body: toApproval(await resolveApproval(principal, params.approval_id, body.decision, body.message ?? null)) };
  },
});

export const APPROVAL_OPERATIONS = [listApprovalsOperation, getApprovalOperation, resolveApprovalOperation];
