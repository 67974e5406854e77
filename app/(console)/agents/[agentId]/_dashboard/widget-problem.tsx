import { CircleSlash } from "lucide-react";
import type { ReactNode } from "react";

/** In a widget's own box: why it shows nothing. */
export function WidgetProblem({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="flex h-full items-start gap-2.5 px-4 py-3 text-sm">
      <CircleSlash aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-faint" />
      <div className="min-w-0">
        <p className="text-muted [overflow-wrap:anywhere]">{title}</p>
        {children && <p className="mt-0.5 text-faint text-xs [overflow-wrap:anywhere]">{children}</p>}
      </div>
    </div>
  );
}
