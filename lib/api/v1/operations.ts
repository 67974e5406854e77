import "server-only";
import { APP_OPERATIONS } from "@/lib/api/apps/operations";
import type { Operation } from "@/lib/api/http/operation";
import { getAccountOperation } from "@/lib/api/v1/account/get-account-operation";
import { getAccountUsageOperation } from "@/lib/api/v1/account/get-account-usage-operation";
import { WEBHOOK_SECRET_OPERATIONS } from "@/lib/api/v1/account/webhook-secret-operations";
import { AGENT_EDIT_OPERATIONS } from "@/lib/api/v1/agents/agent-edit-operations";
import { AGENT_VERSION_OPERATIONS } from "@/lib/api/v1/agents/agent-version-operations";
import { archiveAgentOperation } from "@/lib/api/v1/agents/archive-agent-operation";
import { duplicateAgentOperation } from "@/lib/api/v1/agents/duplicate-agent-operation";
import { exportAgentOperation } from "@/lib/api/v1/agents/export-agent-operation";
import { getAgentOperation } from "@/lib/api/v1/agents/get-agent-operation";
import { importAgentOperation } from "@/lib/api/v1/agents/import-agent-operation";
import { listAgentsOperation } from "@/lib/api/v1/agents/list-agents-operation";
import { startAgentCreation } from "@/lib/api/v1/agents/start-agent-creation";
import { updateAgentOperation } from "@/lib/api/v1/agents/update-agent-operation";
import { APPROVAL_OPERATIONS } from "@/lib/api/v1/approvals/approval-operations";
import { deleteArtifactOperation } from "@/lib/api/v1/artifacts/delete-artifact-operation";
import { CONVERSATION_OPERATIONS } from "@/lib/api/v1/conversations/conversation-operations";
import { FILE_OPERATIONS } from "@/lib/api/v1/files/file-operations";
import { getOpenapiOperation } from "@/lib/api/v1/openapi/get-openapi-operation";
import { cancelRunOperation } from "@/lib/api/v1/runs/cancel-run-operation";
import { createRealtimeRunOperation } from "@/lib/api/v1/runs/create-realtime-run-operation";
import { createRunOperation } from "@/lib/api/v1/runs/create-run-operation";
import { deleteRunOperation } from "@/lib/api/v1/runs/delete-run-operation";
import { getRunOperation } from "@/lib/api/v1/runs/get-run-operation";
import { listRunEventsOperation } from "@/lib/api/v1/runs/list-run-events-operation";
import { listRunsOperation } from "@/lib/api/v1/runs/list-runs-operation";
import { SCHEDULE_OPERATIONS } from "@/lib/api/v1/schedules/schedule-operations";
import { SCHEMA_OPERATIONS } from "@/lib/api/v1/schemas/schema-operations";
import { SECRET_OPERATIONS } from "@/lib/api/v1/secrets/secret-operations";
import { SKILL_OPERATIONS } from "@/lib/api/v1/skills/skill-operations";
import { SUPER_AGENT_OPERATIONS } from "@/lib/api/v1/super-agent/super-agent-operations";
import { DELIVERY_OPERATIONS } from "@/lib/api/v1/webhooks/delivery-operations";
import { assignAgentOperation } from "@/lib/api/v1/workspaces/assign-agent-operation";
import { createWorkspaceOperation } from "@/lib/api/v1/workspaces/create-workspace-operation";
import { deleteWorkspaceOperation } from "@/lib/api/v1/workspaces/delete-workspace-operation";
import { getWorkspaceOperation } from "@/lib/api/v1/workspaces/get-workspace-operation";
import { listWorkspaceAgentsOperation } from "@/lib/api/v1/workspaces/list-workspace-agents-operation";
import { listWorkspacesOperation } from "@/lib/api/v1/workspaces/list-workspaces-operation";
import { unassignAgentOperation } from "@/lib/api/v1/workspaces/unassign-agent-operation";
import { updateWorkspaceOperation } from "@/lib/api/v1/workspaces/update-workspace-operation";

/** Every operation of `/v1`: what is routed is what is documented. */
export const V1_OPERATIONS: Operation[] = [
  startAgentCreation,
  listAgentsOperation,
  getAgentOperation,
  updateAgentOperation,
  archiveAgentOperation,
  duplicateAgentOperation,
  exportAgentOperation,
  importAgentOperation,
  ...AGENT_VERSION_OPERATIONS,
  ...AGENT_EDIT_OPERATIONS,
  ...CONVERSATION_OPERATIONS,
  ...SCHEMA_OPERATIONS,
  createRunOperation,
  listRunsOperation,
  getRunOperation,
  cancelRunOperation,
  deleteRunOperation,
  listRunEventsOperation,
  createRealtimeRunOperation,
  deleteArtifactOperation,
  getAccountOperation,
  getAccountUsageOperation,
  createWorkspaceOperation,
  listWorkspacesOperation,
  getWorkspaceOperation,
  updateWorkspaceOperation,
  deleteWorkspaceOperation,
  assignAgentOperation,
  unassignAgentOperation,
  listWorkspaceAgentsOperation,
  ...FILE_OPERATIONS,
  ...SECRET_OPERATIONS,
  ...SKILL_OPERATIONS,
  ...APPROVAL_OPERATIONS,
  ...SCHEDULE_OPERATIONS,
  ...DELIVERY_OPERATIONS,
  ...WEBHOOK_SECRET_OPERATIONS,
  ...SUPER_AGENT_OPERATIONS,
  getOpenapiOperation(() => [...V1_OPERATIONS, ...APP_OPERATIONS]),
];
