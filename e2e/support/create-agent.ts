import type { ApiClient } from "./api-client";
import { ModelScript } from "./model-script";
import { type Agent, agentShape, runShape } from "./shapes";
import { waitForRun } from "./wait-for-run";

export interface AgentWishes {
  name?: string;
  description?: string;
  skill?: string;
  config?: Record<string, unknown>;
  /** `full_auto` when left out. */
  autonomy?: "full_auto" | "approval_required" | "blocked";
}

/** Has the scripted model build an agent with exactly this skill and config, and returns its full record. */
export async function createAgent(api: ApiClient, modelUrl: string, wishes: AgentWishes = {}): Promise<Agent> {
  const args = {
    name: wishes.name ?? "Test agent",
    description: wishes.description ?? "An agent that a test made.",
    skill_content: wishes.skill ?? "# Test agent\n\nAnswer the request.",
    config: { version: 1, ...wishes.config },
    write_autonomy: wishes.autonomy ?? "full_auto",
  };
  const script = await ModelScript.register(modelUrl, [
    { tool_calls: [{ name: "$only", args, fill: true }] },
    { text: "The agent is ready." },
  ]);
  const accepted = await api.post("/v1/agents", { input: `Make a test agent. ${script.mark}` });
  if (accepted.status !== 202) throw new Error(`The creation was not accepted: ${accepted.status} ${accepted.text}`);
  const run = await waitForRun(api, accepted.as(runShape).run_id);
  if (run.status !== "completed" || !run.agent_id) throw new Error(`The creation ended as ${run.status}: ${JSON.stringify(run.error)}`);
  return (await api.get(`/v1/agents/${run.agent_id}`)).as(agentShape);
}
