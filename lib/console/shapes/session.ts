/** Where the signed-in person is signed in. */
export interface Session {
  session_id: string;
  address: string;
  user_agent: string;
  created_at: string;
  last_seen_at: string;
  expires_at: string;
  /** Whether it is this browser. */
  current: boolean;
}
