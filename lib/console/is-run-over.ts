import { requestConsoleJson } from "@/lib/console/request-console-json";
import type { Run } from "@/lib/console/shapes/run";
import { isTerminal } from "@/lib/model/run/run-status";

/** Whether the run at this path has come to its end, asked of the service. */
export async function isRunOver(path: string): Promise<boolean> {
  return isTerminal((await requestConsoleJson<Run>(path)).status);
}
