import type { ApiClient } from "./api-client";
import type { AgentWishes } from "./create-agent";
import { ModelScript } from "./model-script";
import type { Agent } from "./shapes";
import { startRun } from "./start-run";
import { waitForRun } from "./wait-for-run";

const SCHEMA = { type: "object", properties: { total: { type: "number" } }, required: ["total"] };

/** What the run of `dashboardAgent` answers. */
export const RESULT = {
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

/** A template with a widget of each type, one of them without data and one with data that does not fit. */
export const TEMPLATE = {
  version: 1,
  title: "Weekly sales",
  layout: ["total", "growth", "took", "again", "trend", "regions", "notes", "comment", "files", "runs", "gap", "odd"].map((i, index) => ({
    i,
    x: (index % 3) * 4,
    y: Math.floor(index / 3) * 4,
    w: 4,
    h: 4,
  })),
  widgets: {
    total: { type: "metric", title: "Total", source: { from: "last_result", path: "/data/total" }, format: "currency", currency: "EUR" },
    growth: { type: "metric", title: "Growth", source: { from: "last_result", path: "/data/growth" }, format: "percent" },
    took: { type: "metric", title: "Took", source: { from: "last_result", path: "/data/took" }, format: "duration" },
    again: { type: "run_button", title: "Again", label: "Run for this week", input: { week: "next" } },
    trend: { type: "chart", title: "Trend", chart: "bar", source: { from: "run_history" }, x: "created_at", y: "/data/total" },
    regions: {
      type: "table",
      title: "Regions",
      source: { from: "last_result", path: "/data/regions" },
      columns: [{ key: "region" }, { key: "orders" }],
    },
    notes: { type: "list", title: "Notes", source: { from: "last_result", path: "/data/notes" } },
    comment: { type: "markdown", title: "Words", source: { from: "last_result", path: "/data/comment" } },
    files: { type: "artifacts", title: "Files" },
    runs: { type: "runs", title: "Newest", limit: 3 },
    gap: { type: "metric", title: "Gap", source: { from: "last_result", path: "/data/nowhere" } },
    odd: { type: "metric", title: "Odd", source: { from: "last_result", path: "/data/notes" }, format: "number" },
  },
};

/** An agent with `TEMPLATE` whose one run has ended with `RESULT` and a file. */
export async function dashboardAgent(
  api: ApiClient,
  modelUrl: string,
  newAgent: (wishes?: AgentWishes, api?: ApiClient) => Promise<Agent>,
): Promise<Agent> {
  const agent = await newAgent({ name: "Sales analyst", config: { output_schema: SCHEMA, tools: { builtin: ["artifacts"] } } }, api);
  const script = await ModelScript.register(modelUrl, [
    {
      tool_calls: [{ name: "artifacts", args: { title: "Weekly report", name: "report.md", type: "text/markdown", content: "# Report" } }],
    },
    { text: JSON.stringify(RESULT) },
  ]);
  const run = await waitForRun(api, (await startRun(api, { agent_id: agent.agent_id, input: { week: script.mark } })).run_id);
  if (run.status !== "completed") throw new Error(`The run ended as ${run.status}: ${JSON.stringify(run.error)}`);
  const answer = await api.patch(`/v1/agents/${agent.agent_id}`, { dashboard_template: TEMPLATE });
  if (answer.status !== 200) throw new Error(`The template was refused: ${answer.text}`);
  return agent;
}
