import "server-only";
import { postgres } from "@/lib/platform/postgres";

/** Whether a run that the engine waits for has ended, or is gone. */
export async function hasEnded(runId: string): Promise<boolean> {
  const { rowCount } = await postgres().query("SELECT 1 FROM runs WHERE id = $1 AND completed_at IS NULL", [runId]);
  return rowCount === 0;
}
