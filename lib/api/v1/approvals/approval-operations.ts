import "server-only";
import { z } from "zod";
import { operation, toList } from "@/lib/api/http/operation";
import { decisionFields, EXAMPLE_DIGEST, statusesField } from "@/lib/api/schemas/approval-fields";
import {
  EXAMPLE_IDS,
  examplePage,
  idField,
  listOf,
  listQuery,
  nullableTime,
  timeField,
} from "@/lib/api/schemas/fields";
import { type ApprovalView, getApproval } from "@/lib/domain/approvals/approval-view";
import { listApprovals } from "@/lib/domain/approvals/list-approvals";
import { resolveApproval } from "@/lib/domain/approvals/resolve-approval";
import { APPROVAL_KINDS, APPROVAL_STATUSES, TOOL_KINDS } from "@/lib/model/approval/approval";

const approvalSchema = z
  .object({
    approval_id: idField,
    run_id: idField,
    agent_id: idField.nullable(),
    kind: z.enum(APPROVAL_KINDS).meta({
      description:
        "`tool_call`, or `agent_edit`: a change that would let an agent do more than before.",
    }),
    tool_call_id: z.string(),
    tool_name: z.string(),
    arguments: z.unknown().meta({ description: "What the model wants to call the tool with." }),
    summary: z.string().meta({ description: "What the call would do, in one line." }),
    tool_kind: z.enum(TOOL_KINDS).nullable().meta({ description: "Where the tool comes from." }),
    method: z
      .string()
      .nullable()
      .meta({ description: "The HTTP method, or an MCP tool's own name." }),
    target: z
      .string()
      .nullable()
      .meta({ description: "The address, with the arguments filled in." }),
    secret_name: z
      .string()
      .nullable()
      .meta({ description: "The secret that the call would send, by its name." }),
    secret_header: z.string().nullable().meta({ description: "The header that would carry it." }),
    definition: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: "The tool as it was defined when the question was asked." }),
    changes: z.array(z.string()).meta({
      description:
        "Of a change of an agent: in words, what it could do afterwards and could not before.",
    }),
    can_remember: z.boolean().meta({
      description:
        "Whether `remember` may go with an approval: the agent then asks no more for the " +
        "tool as it is defined, whatever it is called with.",
    }),
    reason: z.string().nullable().meta({
      description: "Why a person is asked, where the agent's own settings do not say so.",
    }),
    replaces: idField.nullable().meta({
      description:
        "An approval of the same call whose answer no longer counts: the tool has changed since.",
    }),
    digest: z
      .string()
      .nullable()
      .meta({
        description:
          "SHA-256 of the definition and the arguments as they are shown. Only a call that has " +
          "the same is made.",
      }),
    status: z.enum(APPROVAL_STATUSES),
    message: z.string().nullable().meta({ description: "What was said with the decision." }),
    created_at: timeField,
    expires_at: timeField,
    decided_at: nullableTime,
  })
  .meta({ id: "Approval", description: "A tool call that waits for a person, or waited." });

function toApproval(approval: ApprovalView) {
  return {
    approval_id: approval.id,
    run_id: approval.runId,
    agent_id: approval.agentId,
    kind: approval.kind,
    tool_call_id: approval.toolCallId,
    tool_name: approval.toolName,
    arguments: approval.arguments,
    summary: approval.summary,
    tool_kind: approval.shown?.tool_kind ?? null,
    method: approval.shown?.method ?? null,
    target: approval.shown?.target ?? null,
    secret_name: approval.shown?.secret_name ?? null,
    secret_header: approval.shown?.secret_header ?? null,
    definition: approval.shown?.definition ?? null,
    changes: approval.shown?.changes ?? [],
    can_remember: approval.canRemember,
    reason: approval.reason,
    replaces: approval.replaces,
    digest: approval.digest,
    status: approval.status,
    message: approval.message,
    created_at: approval.createdAt.toISOString(),
    expires_at: approval.expiresAt.toISOString(),
    decided_at: approval.decidedAt?.toISOString() ?? null,
  };
}

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
  definition: {
    name: "create_ticket",
    method: "POST",
    url: "https://api.example.com/tickets",
    auth_secret: "CRM_KEY",
  },
  changes: [],
  can_remember: true,
  reason: null,
  replaces: null,
  digest: EXAMPLE_DIGEST,
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
  description:
    "The account's approvals, newest first; `status=pending` gives those that wait for a decision.",
  query: z.object({
    ...listQuery,
    status: statusesField,
    run_id: idField.optional().meta({ description: "Only this run's." }),
  }),
  responses: [
    {
      status: 200,
      description: "A page of approvals.",
      schema: listOf(approvalSchema),
      examples: examplePage(EXAMPLE_APPROVAL),
    },
  ],
  errors: ["INVALID_INPUT"],
  async handle({ principal, query }) {
    const { limit, cursor, status, run_id } = query;
    const page = await listApprovals(principal, {
      limit,
      cursor,
      statuses: status ?? null,
      runId: run_id ?? null,
    });
    return { status: 200, body: toList(page, toApproval) };
  },
});

const getApprovalOperation = operation({
  method: "GET",
  path: PATH,
  operationId: "getApproval",
  tag: "Approvals",
  summary: "Fetch an approval",
  description:
    "The tool call with its arguments, where it goes and with which secret, and what was decided.",
  params,
  responses: [
    {
      status: 200,
      description: "The approval.",
      schema: approvalSchema,
      examples: { approval: EXAMPLE_APPROVAL },
    },
  ],
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
    "Approves or rejects the call, and the run goes on. An approval counts for what it " +
    "shows: when the tool is another one by the time of the call, a new approval asks again. " +
    "The same decision again answers 200; another one, or one that comes after the approval " +
    "expired, 409.",
  params,
  body: z
    .strictObject({
      ...decisionFields,
      remember: z
        .boolean()
        .optional()
        .meta({
          description:
            "With `approve`: the agent asks no more for this tool as it is defined, whatever " +
            "it is called with, until that is taken away or its definition is another one. 409 " +
            "`CONFLICT` where `can_remember` is false.",
        }),
    })
    .meta({ id: "ResolveApprovalRequest" }),
  examples: {
    approve: { decision: "approve" },
    as_shown: { decision: "approve", digest: EXAMPLE_APPROVAL.digest },
    ask_no_more: { decision: "approve", remember: true },
  },
  responses: [
    {
      status: 200,
      description: "The approval.",
      schema: approvalSchema,
      examples: { approval: EXAMPLE_APPROVAL },
    },
  ],
  errors: ["INVALID_INPUT", "APPROVAL_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params, body }) {
    const { decision, message = null, digest = null, remember = false } = body;
    const { approval_id } = params;
    return {
      status: 200,
      body: toApproval(
        await resolveApproval(principal, approval_id, decision, message, digest, remember),
      ),
    };
  },
});

export const APPROVAL_OPERATIONS = [
  listApprovalsOperation,
  getApprovalOperation,
  resolveApprovalOperation,
];
