import "server-only";
import { z } from "zod";
import { operation } from "@/lib/api/http/operation";
import { decisionFields, EXAMPLE_DIGEST, statusesField } from "@/lib/api/schemas/approval-fields";
import { EXAMPLE_IDS, idField, listQuery, nullableTime, timeField } from "@/lib/api/schemas/fields";
import { type ApprovalView, getApproval } from "@/lib/domain/approvals/approval-view";
import { listApprovals } from "@/lib/domain/approvals/list-approvals";
import { resolveApproval } from "@/lib/domain/approvals/resolve-approval";
import { requireApp } from "@/lib/domain/apps/require-app";
import { APPROVAL_KINDS, APPROVAL_STATUSES } from "@/lib/model/approval/approval";

/**
 * What is shown to whoever decides on this path. How the agent's tool is defined, and which of the
 * account's secrets it would send, is for the account alone.
 */
const appApprovalSchema = z
  .object({
    approvalId: idField,
    runId: idField,
    appId: idField,
    kind: z.enum(APPROVAL_KINDS),
    toolCallId: z.string(),
    toolName: z.string(),
    arguments: z.unknown().meta({ description: "What the model wants to call the tool with." }),
    summary: z.string().meta({ description: "What the call would do, in one line." }),
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
    createdAt: timeField,
    expiresAt: timeField,
    decidedAt: nullableTime,
  })
  .meta({ id: "AppApproval", description: "A tool call of an app run that waits for a person." });

const appApprovalPageSchema = z
  .object({
    data: z.array(appApprovalSchema),
    hasMore: z.boolean(),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: "AppApprovalPage" });

function toAppApproval(approval: ApprovalView) {
  return {
    approvalId: approval.id,
    runId: approval.runId,
    appId: approval.agentId,
    kind: approval.kind,
    toolCallId: approval.toolCallId,
    toolName: approval.toolName,
    arguments: approval.arguments,
    summary: approval.summary,
    reason: approval.reason,
    replaces: approval.replaces,
    digest: approval.digest,
    status: approval.status,
    message: approval.message,
    createdAt: approval.createdAt.toISOString(),
    expiresAt: approval.expiresAt.toISOString(),
    decidedAt: approval.decidedAt?.toISOString() ?? null,
  };
}

const EXAMPLE_APPROVAL: z.output<typeof appApprovalSchema> = {
  approvalId: EXAMPLE_IDS.approval_id,
  runId: EXAMPLE_IDS.run_id,
  appId: EXAMPLE_IDS.agent_id,
  kind: "tool_call",
  toolCallId: "call_1",
  toolName: "create_ticket",
  arguments: { title: "Refund for order 4711" },
  summary: "create_ticket: POST https://api.example.com/tickets",
  reason: null,
  replaces: null,
  digest: EXAMPLE_DIGEST,
  status: "pending",
  message: null,
  createdAt: "2026-01-31T09:30:02.000Z",
  expiresAt: "2026-02-01T09:30:02.000Z",
  decidedAt: null,
};

const PATH = "/api/v1/apps/{appId}/approvals";
const params = z.object({ appId: idField, approvalId: idField });

const listAppApprovalsOperation = operation({
  method: "GET",
  path: PATH,
  operationId: "listAppApprovals",
  tag: "App-scoped path",
  summary: "List approvals",
  description: "The approvals of the agent's runs on this path, newest first.",
  auth: "app",
  params: z.object({ appId: idField }),
  query: z.object({
    ...listQuery,
    status: statusesField,
    runId: idField.optional().meta({ description: "Only this run's." }),
  }),
  responses: [
    {
      status: 200,
      description: "A page of approvals.",
      schema: appApprovalPageSchema,
      examples: { list: { data: [EXAMPLE_APPROVAL], hasMore: false, nextCursor: null } },
    },
  ],
  errors: ["INVALID_INPUT", "APP_NOT_FOUND"],
  async handle({ principal, params, query }) {
    requireApp(principal, params.appId, "read");
    const { limit, cursor, status, runId } = query;
    const page = await listApprovals(principal, {
      limit,
      cursor,
      statuses: status ?? null,
      runId: runId ?? null,
    });
    return {
      status: 200,
      body: {
        data: page.data.map(toAppApproval),
        hasMore: page.nextCursor !== null,
        nextCursor: page.nextCursor,
      },
    };
  },
});

const getAppApprovalOperation = operation({
  method: "GET",
  path: `${PATH}/{approvalId}`,
  operationId: "getAppApproval",
  tag: "App-scoped path",
  summary: "Fetch an approval",
  description: "The tool call with its arguments, and what was decided.",
  auth: "app",
  params,
  responses: [
    {
      status: 200,
      description: "The approval.",
      schema: appApprovalSchema,
      examples: { approval: EXAMPLE_APPROVAL },
    },
  ],
  errors: ["INVALID_INPUT", "APP_NOT_FOUND", "APPROVAL_NOT_FOUND"],
  async handle({ principal, params }) {
    requireApp(principal, params.appId, "read");
    return { status: 200, body: toAppApproval(await getApproval(principal, params.approvalId)) };
  },
});

const resolveAppApprovalOperation = operation({
  method: "POST",
  path: `${PATH}/{approvalId}/resolve`,
  operationId: "resolveAppApproval",
  tag: "App-scoped path",
  summary: "Decide an approval",
  description:
    "Approves or rejects the call, and the run goes on. The same decision again answers 200; " +
    "another one, or one that comes after the approval expired, 409. With a client token it " +
    "is the token's person who decides.",
  auth: "app",
  params,
  body: z.strictObject(decisionFields).meta({ id: "ResolveAppApprovalRequest" }),
  examples: {
    approve: { decision: "approve" },
    asShown: { decision: "approve", digest: EXAMPLE_DIGEST },
  },
  creates: ["nothing"],
  responses: [
    {
      status: 200,
      description: "The approval.",
      schema: appApprovalSchema,
      examples: { approval: EXAMPLE_APPROVAL },
    },
  ],
  errors: ["INVALID_INPUT", "APP_NOT_FOUND", "APPROVAL_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params, body }) {
    requireApp(principal, params.appId, "approve");
    const { decision, message = null, digest = null } = body;
    return {
      status: 200,
      body: toAppApproval(
        await resolveApproval(principal, params.approvalId, decision, message, digest),
      ),
    };
  },
});

export const APP_APPROVAL_OPERATIONS = [
  listAppApprovalsOperation,
  getAppApprovalOperation,
  resolveAppApprovalOperation,
];
