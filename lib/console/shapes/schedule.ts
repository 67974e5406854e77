import type { JsonObject } from "@/lib/model/json-schema/json-value";

/** An agent's schedule (contract §13). */
export interface Schedule {
  schedule_id: string;
  agent_id: string;
  cron: string;
  timezone: string;
  input: JsonObject;
  enabled: boolean;
  /** Null while switched off. */
  next_run_at: string | null;
  last_run_at: string | null;
  /** Why the last firing has not started; null once one has. */
  last_error: { code: string; message: string; at: string } | null;
  created_at: string;
  updated_at: string;
}
