import {
  type Client,
  createFinalURL,
  createQuerySerializer,
  defaultPathSerializer,
} from "openapi-fetch";
import type { paths as PublicPaths } from "@/lib/client/openapi-types";
import type { Page } from "@/lib/client/schemas";
import type { AnswerOf, InitOf, PathOf } from "@/lib/client/verbs";
import type { paths as OwnPaths } from "@/lib/console/console-api-types";

/** Where the console's requests go; the session's cookie is the key there. */
export const CONSOLE_ADDRESS = "/api/console";

/** What there is below it: the public operations, and the console's own. */
export type ConsolePaths = Omit<PublicPaths, `/api/v1/${string}`> & OwnPaths;
export type ConsoleClient = Client<ConsolePaths>;

/** The paths that can be read. */
export type ReadPath = PathOf<ConsolePaths, "get">;
/** What reading one gives. */
export type ReadAnswer<P extends ReadPath> = AnswerOf<ConsolePaths, "get", P>;

/** The paths that answer page by page, and the rows that they give. */
export type ListPath = {
  [P in ReadPath]: ReadAnswer<P> extends Page<unknown> ? P : never;
}[ReadPath];
export type RowOf<P extends ListPath> = ReadAnswer<P> extends Page<infer Row> ? Row : never;

/**
 * One reading: its path with whatever is asked of it. What is asked is checked where it is made, by
 * `read`.
 */
export interface Read<P extends ReadPath = ReadPath> {
  readonly path: P;
  readonly params: {
    readonly path?: Record<string, string>;
    readonly query?: Record<string, unknown>;
  };
  /** Below `CONSOLE_ADDRESS`, filled in. */
  readonly url: string;
}

/** What a path and its query are asked with. */
export type ParamsOf<
  P extends keyof ConsolePaths,
  M extends "get" | "post",
> = ConsolePaths[P] extends {
  [K in M]: { parameters: infer T extends object };
}
  ? Omit<T, "header" | "cookie">
  : never;

const serializeQuery = createQuerySerializer();

/** A path with its parameters filled in, below `CONSOLE_ADDRESS`. */
export function addressOf(path: string, params: Read["params"]): string {
  return createFinalURL(path, {
    baseUrl: "",
    params,
    querySerializer: serializeQuery,
    pathSerializer: defaultPathSerializer,
  });
}

/** A reading of a path of the document. What is undefined or empty is not asked for. */
function read<P extends ReadPath>(path: P, ...[init]: InitOf<ParamsOf<P, "get">>): Read<P> {
  // As the document types them, with the names forgotten.
  const { path: places = {}, query = {} } = (init ?? {}) as Read["params"];
  const asked = Object.fromEntries(
    Object.entries(query).filter(([, value]) => value !== undefined && value !== ""),
  );
  const params = { path: places, query: asked };
  return { path, params, url: addressOf(path, params) };
}

type Filled<P extends string> = P extends `${infer Start}{${string}}${infer Rest}`
  ? `${Start}${string}${Filled<Rest>}`
  : P;

/** What may be out of date: all that is read at a path and below it. */
export type ReadScope = Filled<ReadPath> | Read;

/**
 * The React Query key: the address split at `/` and `?`, so that invalidating
 * `queryKey("/v1/agents")` reaches every list and record below it.
 * Server and browser make the same key of the same reading, which is what hydration needs.
 */
export function queryKey(scope: ReadScope): string[] {
  return (typeof scope === "string" ? scope : scope.url).split(/[/?]/);
}

/** The key of a list that is read page by page. */
export function pagesKey(scope: ReadScope): string[] {
  return [...queryKey(scope), "pages"];
}

type QueryOf<P extends ReadPath> = NonNullable<
  ParamsOf<P, "get"> extends { query?: infer Q } ? Q : never
>;

const agentPath = (agentId: string) => ({ path: { agent_id: agentId } });
const workspacePath = (workspaceId: string) => ({ path: { workspace_id: workspaceId } });

/** What the console's pages read. */
export const reads = {
  usage: read("/v1/account/usage"),
  account: read("/v1/account"),
  models: read("/models"),
  keys: read("/keys"),
  allKeys: read("/keys", { query: { limit: 100 } }),
  agentKeys: (agentId: string) => read("/keys", { query: { agent_id: agentId } }),
  agents: (filter: QueryOf<"/v1/agents"> = {}) =>
    read("/v1/agents", { query: { limit: 30, ...filter } }),
  agent: (agentId: string) => read("/v1/agents/{agent_id}", agentPath(agentId)),
  agentExport: (agentId: string) => read("/v1/agents/{agent_id}/export", agentPath(agentId)),
  agentSchedules: (agentId: string) =>
    read("/v1/agents/{agent_id}/schedules", { ...agentPath(agentId), query: { limit: 50 } }),
  scheduleFirings: (agentId: string, scheduleId: string) =>
    read("/v1/agents/{agent_id}/schedules/{schedule_id}/firings", {
      path: { agent_id: agentId, schedule_id: scheduleId },
      query: { limit: 20 },
    }),
  agentMemories: (agentId: string) =>
    read("/v1/agents/{agent_id}/memories", { ...agentPath(agentId), query: { limit: 50 } }),
  agentCases: (agentId: string) =>
    read("/v1/agents/{agent_id}/cases", { ...agentPath(agentId), query: { limit: 50 } }),
  agentRemembered: (agentId: string) =>
    read("/v1/agents/{agent_id}/remembered-approvals", {
      ...agentPath(agentId),
      query: { limit: 50 },
    }),
  agentVersions: (agentId: string) =>
    read("/v1/agents/{agent_id}/versions", { ...agentPath(agentId), query: { limit: 50 } }),
  agentVersion: (agentId: string, versionId: string) =>
    read("/v1/agents/{agent_id}/versions/{version_id}", {
      path: { agent_id: agentId, version_id: versionId },
    }),
  agentEdits: (agentId: string) =>
    read("/v1/agents/{agent_id}/edits", { ...agentPath(agentId), query: { limit: 30 } }),
  conversations: (filter: QueryOf<"/v1/conversations"> = {}) =>
    read("/v1/conversations", { query: { limit: 30, ...filter } }),
  conversation: (conversationId: string) =>
    read("/v1/conversations/{conversation_id}", { path: { conversation_id: conversationId } }),
  runs: (filter: QueryOf<"/v1/runs"> = {}) => read("/v1/runs", { query: { limit: 30, ...filter } }),
  /** Those that a run has started: an agent's starts 20 at most. */
  startedRuns: (runId: string) => read("/v1/runs", { query: { limit: 50, parent_run_id: runId } }),
  run: (runId: string) =>
    read("/v1/runs/{run_id}", { path: { run_id: runId }, query: { include_input: true } }),
  runMessages: (runId: string) => read("/v1/runs/{run_id}/messages", { path: { run_id: runId } }),
  superAgentRunMessages: (runId: string) =>
    read("/v1/super-agent/runs/{run_id}/messages", { path: { run_id: runId } }),
  runTrace: (runId: string) => read("/v1/runs/{run_id}/trace", { path: { run_id: runId } }),
  runFiles: (runId: string) =>
    read("/v1/runs/{run_id}/files", { path: { run_id: runId }, query: { limit: 100 } }),
  runFileContent: (runId: string, path: string) =>
    read("/v1/runs/{run_id}/files/content", { path: { run_id: runId }, query: { path } }),
  rawRun: (runId: string) =>
    read("/v1/runs/{run_id}", { path: { run_id: runId }, query: { raw_output: true } }),
  superAgentRun: (runId: string) =>
    read("/v1/super-agent/runs/{run_id}", { path: { run_id: runId } }),
  superAgentRuns: (conversationId: string) =>
    read("/v1/super-agent/runs", { query: { limit: 100, conversation_id: conversationId } }),
  productProfile: read("/v1/product-profile"),
  attention: read("/attention"),
  notifications: read("/notifications", { query: { limit: 20 } }),
  approvals: (filter: QueryOf<"/v1/approvals"> = {}) =>
    read("/v1/approvals", { query: { limit: 30, ...filter } }),
  approval: (approvalId: string) =>
    read("/v1/approvals/{approval_id}", { path: { approval_id: approvalId } }),
  secrets: read("/v1/secrets", { query: { limit: 50 } }),
  secretUses: read("/secret-uses"),
  connections: read("/v1/connections", { query: { limit: 50 } }),
  connectionUses: read("/connection-uses"),
  endUsers: (prefix: string) => read("/v1/end-users", { query: { limit: 30, prefix } }),
  endUser: (endUser: string) => read("/v1/end-users/{end_user}", { path: { end_user: endUser } }),
  endUserSecrets: (endUser: string) =>
    read("/v1/secrets", { query: { limit: 50, end_user: endUser } }),
  endUserConnections: (endUser: string) =>
    read("/v1/connections", { query: { limit: 50, end_user: endUser } }),
  templates: read("/v1/templates", { query: { limit: 100 } }),
  template: (name: string) => read("/v1/templates/{name}", { path: { name } }),
  skills: read("/v1/skills", { query: { limit: 100 } }),
  skill: (skillId: string) => read("/v1/skills/{skill_id}", { path: { skill_id: skillId } }),
  secondFactor: read("/second-factor"),
  sessions: read("/sessions", { query: { limit: 100 } }),
  adminInvitations: read("/admin/invitations", { query: { limit: 30 } }),
  adminAccounts: (filter: QueryOf<"/admin/accounts"> = {}) =>
    read("/admin/accounts", { query: { limit: 30, ...filter } }),
  auditEvents: (filter: QueryOf<"/audit-events"> = {}) =>
    read("/audit-events", { query: { limit: 30, ...filter } }),
  adminAuditEvents: (filter: QueryOf<"/admin/audit-events"> = {}) =>
    read("/admin/audit-events", { query: { limit: 30, ...filter } }),
  webhookSecret: read("/v1/account/webhook-secret"),
  endpoints: read("/v1/webhook-endpoints", { query: { limit: 30 } }),
  deliveries: (filter: QueryOf<"/v1/webhook-deliveries"> = {}) =>
    read("/v1/webhook-deliveries", { query: { limit: 30, ...filter } }),
  delivery: (deliveryId: string) =>
    read("/v1/webhook-deliveries/{delivery_id}", { path: { delivery_id: deliveryId } }),
  workspaces: read("/v1/workspaces", { query: { limit: 100 } }),
  workspace: (workspaceId: string) =>
    read("/v1/workspaces/{workspace_id}", workspacePath(workspaceId)),
  workspaceFiles: (workspaceId: string) =>
    read("/v1/workspaces/{workspace_id}/files", {
      ...workspacePath(workspaceId),
      query: { limit: 50 },
    }),
  workspaceFileContent: (workspaceId: string, fileId: string) =>
    read("/v1/workspaces/{workspace_id}/files/{file_id}/content", {
      path: { workspace_id: workspaceId, file_id: fileId },
    }),
  workspaceAgents: (workspaceId: string) =>
    read("/v1/workspaces/{workspace_id}/agents", {
      ...workspacePath(workspaceId),
      query: { limit: 100 },
    }),
} as const;

/** What the overview reads of longer lists. */
export const overviewPaths = {
  agents: reads.agents({ limit: 6 }),
  runs: reads.runs({ limit: 50 }),
};
