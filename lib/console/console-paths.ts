interface RunListFilter {
  status?: string;
  agent_id?: string;
  conversation_id?: string;
  "metadata[schedule_id]"?: string;
  created_after?: string;
  limit?: number;
}

interface AuditFilter {
  action?: string;
  created_after?: string;
  created_before?: string;
}

/** The routes that the console reads, as paths below `/api/console/`. A path is also its query's key. */
export const consolePaths = {
  usage: "v1/account/usage",
  account: "v1/account",
  models: "models",
  keys: "keys",
  agentKeys: (agentId: string) => `keys?agent_id=${encodeURIComponent(agentId)}`,
  agentSchedules: (agentId: string) => `v1/agents/${encodeURIComponent(agentId)}/schedules?limit=50`,
  agentSchedule: (agentId: string, scheduleId: string) =>
    `v1/agents/${encodeURIComponent(agentId)}/schedules/${encodeURIComponent(scheduleId)}`,
  conversations: (filter: { family?: string } = {}) => `v1/conversations${toQuery({ limit: 30, ...filter })}`,
  conversation: (id: string) => `v1/conversations/${encodeURIComponent(id)}`,
  agents: (filter: { status?: string; q?: string; limit?: number } = {}) => `v1/agents${toQuery({ limit: 30, ...filter })}`,
  agent: (agentId: string) => `v1/agents/${encodeURIComponent(agentId)}`,
  agentVersions: (agentId: string) => `v1/agents/${encodeURIComponent(agentId)}/versions?limit=50`,
  agentVersion: (agentId: string, versionId: string) =>
    `v1/agents/${encodeURIComponent(agentId)}/versions/${encodeURIComponent(versionId)}`,
  agentEdits: (agentId: string) => `v1/agents/${encodeURIComponent(agentId)}/edits?limit=30`,
  runs: (filter: RunListFilter = {}) => `v1/runs${toQuery({ limit: 30, ...filter })}`,
  run: (runId: string) => `v1/runs/${encodeURIComponent(runId)}?include_input=true`,
  rawRun: (runId: string) => `v1/runs/${encodeURIComponent(runId)}?raw_output=true`,
  runEvents: (runId: string, startingAfter: number) => `v1/runs/${encodeURIComponent(runId)}/events?starting_after=${startingAfter}`,
  superAgentRuns: (filter: { conversation_id?: string } = {}) => `v1/super-agent/runs${toQuery({ limit: 100, ...filter })}`,
  productProfile: "v1/product-profile",
  attention: "attention",
  notifications: "notifications?limit=20",
  approvals: (filter: { status?: string; run_id?: string; limit?: number } = {}) => `v1/approvals${toQuery({ limit: 30, ...filter })}`,
  approval: (approvalId: string) => `v1/approvals/${encodeURIComponent(approvalId)}`,
  secrets: "v1/secrets?limit=50",
  secret: (name: string) => `v1/secrets/${encodeURIComponent(name)}`,
  secretUses: "secret-uses",
  skills: "v1/skills?limit=100",
  skill: (skillId: string) => `v1/skills/${encodeURIComponent(skillId)}`,
  sessions: "sessions?limit=100",
  session: (sessionId: string) => `sessions/${encodeURIComponent(sessionId)}`,
  livingKeys: "keys?limit=100",
  adminInvitations: "admin/invitations?limit=30",
  adminInvitation: (invitationId: string) => `admin/invitations/${encodeURIComponent(invitationId)}`,
  adminAccounts: (filter: { q?: string } = {}) => `admin/accounts${toQuery({ limit: 30, ...filter })}`,
  adminAccount: (accountId: string) => `admin/accounts/${encodeURIComponent(accountId)}`,
  auditEvents: (filter: AuditFilter = {}) => `audit-events${toQuery({ limit: 30, ...filter })}`,
  adminAuditEvents: (filter: AuditFilter & { account_id?: string } = {}) => `admin/audit-events${toQuery({ limit: 30, ...filter })}`,
  webhookSecret: "webhook-secret",
  deliveries: (filter: { status?: string; run_id?: string; limit?: number } = {}) =>
    `v1/webhook-deliveries${toQuery({ limit: 30, ...filter })}`,
  delivery: (deliveryId: string) => `v1/webhook-deliveries/${encodeURIComponent(deliveryId)}`,
  workspaces: "v1/workspaces?limit=100",
  workspace: (id: string) => `v1/workspaces/${encodeURIComponent(id)}`,
  workspaceFiles: (id: string) => `v1/workspaces/${encodeURIComponent(id)}/files?limit=50`,
  workspaceAgents: (id: string) => `v1/workspaces/${encodeURIComponent(id)}/agents?limit=100`,
  workspaceFileContent: (id: string, fileId: string) =>
    `v1/workspaces/${encodeURIComponent(id)}/files/${encodeURIComponent(fileId)}/content`,
} as const;

function toQuery(parameters: Record<string, string | number | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined && value !== "") query.set(name, String(value));
  return query.size === 0 ? "" : `?${query}`;
}
