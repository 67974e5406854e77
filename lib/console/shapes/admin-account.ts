/** An account as the service's admins see it; null limits are the service's own. */
export interface AdminAccount {
  account_id: string;
  name: string;
  email: string;
  admin: boolean;
  super_agent_access: boolean;
  blocked: boolean;
  credits: number;
  read_per_minute: number | null;
  runs_per_minute: number | null;
  write_per_hour: number | null;
  created_at: string;
}
