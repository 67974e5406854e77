/** An edit of an agent in words (specification §2.3). */
export interface EditRun {
  run_id: string;
  agent_id: string;
  status: "queued" | "running" | "succeeded" | "failed" | "cancelled";
  result?: { text: string } | null;
  usage?: { credits: number } | null;
  error?: { code: string; message?: string } | null;
  created_at: string;
  started_at: string | null;
  completed_at: string | null;
}
