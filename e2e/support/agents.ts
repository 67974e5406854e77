import { randomBytes } from "node:crypto";
import { type ApiClient, typedClient } from "./api-client";
import { type Agent, type Approval, parseServed } from "./api-document";
import { ModelScript } from "./model-script";
import { startRun, waitForRun } from "./runs";
import { until } from "./until";
import type { WebhookInbox } from "./webhook-inbox";

export interface AgentOptions {
  name?: string;
  description?: string;
  skill?: string;
  config?: Record<string, unknown>;
  /** `full_auto` when left out. */
  autonomy?: "full_auto" | "approval_required" | "blocked";
}

/**
 * Has the scripted model build an agent with exactly this skill and config, and returns its full
 * record.
 */
export async function createAgent(
  api: ApiClient,
  modelUrl: string,
  options: AgentOptions = {},
): Promise<Agent> {
  const args = {
    name: options.name ?? "Test agent",
    description: options.description ?? "An agent that a test made.",
    skill_content: options.skill ?? "# Test agent\n\nAnswer the request.",
    config: { version: 1, ...options.config },
    write_autonomy: options.autonomy ?? "full_auto",
  };
  const script = await ModelScript.register(modelUrl, [
    { tool_calls: [{ name: "create_agent", args, fill: true }] },
    { text: "The agent is ready." },
  ]);
  const client = typedClient(api);
  const { run_id: runId } = await client.agents.create({
    input: `Make a test agent. ${script.mark}`,
  });
  const agentId = await client.agents.waitForAgent(runId, { timeoutMs: 30_000, pollMs: 40 });
  // A connector that a model wrote asks before each call; the test speaks as the owner, who says
  // otherwise.
  const hasConnectors = Object.keys((options.config?.tools ?? {}) as object).some(
    (kind) => kind === "http" || kind === "mcp",
  ); // as the test gave it
  if (hasConnectors) await api.patch(`/v1/agents/${agentId}`, { config: args.config });
  return parseServed(
    api,
    "Agent",
    await client.get("/v1/agents/{agent_id}", { params: { path: { agent_id: agentId } } }),
  );
}

const RESULT_SCHEMA = {
  type: "object",
  properties: { total: { type: "number" } },
  required: ["total"],
};

/** What the run of `dashboardAgent` answers. */
const RESULT = {
  total: 2431.5,
  growth: 0.125,
  took: 3725,
  regions: [
    { region: "North", orders: 40 },
    { region: "South", orders: 55 },
  ],
  notes: ["Orders from the North doubled.", "Returns went down."],
  comment: "## Comment\n\nAll **well**. ![spy](https://spy.example.test/x.png)",
};

/**
 * A template with a widget of each type, one of them without data and one with data that does not
 * fit.
 */
const TEMPLATE = {
  version: 1,
  title: "Weekly sales",
  layout: [
    "total",
    "growth",
    "took",
    "again",
    "trend",
    "regions",
    "notes",
    "comment",
    "files",
    "runs",
    "gap",
    "odd",
  ].map((i, index) => ({
    i,
    x: (index % 3) * 4,
    y: Math.floor(index / 3) * 4,
    w: 4,
    h: 4,
  })),
  widgets: {
    total: {
      type: "metric",
      title: "Total",
      source: { from: "last_result", path: "/data/total" },
      format: "currency",
      currency: "EUR",
    },
    growth: {
      type: "metric",
      title: "Growth",
      source: { from: "last_result", path: "/data/growth" },
      format: "percent",
    },
    took: {
      type: "metric",
      title: "Took",
      source: { from: "last_result", path: "/data/took" },
      format: "duration",
    },
    again: {
      type: "run_button",
      title: "Again",
      label: "Run for this week",
      input: { week: "next" },
    },
    trend: {
      type: "chart",
      title: "Trend",
      chart: "bar",
      source: { from: "run_history" },
      x: "created_at",
      y: "/data/total",
    },
    regions: {
      type: "table",
      title: "Regions",
      source: { from: "last_result", path: "/data/regions" },
      columns: [{ key: "region" }, { key: "orders" }],
    },
    notes: { type: "list", title: "Notes", source: { from: "last_result", path: "/data/notes" } },
    comment: {
      type: "markdown",
      title: "Words",
      source: { from: "last_result", path: "/data/comment" },
    },
    files: { type: "artifacts", title: "Files" },
    runs: { type: "runs", title: "Newest", limit: 3 },
    gap: { type: "metric", title: "Gap", source: { from: "last_result", path: "/data/unknown" } },
    odd: {
      type: "metric",
      title: "Odd",
      source: { from: "last_result", path: "/data/notes" },
      format: "number",
    },
  },
};

/** An agent with `TEMPLATE` whose one run has ended with `RESULT` and a file. */
export async function createDashboardAgent(
  api: ApiClient,
  modelUrl: string,
  newAgent: (options?: AgentOptions, api?: ApiClient) => Promise<Agent>,
): Promise<Agent> {
  const agent = await newAgent(
    {
      name: "Sales analyst",
      config: { output_schema: RESULT_SCHEMA, tools: { builtin: ["artifacts"] } },
    },
    api,
  );
  const script = await ModelScript.register(modelUrl, [
    {
      tool_calls: [
        {
          name: "artifacts",
          args: {
            title: "Weekly report",
            name: "report.md",
            type: "text/markdown",
            content: "# Report",
          },
        },
      ],
    },
    { text: JSON.stringify(RESULT) },
  ]);
  const run = await waitForRun(
    api,
    (await startRun(api, { agent_id: agent.agent_id, input: { week: script.mark } })).run_id,
  );
  if (run.status !== "completed")
    throw new Error(`The run ended as ${run.status}: ${JSON.stringify(run.error)}`);
  const answer = await api.patch(`/v1/agents/${agent.agent_id}`, { dashboard_template: TEMPLATE });
  if (answer.status !== 200) throw new Error(`The template was refused: ${answer.text}`);
  return agent;
}

interface WaitingCall {
  runId: string;
  agentId: string;
  /** A tool's name that no other test uses. */
  tool: string;
  approval: Approval;
}

interface WaitingCallOptions {
  api: ApiClient;
  modelUrl: string;
  inbox: WebhookInbox;
  args: Record<string, unknown>;
  agent?: AgentOptions;
  /** Of the agent's config. */
  limits?: Record<string, number>;
}

/**
 * Starts a run of an agent that asks before it writes to the inbox, and waits until it has asked.
 */
export async function waitingCall({
  api,
  modelUrl,
  inbox,
  args,
  agent: options = {},
  limits = {},
}: WaitingCallOptions): Promise<WaitingCall> {
  const tool = `create_${randomBytes(5).toString("hex")}`;
  const http = [
    { name: tool, method: "POST", url: `${inbox.url}/tickets`, input_schema: { type: "object" } },
  ];
  const agent = await createAgent(api, modelUrl, {
    autonomy: "approval_required",
    ...options,
    config: { tools: { http }, limits, ...options.config },
  });
  const script = await ModelScript.register(modelUrl, [
    { tool_calls: [{ name: tool, args }] },
    { text: "That is settled." },
  ]);
  const { run_id: runId } = await startRun(api, {
    agent_id: agent.agent_id,
    input: { text: script.mark },
  });
  const approval = await until("an approval to be asked for", async () => {
    const page = (await api.get("/v1/approvals", { query: { run_id: runId } })).as("ApprovalPage");
    return page.data[0];
  });
  return { runId, agentId: agent.agent_id, tool, approval };
}
