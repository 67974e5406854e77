import "server-only";
import { z } from "zod";
import type { JsonObject, JsonValue } from "@/lib/model/json-schema/json-value";
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

const agentId = {
  type: "string",
  description: "An agent_id that list_agents gave.",
} satisfies JsonObject;
const request = (description: string) =>
  ({
    type: "string",
    minLength: 1,
    maxLength: REQUEST_MAX_CHARACTERS,
    description,
  }) satisfies JsonObject;

/** The tools of the super-agent, over the port that one call of them is given. */
export function superAgentTools(portOf: (context: ToolContext) => AgentsPort): RuntimeTool[] {
  return [
    tool(
      "list_agents",
      "List the account's agents, or those whose name or description holds a text.",
      "read",
      { search: { type: "string", maxLength: 255 } },
      [],
      z.object({ search: z.string().optional() }),
      async (args, context) => done({ agents: await portOf(context).list(args.search ?? null) }),
    ),
    tool(
      "read_agent",
      "Read an agent: its skill, config, and the inputs that it takes.",
      "read",
      { agent_id: agentId },
      ["agent_id"],
      z.object({ agent_id: z.string() }),
      async (args, context) => done(await portOf(context).read(args.agent_id)),
    ),
    tool(
      "create_agent",
      "Have an agent built from a description in plain language. Say what it is for, what it is given and what it shall answer.",
      "internal",
      { request: request("What the agent shall do.") },
      ["request"],
      z.object({ request: z.string() }),
      async (args, context) => ended(await portOf(context).create(args.request)),
    ),
    tool(
      "edit_agent",
      "Have an agent changed as a plain-language request says.",
      "internal",
      { agent_id: agentId, request: request("What shall change.") },
      ["agent_id", "request"],
      z.object({ agent_id: z.string(), request: z.string() }),
      async (args, context) => ended(await portOf(context).edit(args.agent_id, args.request)),
    ),
    tool(
      "run_agent",
      "Run an agent and get its answer. Read the agent first when you do not know which inputs it takes.",
      "internal",
      { agent_id: agentId, input: { type: "object", description: "The named inputs of the run." } },
      ["agent_id", "input"],
      z.object({ agent_id: z.string(), input: z.record(z.string(), z.json()) }),
      async (args, context) => ended(await portOf(context).run(args.agent_id, args.input)),
    ),
    tool(
      "read_run",
      "Wait for a run that you started and that had not ended, and get its answer.",
      "read",
      { run_id: { type: "string" } },
      ["run_id"],
      z.object({ run_id: z.string() }),
      async (args, context) => ended(await portOf(context).readRun(args.run_id)),
    ),
  ];
}

function tool<Args>(
  name: string,
  description: string,
  kind: "read" | "internal",
  properties: JsonObject,
  required: string[],
  schema: z.ZodType<Args>,
  execute: (args: Args, context: ToolContext) => Promise<ToolOutcome>,
): RuntimeTool {
  const inputSchema = { type: "object", properties, required, additionalProperties: false };
  return {
    name,
    description,
    kind,
    inputSchema,
    execute: (args, context) => execute(schema.parse(args), context),
  };
}

function done(output: JsonObject): ToolOutcome {
  return { succeeded: true, output };
}

/** A child that failed is a failed call; one that still runs is not. */
function ended(run: ChildRun): ToolOutcome {
  return { succeeded: run.status !== "failed" && run.status !== "cancelled", output: run };
}
