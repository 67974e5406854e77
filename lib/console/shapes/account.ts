/** The calling account with its limits; null limits do not apply. */
export interface Account {
  account_id: string;
  name: string;
  limits: {
    requests_per_minute: number | null;
    read_per_minute: number | null;
    runs_per_minute: number | null;
    writes_per_hour: number;
  };
  blocked: boolean;
  super_agent_access: boolean;
}
