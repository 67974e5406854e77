import type { ApprovalKind, ApprovalStatus } from "@/lib/model/approval/approval";

/** A tool call that waits for a person, or waited (contract §5). */
export interface Approval {
  approval_id: string;
  run_id: string;
  agent_id: string | null;
  kind: ApprovalKind;
  tool_call_id: string;
  tool_name: string;
  arguments: unknown;
  summary: string;
  method: string | null;
  target: string | null;
  secret_name: string | null;
  secret_header: string | null;
  definition: object | null;
  /** What a change of an agent would let it do. */
  changes: string[];
  reason: string | null;
  /** The approval of the same call that this one asks anew. */
  replaces: string | null;
  status: ApprovalStatus;
  message: string | null;
  created_at: string;
  expires_at: string;
  decided_at: string | null;
}
