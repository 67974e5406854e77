import { z } from "zod";
import {
  agentToolName,
  builtInsThat,
  FILE_TOOLS_NAME,
  LISTED_TOOL_NAMES,
} from "@/lib/model/agent-config/built-in-tools";
import {
  CONNECTOR_URL_MAX_CHARACTERS,
  checkConnectorUrl,
  connectorUrlPlaces,
} from "@/lib/model/agent-config/connector-url";
import { isHostPattern } from "@/lib/model/agent-config/web-hosts";
import { checkSchema } from "@/lib/model/json-schema/check-schema";
import { CODE_SECONDS_MAX } from "@/lib/model/limits";
import { CACHE_TIMES, REASONING_EFFORTS } from "@/lib/model/models/model-facts";
import { ON_BUDGET } from "@/lib/model/run/on-budget";

const RESERVED = new Set([
  "accept-encoding",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "host",
  "idempotency-key",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/**
 * Whether a connector's secret may travel in this header: not in one that frames the request, or
 * that the service itself sets.
 */
function isSettableHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return !RESERVED.has(lower) && !lower.startsWith("proxy-");
}

/**
 * A JSON Schema that a user gives for an object: `type`, when it is there, must be `object`. Every
 * fault of the schema becomes an issue at its own place.
 */
const userSchema = z.record(z.string(), z.unknown()).superRefine((schema, context) => {
  if (schema.type !== undefined && schema.type !== "object")
    context.addIssue({ code: "custom", path: ["type"], message: 'Must be "object".' });
  for (const { path, message } of checkSchema(schema))
    context.addIssue({ code: "custom", path: [...path], message });
});

const SKILL_NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;
/** A uuid, in lower case. */
const AGENT_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TOOL_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const SECRET_NAME = /^[A-Z][A-Z0-9_]{0,63}$/;
const HEADER_NAME = /^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/;
const PERMISSION = /^[A-Za-z][A-Za-z0-9_.:/-]{0,199}$/;

const model = z
  .string()
  .min(1)
  .max(200)
  .describe("A model of the published list, as provider/name.");
const connectorName = z
  .string()
  .regex(TOOL_NAME)
  .describe("Unique among the agent's http and client tools and its mcp servers.");
const authSecret = z
  .string()
  .regex(SECRET_NAME)
  .describe("Name of an account secret; its value travels as a bearer token, or in auth_header.");
const authHeader = z
  .string()
  .regex(HEADER_NAME)
  .refine(isSettableHeader, "This header cannot carry a secret.")
  .describe("Header that carries the secret's value instead of Authorization.");
const permissionList = (meaning: string) =>
  z.array(z.string().regex(PERMISSION)).max(100).describe(meaning);

const mcpServer = z
  .strictObject({
    name: connectorName,
    description: z.string().max(1_024).optional(),
    url: connectorUrl(false).describe("Address of the server (streamable HTTP)."),
    auth: z
      .literal("oauth")
      .optional()
      .describe(
        "Signs in by OAuth 2.1 as the account's connection to this address, which a person " +
          "makes once in the console or through /v1/connections; instead of an auth_secret.",
      ),
    auth_secret: authSecret.optional(),
    auth_header: authHeader.optional(),
    tools: z
      .array(z.string().min(1).max(128))
      .max(100)
      .optional()
      .describe("The server's tools that the agent may use; without it, all."),
    read_only: z
      .array(z.string().min(1).max(128))
      .max(100)
      .optional()
      .describe(
        "The server's tools that you trust to change nothing. Only a tool that stands here " +
          "and that the server annotates as read-only runs without being guarded; what a " +
          "server says of itself is not believed alone.",
      ),
  })
  .superRefine(needsSecret)
  .superRefine(signsInOneWay);

const httpTool = z
  .strictObject({
    name: connectorName,
    description: z
      .string()
      .max(1_024)
      .optional()
      .describe("Tells the model what the tool does and when to use it."),
    method: z.enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]),
    url: connectorUrl(true).describe(
      "Address to call; {name} places in its path are filled from the arguments.",
    ),
    auth_secret: authSecret.optional(),
    auth_header: authHeader.optional(),
    input_schema: userSchema.optional().describe("JSON Schema of the arguments."),
    body: z
      .enum(["json", "multipart", "raw"])
      .optional()
      .describe(
        "How arguments that are not in the address are sent, and that those of format binary " +
          "name files, whose bytes are sent: json (as base64), multipart (a form), or raw (the " +
          "bytes of the one file alone). Without it: JSON, and no files.",
      ),
  })
  .superRefine(needsSecret)
  .superRefine(needsPlacesDescribed);

const clientTool = z.strictObject({
  name: connectorName,
  description: z
    .string()
    .min(1)
    .max(1_024)
    .describe("Tells the model what the tool does and when to use it."),
  input_schema: userSchema.describe("JSON Schema of the arguments."),
});

const agentTool = z.strictObject({
  agent_id: z.string().regex(AGENT_ID).describe("An agent of the same account."),
  name: connectorName.optional().describe("The tool's name; without it agent_ and the id's end."),
  max_credits: z
    .number()
    .min(0)
    .max(1_000_000_000)
    .optional()
    .describe("What one call may cost at most; never more than this agent's run has left."),
});

const tools = z
  .strictObject({
    builtin: z
      .array(z.enum(LISTED_TOOL_NAMES))
      .max(LISTED_TOOL_NAMES.length)
      .optional()
      .describe(
        "Built-in tools; without it, all but run_python and ask_user. workspace_files stands " +
          "for the four files_ tools. With http, mcp or client tools and without it, without " +
          "web_fetch too, unless web.allowed_hosts names hosts.",
      ),
    mcp: z.array(mcpServer).max(20).optional().describe("MCP servers."),
    http: z.array(httpTool).max(50).optional().describe("HTTP requests as tools."),
    client: z
      .array(clientTool)
      .max(50)
      .optional()
      .describe(
        "Tools that whoever started the run carries out: the run waits with requires_action " +
          "until their results are posted to its tool-results, at most " +
          "limits.approval_timeout_seconds.",
      ),
    agents: z
      .array(agentTool)
      .max(20)
      .optional()
      .describe(
        "Other agents as tools, which take what their inputs say. A call is a run of its own " +
          "with parent_run_id, within this run's limits and cancelled with it; at most three " +
          "below each other, and 20 a run.",
      ),
    python: z
      .enum(["sandbox", "provider"])
      .optional()
      .describe(
        "Where run_python computes: sandbox (the service's own, or the container that its " +
          "operator has set up; the default), or provider: on the servers of the model's " +
          "provider, which have numpy, pandas and matplotlib (OpenAI, Anthropic, Google; with " +
          "models of others in the sandbox). The code is sent there in a call of its own, files " +
          "are not, and containers cost beside tokens.",
      ),
    memory: z
      .boolean()
      .optional()
      .describe(
        "Lets the agent keep notes across conversations by the tool memory, apart for each " +
          "metadata.end_user of its runs. Off by default.",
      ),
    web: z
      .strictObject({
        allowed_hosts: z
          .array(z.string().max(300).refine(isHostPattern, "Must be host, host:port, *.host or *."))
          .max(100)
          .optional()
          .describe(
            "Hosts that web_fetch may read without asking in a run that has seen what is " +
              "private (files, a connector's answer, notes, an end user's input): host, " +
              "host:port, *.host, or * for all. Others ask, unless the input or a search " +
              "result named them.",
          ),
      })
      .optional()
      .describe("What web_fetch may do."),
  })
  .superRefine(needsUniqueNames);

/**
 * The agent config as it is written: strict, without defaults filled in. What the texts of
 * `parseConfigText` must fit.
 */
export const agentConfigSchema = z.strictObject({
  version: z.literal(1).describe("Version of this format."),
  model: model.optional(),
  fallback_models: z
    .array(model)
    .max(5)
    .optional()
    .describe("Models tried in order when the first is unavailable."),
  model_settings: z
    .strictObject({
      temperature: z.number().min(0).max(2).optional(),
      max_output_tokens: z.int().min(1).max(1_000_000).optional(),
      reasoning: z
        .enum(REASONING_EFFORTS)
        .optional()
        .describe(
          "How much a model that can think does so before it answers; without it, as its " +
            "vendor has it.",
        ),
      cache: z
        .enum(CACHE_TIMES)
        .optional()
        .describe(
          "How long Anthropic's cache keeps the system prompt and the tools: 5m (the " +
            "default), or 1h, whose writes cost twice the input's price in place of 1.25 " +
            "times. It pays where runs of the agent come more than five minutes and less than " +
            "an hour apart. Other providers keep their caches as they do.",
        ),
    })
    .optional(),
  inputs: userSchema.nullable().optional().describe("JSON Schema of a run's input."),
  output_schema: userSchema
    .nullable()
    .optional()
    .describe("JSON Schema of the structured output; null for plain text."),
  tools: tools.optional(),
  permissions: z
    .strictObject({
      allow: permissionList(
        "Tools that run without asking, where write_autonomy lets them.",
      ).optional(),
      ask: permissionList("Tools whose every call waits for a person.").optional(),
      deny: permissionList("Tools that never run.").optional(),
    })
    .optional()
    .describe(
      "Names of tools; deny beats ask beats allow, and none of them loosens write_autonomy.",
    ),
  limits: z
    .strictObject({
      max_steps: z.int().min(1).max(500).optional().describe("Turns of the model; 20 by default."),
      timeout_seconds: z.int().min(1).max(86_400).optional().describe("600 by default."),
      max_credits: z
        .number()
        .positive()
        .max(1_000_000_000)
        .nullable()
        .optional()
        .describe("No limit of the run's own by default."),
      on_budget: z
        .enum(ON_BUDGET)
        .optional()
        .describe(
          "What becomes of a run whose next step costs more than its limit, or the account, " +
            "has left: fail (the default), or wait until somebody raises the limit or tops the " +
            "account up, at most approval_timeout_seconds. A run's own on_budget wins.",
        ),
      approval_timeout_seconds: z
        .int()
        .min(1)
        .max(2_592_000)
        .optional()
        .describe("86,400 by default."),
      code_seconds: z
        .int()
        .min(1)
        .max(CODE_SECONDS_MAX)
        .optional()
        .describe(
          "Longest time that one call of run_javascript or run_python computes; 10 by default.",
        ),
    })
    .optional(),
  skills: z
    .array(z.string().regex(SKILL_NAME))
    .max(100)
    .optional()
    .describe(
      "Names of the skills that the agent may read, its account's own and built-in ones; " +
        "without it, all that are switched on, built-in ones where the agent has the tools " +
        "that they use. [] for none.",
    ),
  starters: z
    .array(z.string().min(1).max(500))
    .max(20)
    .optional()
    .describe("Example requests that the console offers."),
});

/** An agent config as it is written. */
export type AgentConfig = z.infer<typeof agentConfigSchema>;

function connectorUrl(mayHavePlaces: boolean) {
  return z
    .string()
    .min(1)
    .max(CONNECTOR_URL_MAX_CHARACTERS)
    .superRefine((url, context) => {
      const message = checkConnectorUrl(url, mayHavePlaces);
      if (message !== null) context.addIssue({ code: "custom", message });
    });
}

function needsSecret(
  connector: { auth_secret?: string; auth_header?: string },
  context: z.RefinementCtx,
): void {
  if (connector.auth_header === undefined || connector.auth_secret !== undefined) return;
  context.addIssue({
    code: "custom",
    path: ["auth_header"],
    message: "Stands without an auth_secret to carry.",
  });
}

function signsInOneWay(
  server: { auth?: "oauth"; auth_secret?: string },
  context: z.RefinementCtx,
): void {
  if (server.auth === undefined || server.auth_secret === undefined) return;
  context.addIssue({
    code: "custom",
    path: ["auth"],
    message: "Stands beside an auth_secret: a server is signed in to in one way.",
  });
}

function needsPlacesDescribed(
  tool: { url: string; input_schema?: Record<string, unknown> },
  context: z.RefinementCtx,
): void {
  const properties = tool.input_schema?.properties;
  if (tool.input_schema === undefined || typeof properties !== "object" || properties === null)
    return;
  for (const name of connectorUrlPlaces(tool.url)) {
    if (!Object.hasOwn(properties, name))
      context.addIssue({
        code: "custom",
        path: ["url"],
        message: `{${name}} is no property of input_schema.`,
      });
  }
}

/**
 * Tools of the runs that build agents. What is stored under such a name goes on working: only new
 * configs are held to this.
 */
const BUILD_TOOL_NAMES: ReadonlySet<string> = new Set(
  builtInsThat(({ offered, keepsName }) => offered === "build" && keepsName === true),
);
/** Connectors were called like the other tools before there were any: theirs is the name then. */
const KEPT_NAMES: readonly string[] = [
  FILE_TOOLS_NAME,
  ...builtInsThat(({ offered, keepsName }) => offered !== "build" && keepsName === true),
];

/**
 * The model sees one list of tools, and permissions name them: every name may mean one thing only.
 */
function needsUniqueNames(
  given: Partial<Record<"mcp" | "http" | "client", { name: string }[]>> & {
    agents?: Parameters<typeof agentToolName>[0][] | undefined;
  },
  context: z.RefinementCtx,
): void {
  const seen = new Set<string>(KEPT_NAMES);
  const servers = (given.mcp ?? []).map(({ name }) => name);
  const named = {
    ...given,
    agents: given.agents?.map((agent) => ({ name: agentToolName(agent) })),
  };
  for (const kind of ["mcp", "http", "client", "agents"] as const) {
    for (const [index, { name }] of (named[kind] ?? []).entries()) {
      if (BUILD_TOOL_NAMES.has(name))
        context.addIssue({
          code: "custom",
          path: [kind, index, "name"],
          message:
            `The name ${name} is kept for the tool by which agents are built: choose another ` +
            "one.",
        });
      // A server's tools are `<server>__<tool>`.
      if (
        seen.has(name) ||
        ((kind === "client" || kind === "agents") &&
          servers.some((server) => name.startsWith(`${server}__`)))
      )
        context.addIssue({
          code: "custom",
          path: [kind, index, "name"],
          message: `The name ${name} is taken.`,
        });
      seen.add(name);
    }
  }
}
