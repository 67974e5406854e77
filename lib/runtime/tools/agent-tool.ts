import "server-only";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { type AgentsPort, ended, READ_RUN } from "@/lib/runtime/tools/super-agent-tools";
import type { RuntimeTool, ToolContext } from "@/lib/runtime/tools/tool";

/** Another agent, as the run that may call it sees it. */
export interface CallableAgent {
  agentId: string;
  /** The tool's. */
  toolName: string;
  /** The agent's. */
  name: string;
  description: string | null;
  /** JSON Schema of its input; null: it takes any. */
  inputs: JsonObject | null;
}

const ANY_INPUT: JsonObject = {
  type: "object",
  properties: {
    request: { type: "string", minLength: 1, description: "What it shall do, and with what." },
  },
  required: ["request"],
  additionalProperties: false,
};

/** What carries out the calls of one tool. */
interface CalledAgentsPort extends Pick<AgentsPort, "readRun"> {
  /** As `AgentsPort`, by the tool that is called. */
  run(agent: CallableAgent, input: JsonObject): ReturnType<AgentsPort["run"]>;
}

/** Other agents as tools, and the one that waits on for a run that they have begun. */
export function createAgentTools(
  agents: readonly CallableAgent[],
  portOf: (context: ToolContext) => CalledAgentsPort,
): RuntimeTool[] {
  if (agents.length === 0) return [];
  const tools = agents.map((agent): RuntimeTool => {
    const { agentId, toolName, name, description, inputs } = agent;
    // Vendors of models want the type said.
    const inputSchema: JsonObject = inputs === null ? ANY_INPUT : { type: "object", ...inputs };
    const what = description ? `${name}: ${description}` : name;
    return {
      name: toolName,
      description:
        `Have the agent ${what.replace(/[.!?]?$/, ".")} It works on its own, sees nothing of ` +
        "this conversation, and gives its answer. A file that it made is read by its artifact's " +
        "id.",
      inputSchema,
      kind: "internal",
      startsRun: true,
      target: `the agent ${name}`,
      definition: { agent_id: agentId, input_schema: inputSchema },
      execute: async (args, context) =>
        // Checked against the schema of an object before.
        ended(await portOf(context).run(agent, args as JsonObject)),
    };
  });
  return [...tools, READ_RUN(portOf)];
}
