"use client";
import { ArrowUpRight, Play } from "lucide-react";
import dynamic from "next/dynamic";
import { formatCredits } from "@/components/format/format";
import { formatValue, useReader } from "@/components/format/format-value";
import { Markdown } from "@/components/markdown/markdown";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { RelativeTime } from "@/components/ui/relative-time";
import { RunStatusBadge } from "@/components/ui/run-status-badge";
import { ScrollRegion } from "@/components/ui/scroll-region";
import { Skeleton } from "@/components/ui/skeleton";
import type { Agent, Run } from "@/lib/client/schemas";
import { messageOf } from "@/lib/console/api";
import { toArtifacts, toChart, toListItems } from "@/lib/console/dashboard/widget-content";
import {
  type DashboardData,
  mapValue,
  sourceValue,
  type WidgetValue,
} from "@/lib/console/dashboard/widget-data";
import { useRunStream } from "@/lib/console/transcript/use-run-stream";
import type {
  DashboardSource,
  DashboardWidget,
} from "@/lib/model/dashboard/dashboard-template-schema";
import { isJsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";
import { ArtifactBlock } from "../../../_run/artifact-block";
import { useStreamEnd } from "../../../_run/live-run";
import { Elapsed, RunErrorNotice } from "../../../_run/run-transcript";
import { TableWidget } from "./table-widget";
import { toSeriesName, WidgetContent, type WidgetOf } from "./widget-content";

const RUNS_WIDGET_DEFAULT_ROWS = 8;

interface RunsWidgetProps {
  widget: WidgetOf<"runs">;
  runs: readonly Run[] | undefined;
  title: string;
}

/** The agent's newest runs, which lead to their pages. */
function RunsWidget({ widget, runs, title }: RunsWidgetProps) {
  return (
    <WidgetContent content={findRuns(runs, widget.limit ?? RUNS_WIDGET_DEFAULT_ROWS)}>
      {(shown) => (
        <ScrollRegion
          label={`Content of ${title}`}
          className="max-md:max-h-96 md:absolute md:inset-0"
        >
          <ul className="divide-y divide-line">
            {shown.map((run) => (
              <li key={run.run_id}>
                <Link
                  href={`/runs/${run.run_id}`}
                  className="flex min-h-10 items-center gap-3 px-4 py-2 text-sm transition-colors hover:bg-hover/60 focus-visible:-outline-offset-2"
                >
                  <RunStatusBadge status={run.status} waiting={run.requires_action?.type} />
                  <span className="min-w-0 flex-1 truncate text-muted">
                    <RelativeTime time={run.created_at} />
                  </span>
                  <span className="text-faint text-xs tabular">
                    {run.usage ? `${formatCredits(run.usage.credits)} credits` : ""}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </ScrollRegion>
      )}
    </WidgetContent>
  );
}

function findRuns(runs: readonly Run[] | undefined, limit: number): WidgetValue<readonly Run[]> {
  if (runs === undefined) return { state: "loading" };
  return runs.length === 0
    ? { state: "missing", reason: "This agent has not run yet." }
    : { state: "ready", value: runs.slice(0, limit) };
}

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
  agent: Agent;
  title: string;
}

/** One widget with its value. */
export function WidgetView({ widget, data, agent, title }: WidgetViewProps) {
  const named =
    widget.source ??
    (widget.type === "markdown" && widget.text !== undefined
      ? { from: "literal" as const, value: widget.text }
      : undefined);
  const from = named ?? DEFAULT_SOURCES[widget.type];
  const source = from ? sourceValue(from, data) : null;
  const isHistory = from?.from === "run_history" && !from.path;
  if (widget.type === "runs") return <RunsWidget widget={widget} runs={data.runs} title={title} />;
  if (widget.type === "run_button")
    return <RunButtonWidget widget={widget} source={source} agent={agent} />;
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

/** Markdown out of the source, bounded, with nothing that loads from elsewhere. */
function MarkdownWidget({ source, title }: { source: WidgetValue<JsonValue>; title: string }) {
  const content = mapValue<JsonValue, string>(source, (value) => {
    if (typeof value !== "string") return { state: "unfit", reason: "This is not a text." };
    return value.trim() === ""
      ? { state: "missing", reason: "The text is empty." }
      : { state: "ready", value };
  });
  return (
    <WidgetContent content={content}>
      {(text) => (
        <ScrollRegion
          label={`Content of ${title}`}
          className="px-4 py-3 text-sm max-md:max-h-[32rem] md:absolute md:inset-0"
        >
          <Markdown text={text} />
        </ScrollRegion>
      )}
    </WidgetContent>
  );
}

/** One figure. */
function MetricWidget({
  widget,
  source,
}: {
  widget: WidgetOf<"metric">;
  source: WidgetValue<JsonValue>;
}) {
  const reader = useReader();
  const content = mapValue<JsonValue, string>(source, (value) => {
    if (Array.isArray(value))
      return { state: "unfit", reason: `This is a list of ${value.length}, not one value.` };
    if (typeof value === "object" && value !== null)
      return { state: "unfit", reason: "This is an object, not one value." };
    const text = formatValue(value, widget, reader);
    return text === null
      ? { state: "unfit", reason: `“${String(value).slice(0, 60)}” is no ${widget.format}.` }
      : { state: "ready", value: text };
  });
  return (
    <WidgetContent content={content}>
      {(text) => (
        <div className="flex h-full flex-col justify-center px-4 py-2.5">
          <p className="truncate font-semibold text-2xl tabular tracking-tight" title={text}>
            {text}
          </p>
          {widget.label && <p className="mt-0.5 truncate text-faint text-xs">{widget.label}</p>}
        </div>
      )}
    </WidgetContent>
  );
}

const DEFAULT_ROWS = 10;

interface ArtifactsWidgetProps {
  widget: WidgetOf<"artifacts">;
  source: WidgetValue<JsonValue>;
  title: string;
}

/** Files of a run, to download. */
function ArtifactsWidget({ widget, source, title }: ArtifactsWidgetProps) {
  return (
    <WidgetContent content={toArtifacts(source, widget.limit ?? DEFAULT_ROWS)}>
      {(artifacts) => (
        <ScrollRegion
          label={`Content of ${title}`}
          className="max-md:max-h-96 md:absolute md:inset-0"
        >
          <ul className="grid gap-2 p-3">
            {artifacts.map((artifact) => (
              <li key={artifact.id}>
                <ArtifactBlock artifact={artifact} />
              </li>
            ))}
          </ul>
        </ScrollRegion>
      )}
    </WidgetContent>
  );
}

interface ListWidgetProps {
  widget: WidgetOf<"list">;
  source: WidgetValue<JsonValue>;
  title: string;
}

function ListWidget({ widget, source, title }: ListWidgetProps) {
  const reader = useReader();
  return (
    <WidgetContent content={toListItems(source, widget.item)}>
      {({ items, omitted }) => (
        <ScrollRegion
          label={`Content of ${title}`}
          className="max-md:max-h-96 md:absolute md:inset-0"
        >
          <ul className="divide-y divide-line">
            {[...items.entries()].map(([index, item]) => (
              <li
                key={index}
                className="flex items-baseline justify-between gap-4 px-4 py-2 text-sm"
              >
                {item.name !== null && (
                  <span className="shrink-0 text-muted">{toSeriesName(item.name)}</span>
                )}
                <span className="min-w-0 [overflow-wrap:anywhere]">
                  {formatValue(item.value, widget, reader) ?? formatValue(item.value, {}, reader)}
                </span>
              </li>
            ))}
          </ul>
          {omitted > 0 && (
            <p className="px-4 py-2 text-faint text-xs">{omitted} more items are not shown.</p>
          )}
        </ScrollRegion>
      )}
    </WidgetContent>
  );
}

/** The charts are heavy: they come when one is shown. */
const ChartPlot = dynamic(() => import("./chart-plot").then((module) => module.ChartPlot), {
  ssr: false,
  loading: () => <Skeleton className="m-4 h-40" />,
});

interface ChartWidgetProps {
  widget: WidgetOf<"chart">;
  source: WidgetValue<JsonValue>;
  /** Runs come newest first, and time goes to the right. */
  newestFirst: boolean;
  title: string;
}

function ChartWidget({ widget, source, newestFirst, title }: ChartWidgetProps) {
  const axes = newestFirst
    ? { x: widget.x ?? "created_at", y: widget.y ?? "credits" }
    : { x: widget.x, y: widget.y };
  return (
    <WidgetContent content={toChart(source, axes)}>
      {(chart) => (
        <ChartPlot
          kind={widget.chart ?? "line"}
          chart={newestFirst ? { ...chart, points: chart.points.toReversed() } : chart}
          format={{ format: widget.format, currency: widget.currency }}
          title={title}
        />
      )}
    </WidgetContent>
  );
}

interface RunButtonWidgetProps {
  widget: WidgetOf<"run_button">;
  /** Its object is the input where the widget itself names none. */
  source: WidgetValue<JsonValue> | null;
  agent: Agent;
}

/** Starts a run with the template's input and follows it to its end. */
function RunButtonWidget({ widget, source, agent }: RunButtonWidgetProps) {
  const stream = useRunStream();
  useStreamEnd(stream.transcript);
  const { transcript, state, error } = stream;
  const loading = state !== null && state !== "ended";
  const input =
    widget.input ?? (source?.state === "ready" && isJsonObject(source.value) ? source.value : {});
  const refused = error !== null && transcript.lastSequence < 0;
  const needsInput = refused && widget.input === undefined && agent.inputs_schema !== null;
  return (
    <div className="flex h-full flex-col justify-center gap-2.5 px-4 py-3">
      <div className="flex flex-wrap items-center gap-3">
        <Button
          variant="primary"
          loading={loading}
          disabled={agent.status === "archived"}
          onClick={() => stream.start({ agent_id: agent.agent_id, input })}
        >
          <Play aria-hidden="true" />
          {widget.label ?? "Run agent"}
        </Button>
        <span role="status" className="flex items-center gap-2 text-faint text-xs">
          {transcript.runId && (
            <RunStatusBadge
              status={transcript.error?.code === "RUN_CANCELLED" ? "cancelled" : transcript.status}
            />
          )}
          {loading && transcript.startedAt && <Elapsed since={transcript.startedAt} />}
        </span>
        {transcript.runId && (
          <Button asChild variant="ghost" size="small">
            <Link href={`/runs/${transcript.runId}`}>
              Open run
              <ArrowUpRight aria-hidden="true" />
            </Link>
          </Button>
        )}
      </div>
      {agent.status === "archived" && (
        <p className="text-faint text-xs">The agent is archived: it can no longer be run.</p>
      )}
      {refused && (
        <p role="alert" className="text-danger text-xs [overflow-wrap:anywhere]">
          The run was not accepted. {messageOf(error)}
          {needsInput && " Give this button an input in the template, or use the Run tab."}
        </p>
      )}
      {transcript.error && (
        <RunErrorNotice code={transcript.error.code} message={transcript.error.message} />
      )}
    </div>
  );
}
