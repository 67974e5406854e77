import type { ApiClient } from "./api-client";
import { clientOf } from "./client-of";
import { ModelScript } from "./model-script";
import { type Agent, agentShape } from "./shapes";

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
  const client = clientOf(api);
  const { run_id: runId } = await client.agents.create({ input: `Make a test agent. ${script.mark}` });
  const agentId = await client.agents.waitForAgent(runId, { timeoutMs: 30_000, pollMs: 40 });
  // A connector that a model wrote asks before each call; the test speaks as the owner, who says otherwise.
  const hasConnectors = Object.keys((wishes.config?.tools ?? {}) as object).some((kind) => kind === "http" || kind === "mcp"); // as the test gave it
  if (hasConnectors) await api.patch(`/v1/agents/${agentId}`, { config: args.config });
  return agentShape.parse(await client.get("/v1/agents/{agent_id}", { params: { path: { agent_id: agentId } } }));
}
