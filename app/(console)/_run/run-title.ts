import type { Run } from "@/lib/client/schemas";

/** What a run is called in lists: its agent's name, and what was done to it. */
export function runTitle(run: Run, agentNames: ReadonlyMap<string, string>): string {
  const agent = (run.agent_id && agentNames.get(run.agent_id)) || run.result?.agent_name || null;
  if (run.kind === "agent_creation") return agent ? `Create ${agent}` : "Create an agent";
  if (run.kind === "agent_edit") return agent ? `Edit ${agent}` : "Edit an agent";
  if (run.kind === "super_agent") return "Super-agent";
  return agent ?? (run.agent_id ? "Agent" : "General run");
}
