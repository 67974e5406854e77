"use client";
import dynamic from "next/dynamic";
import { Skeleton } from "@/components/ui/skeleton";
import { findChart } from "@/lib/console/dashboard/find-chart";
import type { Finding } from "@/lib/console/dashboard/finding";
import type { JsonValue } from "@/lib/model/json-schema/json-value";
import { Found } from "./found";
import type { WidgetOf } from "./widget-of";

/** The charts are heavy: they come when one is shown. */
const ChartPlot = dynamic(() => import("./chart-plot").then((module) => module.ChartPlot), {
  ssr: false,
  loading: () => <Skeleton className="m-4 h-40" />,
});

interface ChartWidgetProps {
  widget: WidgetOf<"chart">;
  source: Finding<JsonValue>;
  /** Runs come newest first, and time goes to the right. */
  newestFirst: boolean;
  title: string;
}

export function ChartWidget({ widget, source, newestFirst, title }: ChartWidgetProps) {
  const axes = newestFirst ? { x: widget.x ?? "created_at", y: widget.y ?? "credits" } : { x: widget.x, y: widget.y };
  return (
    <Found finding={findChart(source, axes)}>
      {(chart) => (
        <ChartPlot
          kind={widget.chart ?? "line"}
          chart={newestFirst ? { ...chart, points: chart.points.toReversed() } : chart}
          format={{ format: widget.format, currency: widget.currency }}
          title={title}
        />
      )}
    </Found>
  );
}
