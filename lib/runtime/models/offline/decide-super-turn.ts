import "server-only";
import { z } from "zod";
import { call, type OfflineTurn, say } from "./offline-turn";
import type { ReadPrompt } from "./read-prompt";

const agentsSchema = z.object({ agents: z.array(z.object({ agent_id: z.string(), name: z.string(), description: z.string().nullish() })) });
const CREATE = /\b(?:create|make|build|set up|design)\b.{0,40}\b(?:agent|assistant|bot)\b/i;
const RUN = /\b(?:run|start|ask|use|let|have)\b/i;
const LIST = /\b(?:list|which|what|show)\b.{0,30}\bagents?\b/i;

/** What the super-agent does about agents: list, create, run. Null when the request is about something else. */
export function decideSuperTurn(prompt: ReadPrompt): OfflineTurn | null {
  const last = prompt.done.at(-1);
  if (CREATE.test(prompt.request) && prompt.tools.has("create_agent")) {
    if (last)
      return say(
        last.failed
          ? `The agent could not be made. ${describeOutput(last.output)}`
          : `The agent was made.\n\n${describeOutput(last.output)}`,
      );
    return call([{ name: "create_agent", input: { request: prompt.request } }]);
  }
  const wantsRun = RUN.test(prompt.request) && /\bagents?\b/i.test(prompt.request) && prompt.tools.has("run_agent");
  if (!wantsRun && !LIST.test(prompt.request)) return null;
  const listed = prompt.done.find((done) => done.name === "list_agents");
  if (!listed) return prompt.tools.has("list_agents") ? call([{ name: "list_agents", input: {} }]) : null;
  const agents = agentsSchema.safeParse(listed.output).data?.agents ?? [];
  if (!wantsRun)
    return say(
      agents.length === 0
        ? "The account has no agents."
        : agents.map(({ name, description }) => `- **${name}**${description ? `: ${description}` : ""}`).join("\n"),
    );
  const ran = prompt.done.find((done) => done.name === "run_agent");
  if (ran) return say(ran.failed ? `The run failed. ${describeOutput(ran.output)}` : describeOutput(ran.output));
  const agent =
    agents.find(({ name }) => prompt.request.toLowerCase().includes(name.toLowerCase())) ?? (agents.length === 1 ? agents[0] : undefined);
  if (!agent) return say(`Which agent should run? There are: ${agents.map(({ name }) => name).join(", ") || "none"}.`);
  return call([{ name: "run_agent", input: { agent_id: agent.agent_id, input: { request: prompt.request } } }]);
}

function describeOutput(output: unknown): string {
  if (typeof output === "string") return output;
  const parsed = z.object({ text: z.string().optional(), error: z.string().optional(), name: z.string().optional() }).safeParse(output);
  return (
    parsed.data?.text ??
    parsed.data?.error ??
    (parsed.data?.name ? `**${parsed.data.name}**` : `\`\`\`json\n${JSON.stringify(output, null, 1).slice(0, 4000)}\n\`\`\``)
  );
}
