import type { ApprovalStatus } from "@/lib/model/approval/approval-status";

/** A tool call that waits for a person, or waited (contract §5). */
export interface Approval {
  approval_id: string;
  run_id: string;
  agent_id: string | null;
  tool_call_id: string;
  tool_name: string;
  arguments: unknown;
  summary: string;
  status: ApprovalStatus;
  message: string | null;
  created_at: string;
  expires_at: string;
  decided_at: string | null;
}
