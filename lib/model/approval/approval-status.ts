/** The states of an approval; all but `pending` are final. */
export const APPROVAL_STATUSES = ["pending", "approved", "rejected", "expired"] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** What a person may decide. */
export const APPROVAL_DECISIONS = ["approve", "reject"] as const;
export type ApprovalDecision = (typeof APPROVAL_DECISIONS)[number];

const DECIDED = { approve: "approved", reject: "rejected" } as const satisfies Record<ApprovalDecision, ApprovalStatus>;

/** The state that a decision leads to. */
export function toApprovalStatus(decision: ApprovalDecision): (typeof DECIDED)[ApprovalDecision] {
  return DECIDED[decision];
}

/** Longest message of who decides, in characters. */
export const APPROVAL_MESSAGE_MAX_CHARACTERS = 2_000;
