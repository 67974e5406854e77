import "server-only";
import { APP_OPERATIONS } from "@/lib/api/apps/operations";
import type { Operation } from "@/lib/api/http/operation";
import {
  ACCOUNT_OPERATIONS,
  WEBHOOK_SECRET_OPERATIONS,
} from "@/lib/api/v1/account/account-operations";
import { AGENT_EDIT_OPERATIONS } from "@/lib/api/v1/agents/agent-edit-operations";
import { AGENT_OPERATIONS } from "@/lib/api/v1/agents/agent-operations";
import { AGENT_VERSION_OPERATIONS } from "@/lib/api/v1/agents/agent-version-operations";
import { CASE_OPERATIONS } from "@/lib/api/v1/agents/case-operations";
import { MEMORY_OPERATIONS } from "@/lib/api/v1/agents/memory-operations";
import { REMEMBERED_APPROVAL_OPERATIONS } from "@/lib/api/v1/agents/remembered-approval-operations";
import { APPROVAL_OPERATIONS } from "@/lib/api/v1/approvals/approval-operations";
import { ARTIFACT_OPERATIONS } from "@/lib/api/v1/artifacts/artifact-operations";
import { CLIENT_TOKEN_OPERATIONS } from "@/lib/api/v1/client-tokens/client-token-operations";
import { CONNECTION_OPERATIONS } from "@/lib/api/v1/connections/connection-operations";
import { CONNECTOR_OPERATIONS } from "@/lib/api/v1/connectors/connector-operations";
import { CONVERSATION_OPERATIONS } from "@/lib/api/v1/conversations/conversation-operations";
import { END_USER_OPERATIONS } from "@/lib/api/v1/end-users/end-user-operations";
import { EVENT_OPERATIONS } from "@/lib/api/v1/events/event-operations";
import { FILE_OPERATIONS } from "@/lib/api/v1/files/file-operations";
import { RUN_FILE_OPERATIONS } from "@/lib/api/v1/runs/run-file-operations";
import { RUN_OPERATIONS } from "@/lib/api/v1/runs/run-operations";
import {
  createRealtimeRunOperation,
  listRunEventsOperation,
} from "@/lib/api/v1/runs/run-stream-operations";
import { SCHEDULE_OPERATIONS } from "@/lib/api/v1/schedules/schedule-operations";
import { getOpenapiOperation, SCHEMA_OPERATIONS } from "@/lib/api/v1/schemas/schema-operations";
import { SECRET_OPERATIONS } from "@/lib/api/v1/secrets/secret-operations";
import { SKILL_OPERATIONS } from "@/lib/api/v1/skills/skill-operations";
import { PRODUCT_PROFILE_OPERATIONS } from "@/lib/api/v1/super-agent/product-profile-operations";
import { SUPER_AGENT_OPERATIONS } from "@/lib/api/v1/super-agent/super-agent-operations";
import { TEMPLATE_OPERATIONS } from "@/lib/api/v1/templates/template-operations";
import { DELIVERY_OPERATIONS } from "@/lib/api/v1/webhooks/delivery-operations";
import { ENDPOINT_OPERATIONS } from "@/lib/api/v1/webhooks/endpoint-operations";
import { WORKSPACE_OPERATIONS } from "@/lib/api/v1/workspaces/workspace-operations";

/**
 * The operations of `/v1` by the first segment behind it, each of which has a route file under
 * `app/v1`.
 */
export const V1_OPERATIONS_BY_NOUN = {
  agents: [
    ...AGENT_OPERATIONS,
    ...AGENT_VERSION_OPERATIONS,
    ...AGENT_EDIT_OPERATIONS,
    ...SCHEDULE_OPERATIONS,
    ...MEMORY_OPERATIONS,
    ...REMEMBERED_APPROVAL_OPERATIONS,
    ...CASE_OPERATIONS,
  ],
  "client-tokens": CLIENT_TOKEN_OPERATIONS,
  connectors: CONNECTOR_OPERATIONS,
  connections: CONNECTION_OPERATIONS,
  conversations: CONVERSATION_OPERATIONS,
  "end-users": END_USER_OPERATIONS,
  schemas: SCHEMA_OPERATIONS,
  runs: [...RUN_OPERATIONS, ...RUN_FILE_OPERATIONS, listRunEventsOperation],
  realtime: [createRealtimeRunOperation],
  artifacts: ARTIFACT_OPERATIONS,
  account: [...ACCOUNT_OPERATIONS, ...WEBHOOK_SECRET_OPERATIONS],
  workspaces: [...WORKSPACE_OPERATIONS, ...FILE_OPERATIONS],
  secrets: SECRET_OPERATIONS,
  skills: SKILL_OPERATIONS,
  templates: TEMPLATE_OPERATIONS,
  approvals: APPROVAL_OPERATIONS,
  "webhook-deliveries": DELIVERY_OPERATIONS,
  "webhook-endpoints": ENDPOINT_OPERATIONS,
  events: EVENT_OPERATIONS,
  "product-profile": PRODUCT_PROFILE_OPERATIONS,
  "super-agent": SUPER_AGENT_OPERATIONS,
  "openapi.json": [getOpenapiOperation(() => [...V1_OPERATIONS, ...APP_OPERATIONS])],
} satisfies Record<string, Operation[]>;

/** Every operation of `/v1`: what is routed is what is documented. */
export const V1_OPERATIONS: Operation[] = Object.values(V1_OPERATIONS_BY_NOUN).flat();
