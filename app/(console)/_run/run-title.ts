import type { Run } from "@/lib/client/schemas";
import { factsOf } from "@/lib/model/run/run-status";

/** What a run is called in lists: its agent's name, and what was done to it. */
export function runTitle(run: Run, agentNames: ReadonlyMap<string, string>): string {
  const agent = (run.agent_id && agentNames.get(run.agent_id)) || run.result?.agent_name || null;
  const { title } = factsOf(run.kind);
  if (title) return agent ? title.of.replace("{agent}", () => agent) : title.alone;
  return agent ?? (run.agent_id ? "Agent" : "General run");
}
