"use client";
import type { DashboardData } from "@/lib/console/dashboard/dashboard-data";
import { sourceValue } from "@/lib/console/dashboard/source-value";
import type { AgentRecord } from "@/lib/console/shapes/agent";
import type { DashboardSource, DashboardWidget } from "@/lib/model/dashboard/dashboard-template-schema";
import { ArtifactsWidget } from "./artifacts-widget";
import { ChartWidget } from "./chart-widget";
import { ListWidget } from "./list-widget";
import { MarkdownWidget } from "./markdown-widget";
import { MetricWidget } from "./metric-widget";
import { RunButtonWidget } from "./run-button-widget";
import { RunsWidget } from "./runs-widget";
import { TableWidget } from "./table-widget";

/** Where a widget looks that names no source. */
const DEFAULT_SOURCES: Partial<Record<DashboardWidget["type"], DashboardSource>> = {
  metric: { from: "last_result", path: "/data" },
  chart: { from: "run_history" },
  table: { from: "run_history" },
  markdown: { from: "last_result", path: "/text" },
  list: { from: "last_result", path: "/data" },
  artifacts: { from: "last_result", path: "/artifacts" },
};

interface WidgetViewProps {
  widget: DashboardWidget;
  data: DashboardData;
  agent: AgentRecord;
  title: string;
}

/** One widget with its value. */
export function WidgetView({ widget, data, agent, title }: WidgetViewProps) {
  const named =
    widget.source ??
    (widget.type === "markdown" && widget.text !== undefined ? { from: "literal" as const, value: widget.text } : undefined);
  const from = named ?? DEFAULT_SOURCES[widget.type];
  const source = from ? sourceValue(from, data) : null;
  const isHistory = from?.from === "run_history" && !from.path;
  if (widget.type === "runs") return <RunsWidget widget={widget} runs={data.runs} title={title} />;
  if (widget.type === "run_button") return <RunButtonWidget widget={widget} source={source} agent={agent} />;
  if (!source) return null;
  switch (widget.type) {
    case "metric":
      return <MetricWidget widget={widget} source={source} />;
    case "chart":
      return <ChartWidget widget={widget} source={source} newestFirst={isHistory} title={title} />;
    case "table":
      return <TableWidget widget={widget} source={source} isHistory={isHistory} title={title} />;
    case "markdown":
      return <MarkdownWidget source={source} title={title} />;
    case "list":
      return <ListWidget widget={widget} source={source} title={title} />;
    case "artifacts":
      return <ArtifactsWidget widget={widget} source={source} title={title} />;
  }
}
