import { z } from "zod";
import { isJsonObject } from "@/lib/model/json-schema/json-value";
import type { Outcome, ReadPrompt, Steps } from "./prompt";

const agentsSchema = z.object({
  agents: z.array(
    z.object({ agent_id: z.string(), name: z.string(), description: z.string().nullish() }),
  ),
});
const CREATE =
  /^(?:please )?(?:create|make|build|set up|design)\b.{0,40}\b(?:agent|assistant|bot)\b/i;
const RUN = /^(?:please )?(?:run|start|ask|use|let|have)\b.*\bagents?\b/i;
const LIST = /^(?:please )?(?:list|which|what|show)\b.{0,30}\bagents?\b/i;

/**
 * What the super-agent does about agents: list, create, run. Null when the request is about
 * something else.
 */
export function leadAgents(prompt: ReadPrompt): Steps<string> | null {
  if (CREATE.test(prompt.request)) return createByTool(prompt.request);
  return RUN.test(prompt.request) || LIST.test(prompt.request) ? runOrList(prompt.request) : null;
}

function* createByTool(request: string): Steps<string> {
  const [made] = yield [{ name: "create_agent", input: { request } }];
  return made?.failed === false
    ? `The agent was made.\n\n${describeOutcome(made)}`
    : `The agent could not be made. ${made ? describeOutcome(made) : ""}`;
}

function* runOrList(request: string): Steps<string> {
  const [listed] = yield [{ name: "list_agents", input: {} }];
  const agents = agentsSchema.safeParse(listed?.output).data?.agents ?? [];
  if (!RUN.test(request))
    return (
      agents
        .map(({ name, description }) => `- **${name}**${description ? `: ${description}` : ""}`)
        .join("\n") || "The account has no agents."
    );
  const named = agents.filter(({ name }) => request.toLowerCase().includes(name.toLowerCase()));
  const [agent] = named.length === 1 ? named : agents.length === 1 ? agents : [];
  if (!agent)
    return (
      "Which agent should run? There are: " +
      `${agents.map(({ name }) => name).join(", ") || "none"}.`
    );
  const [ran] = yield [
    { name: "run_agent", input: { agent_id: agent.agent_id, input: { request } } },
  ];
  return ran?.failed === false
    ? describeOutcome(ran)
    : `The run failed. ${ran ? describeOutcome(ran) : ""}`;
}

function describeOutcome({ output, failed, error }: Outcome): string {
  if (isJsonObject(output) && typeof output.text === "string") return output.text;
  return failed ? error : `\`\`\`json\n${JSON.stringify(output, null, 1).slice(0, 4000)}\n\`\`\``;
}
