import { consolePaths } from "@/lib/console/console-paths";
import { requestConsoleJson } from "@/lib/console/request-console-json";
import type { Run } from "@/lib/console/shapes/run";
import { isTerminal } from "@/lib/model/run/run-status";

/** Whether the run has come to its end, asked of the service. */
export async function isRunOver(runId: string): Promise<boolean> {
  return isTerminal((await requestConsoleJson<Run>(consolePaths.run(runId))).status);
}
