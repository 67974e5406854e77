import type { Run } from "@/lib/client/schemas";

/** Whether the run is the agent at work: creating or editing it is not. */
export function isAgentRun(run: Run): boolean {
  return run.kind === "agent" || run.kind === "app";
}
