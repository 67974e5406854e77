/** What waits for a person; each is counted up to `ATTENTION_MAX`. */
export interface Attention {
  pending_approvals: number;
  unread_notifications: number;
}
