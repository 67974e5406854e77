import type { ReactNode } from "react";
import { Skeleton } from "@/components/ui/skeleton";
import type { Finding } from "@/lib/console/dashboard/finding";
import { WidgetProblem } from "./widget-problem";

/** Shows what was found by `children`; its place while it loads; else why there is nothing. */
export function Found<T>({ finding, children }: { finding: Finding<T>; children: (value: T) => ReactNode }) {
  if (finding.state === "there") return children(finding.value);
  if (finding.state === "loading") {
    return (
      <div role="status" aria-label="Loading" className="h-full p-4">
        <Skeleton className="h-full min-h-6 w-full" />
      </div>
    );
  }
  return finding.state === "missing" ? (
    <WidgetProblem title={finding.why} />
  ) : (
    <WidgetProblem title={finding.why}>The data does not fit this widget. Change its source, or what the agent returns.</WidgetProblem>
  );
}
