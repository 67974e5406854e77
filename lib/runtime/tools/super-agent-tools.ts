import "server-only";
import { z } from "zod";
import type { ToolFacts } from "@/lib/model/agent-config/tool-facts";
import type { JsonObject, JsonValue } from "@/lib/model/json-schema/json-value";
import { defineTool } from "@/lib/runtime/tools/define-tool";
import type { RuntimeTool, ToolContext, ToolOutcome } from "@/lib/runtime/tools/tool";

/** An agent of the account, as the super-agent's model sees it. */
interface AgentSummary extends JsonObject {
  agent_id: string;
  name: string;
  description: string | null;
}

/** A run that the super-agent started. While it is not terminal, `note` says how to go on. */
export interface ChildRun extends JsonObject {
  run_id: string;
  status: string;
}

/**
 * What the super-agent may do with the account's agents. Each call that starts a run starts it
 * once, however often its step is repeated, and waits for its end for a bounded time. Throws
 * `ToolFailure` for what the service refuses.
 */
export interface AgentsPort {
  list(search: string | null): Promise<AgentSummary[]>;
  /** With its skill, config and inputs. */
  read(agentId: string): Promise<JsonObject>;
  create(request: string): Promise<ChildRun>;
  edit(agentId: string, request: string): Promise<ChildRun>;
  run(agentId: string, input: { [name: string]: JsonValue }): Promise<ChildRun>;
  /** A run that this super-agent run started. */
  readRun(runId: string): Promise<ChildRun>;
}

const REQUEST_MAX_CHARACTERS = 20_000;

const agentId = z.string().meta({ description: "An agent_id that list_agents gave." });
const request = (description: string) =>
  z.string().min(1).max(REQUEST_MAX_CHARACTERS).meta({ description });

const SEARCH_ARGS = z.strictObject({ search: z.string().max(255).optional() });
const AGENT_ARGS = z.strictObject({ agent_id: agentId });
const CREATE_ARGS = z.strictObject({ request: request("What the agent shall do.") });
const EDIT_ARGS = z.strictObject({ agent_id: agentId, request: request("What shall change.") });
const RUN_ARGS = z.strictObject({
  agent_id: agentId,
  input: z.looseObject({}).meta({ description: "The named inputs of the run." }),
});
const READ_RUN_ARGS = z.strictObject({ run_id: z.string() });

/** The tools of the super-agent, over the port that one call of them is given. */
export function superAgentTools(portOf: (context: ToolContext) => AgentsPort): RuntimeTool[] {
  return [
    defineTool({
      name: "list_agents",
      description: "List the account's agents, or those whose name or description holds a text.",
      kind: "read",
      args: SEARCH_ARGS,
      execute: async ({ search }, context) =>
        done({ agents: await portOf(context).list(search ?? null) }),
    }),
    defineTool({
      name: "read_agent",
      description: "Read an agent: its skill, config, and the inputs that it takes.",
      kind: "read",
      args: AGENT_ARGS,
      execute: async (args, context) => done(await portOf(context).read(args.agent_id)),
    }),
    defineTool({
      name: "create_agent",
      description:
        "Have an agent built from a description in plain language. Say what it is for, what " +
        "it is given and what it shall answer.",
      kind: "internal",
      args: CREATE_ARGS,
      execute: async (args, context) => ended(await portOf(context).create(args.request)),
    }),
    defineTool({
      name: "edit_agent",
      description: "Have an agent changed as a plain-language request says.",
      kind: "internal",
      args: EDIT_ARGS,
      execute: async (args, context) =>
        ended(await portOf(context).edit(args.agent_id, args.request)),
    }),
    defineTool({
      name: "run_agent",
      description:
        "Run an agent and get its answer. Read the agent first when you do not know which " +
        "inputs it takes.",
      kind: "internal",
      args: RUN_ARGS,
      execute: async (args, context) =>
        // A model's arguments came as JSON.
        ended(await portOf(context).run(args.agent_id, args.input as JsonObject)),
    }),
    READ_RUN(portOf),
  ];
}

/** Waits on for a run that was begun and had not ended when its call was answered. */
export const READ_RUN = (portOf: (context: ToolContext) => Pick<AgentsPort, "readRun">) =>
  defineTool({
    name: "read_run",
    description: "Wait for a run that you started and that had not ended, and get its answer.",
    kind: "read",
    args: READ_RUN_ARGS,
    execute: async (args, context) => ended(await portOf(context).readRun(args.run_id)),
  });

/** An agent that is run may do anything that it can; all else stays within the account. */
export const SUPER_AGENT_FACTS: readonly ToolFacts[] = superAgentTools(() => {
  throw new Error("no call is made of a tool that is only asked for its name");
}).map(
  ({ name, kind }): ToolFacts => ({
    name,
    offered: "super_agent",
    writes: name === "run_agent" ? "anything" : kind === "read" ? "nothing" : "inside",
  }),
);

function done(output: JsonObject): ToolOutcome {
  return { succeeded: true, output };
}

/** A child that failed is a failed call; one that still runs is not. */
export function ended(run: ChildRun): ToolOutcome {
  return { succeeded: run.status !== "failed" && run.status !== "cancelled", output: run };
}
