import type { ReactNode } from "react";
import { Skeleton } from "@/components/ui/skeleton";
import type { WidgetValue } from "@/lib/console/dashboard/widget-data";
import { WidgetProblem } from "./widget-problem";

/** Shows what was found by `children`; its place while it loads; else why there is nothing. */
export function WidgetContent<T>({ content, children }: { content: WidgetValue<T>; children: (value: T) => ReactNode }) {
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
    <WidgetProblem title={content.reason}>The data does not fit this widget. Change its source, or what the agent returns.</WidgetProblem>
  );
}
