import { CircleSlash } from "lucide-react";
import type { ReactNode } from "react";
import { Skeleton } from "@/components/ui/skeleton";
import type { WidgetValue } from "@/lib/console/dashboard/widget-data";
import type { DashboardWidget } from "@/lib/model/dashboard/dashboard-template-schema";

/** Shows what was found by `children`; its place while it loads; else why there is nothing. */
export function WidgetContent<T>({
  content,
  children,
}: {
  content: WidgetValue<T>;
  children: (value: T) => ReactNode;
}) {
  if (content.state === "ready") return children(content.value);
  if (content.state === "loading") {
    return (
      <div role="status" aria-label="Loading" className="h-full p-4">
        <Skeleton className="h-full min-h-6 w-full" />
      </div>
    );
  }
  return content.state === "missing" ? (
    <WidgetProblem title={content.reason} />
  ) : (
    <WidgetProblem title={content.reason}>
      The data does not fit this widget. Change its source, or what the agent returns.
    </WidgetProblem>
  );
}

/** In a widget's own box: why it shows nothing. */
export function WidgetProblem({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="flex h-full items-start gap-2.5 px-4 py-3 text-sm">
      <CircleSlash aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-faint" />
      <div className="min-w-0">
        <p className="text-muted [overflow-wrap:anywhere]">{title}</p>
        {children && (
          <p className="mt-0.5 text-faint text-xs [overflow-wrap:anywhere]">{children}</p>
        )}
      </div>
    </div>
  );
}

export type WidgetOf<Type extends DashboardWidget["type"]> = Extract<
  DashboardWidget,
  { type: Type }
>;

/** A field as people read it: `/data/net_total` is “net total”. */
export function toSeriesName(field: string): string {
  const last = field.split("/").at(-1) || field;
  return last.replaceAll("~1", "/").replaceAll("~0", "~").replaceAll("_", " ");
}
