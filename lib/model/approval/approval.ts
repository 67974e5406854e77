import type { JsonObject } from "@/lib/model/json-schema/json-value";

/**
 * What an approval is about: a call of a tool, or a change that gives an agent more to do than it
 * had.
 */
export const APPROVAL_KINDS = ["tool_call", "agent_edit"] as const;
export type ApprovalKind = (typeof APPROVAL_KINDS)[number];

/** Where the tool of a call comes from. */
export const TOOL_KINDS = ["http", "mcp", "client", "built_in"] as const;
type ToolKind = (typeof TOOL_KINDS)[number];

/** What a person is shown of a call beside its arguments. A secret is named, never shown. */
export interface ShownCall {
  /** Null for a change of an agent. */
  tool_kind: ToolKind | null;
  method: string | null;
  /** The address with the arguments filled in; of an MCP tool, its server's. */
  target: string | null;
  secret_name: string | null;
  /** The header that carries the secret. */
  secret_header: string | null;
  /** The tool as it is defined; null for the service's own. */
  definition: JsonObject | null;
  /** In words, what an agent could do afterwards that it could not do before. */
  changes: string[];
}

/** A question that a person can answer by yes or no. */
export interface ApprovalQuestion {
  kind: ApprovalKind;
  /** What would be done, in one line and without the arguments: streams show it. */
  summary: string;
  /** Why a person is asked, where the agent's own settings do not say so. Streams show it too. */
  reason: string | null;
  shown: ShownCall;
  /** SHA-256 (hex) of everything that the answer is about. */
  digest: string;
  /**
   * SHA-256 (hex) of the tool as it is defined, whatever it is called with; null where a person is
   * asked each time.
   */
  definitionDigest: string | null;
}

/** The states of an approval; all but `pending` are final. */
export const APPROVAL_STATUSES = ["pending", "approved", "rejected", "expired"] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** What a person may decide. */
export const APPROVAL_DECISIONS = ["approve", "reject"] as const;
export type ApprovalDecision = (typeof APPROVAL_DECISIONS)[number];

const DECIDED = { approve: "approved", reject: "rejected" } as const satisfies Record<
  ApprovalDecision,
  ApprovalStatus
>;

/** The state that a decision leads to. */
export function toApprovalStatus(decision: ApprovalDecision): (typeof DECIDED)[ApprovalDecision] {
  return DECIDED[decision];
}

/** Longest message of who decides, in characters. */
export const APPROVAL_MESSAGE_MAX_CHARACTERS = 2_000;
