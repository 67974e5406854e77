import type { components } from "./openapi-types";

type Schemas = components["schemas"];

/** The objects of the API, in the words of its document. */
export type Account = Schemas["Account"];
export type AccountUsage = Schemas["AccountUsage"];
export type Agent = Schemas["Agent"];
export type AgentMetadata = Schemas["AgentMetadata"];
export type AgentVersion = Schemas["AgentVersion"];
export type AgentVersionMetadata = Schemas["AgentVersionMetadata"];
export type Approval = Schemas["Approval"];
export type Artifact = Schemas["Artifact"];
export type Card = Schemas["Card"];
export type Conversation = Schemas["Conversation"];
export type ConvertOpenapiRequest = Schemas["ConvertOpenapiRequest"];
export type EditRun = Schemas["EditRun"];
export type EndUser = Schemas["EndUser"];
export type ErrorBody = Schemas["Error"];
export type Message = Schemas["Message"];
/** Any model that a service has: those known to these types are offered by an editor. */
export type ModelId = Schemas["KnownModelId"] | (string & {});
export type ProductProfile = Schemas["ProductProfileOutput"];
export type RealtimeRunRequest = Schemas["RealtimeRunRequest"];
export type Run = Schemas["Run"];
export type RunEvent = Schemas["RunEvent"];
export type RunResult = Schemas["RunResult"];
export type RunPrompt = Schemas["RunPrompt"];
export type RunSpan = Schemas["RunSpan"];
export type Schedule = Schemas["Schedule"];
export type ScheduleFiring = Schemas["ScheduleFiring"];
export type Memory = Schemas["Memory"];
export type AgentCase = Schemas["AgentCase"];
export type NewAgentCase = Schemas["CreateAgentCaseRequest"];
export type RememberedApproval = Schemas["RememberedApproval"];
export type Connection = Schemas["Connection"];
export type Secret = Schemas["Secret"];
export type Skill = Schemas["Skill"];
export type SkillDetail = Schemas["SkillDetail"];
export type SuperAgentRealtimeRunRequest = Schemas["SuperAgentRealtimeRunRequest"];
export type Usage = Schemas["Usage"];
export type WebhookDelivery = Schemas["WebhookDelivery"];
export type WebhookEndpoint = Schemas["WebhookEndpoint"];
export type Workspace = Schemas["Workspace"];
export type WorkspaceFile = Schemas["WorkspaceFile"];

/**
 * A line with a place in the run's log: all but the keepalive and the end of a broken stream, which
 * a reader of events never sees.
 */
export type LoggedEvent = Exclude<RunEvent, { type: "ping" } | { type: "error" }>;
/** The last event of every run. */
export type TerminalEvent = Extract<RunEvent, { type: "run.completed" } | { type: "run.failed" }>;

/** A page of a list, newest first. */
export interface Page<Row> {
  data: Row[];
  has_more: boolean;
  /** `cursor` of the next page; null on the last. */
  next_cursor: string | null;
}
