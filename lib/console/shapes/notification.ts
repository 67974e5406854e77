import type { RunKind } from "@/lib/model/run/run-status";

/** What a run with `should_notify` reported at its end. */
export interface ConsoleNotification {
  notification_id: string;
  run_id: string;
  run_kind: RunKind | null;
  agent_name: string | null;
  title: string;
  body: string;
  read_at: string | null;
  created_at: string;
}
