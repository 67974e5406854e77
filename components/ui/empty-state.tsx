import type { ReactNode } from "react";
import { TurnedPart } from "@/components/brand/turned-part";

/**
 * The place of things that are not there yet: what they are, why one wants them, and how to get the
 * first.
 */
export function EmptyState({
  title,
  children,
  action,
  seed,
}: {
  title: string;
  children: ReactNode;
  action?: ReactNode;
  seed: string;
}) {
  return (
    <div className="flex flex-col items-center px-6 py-14 text-center">
      <TurnedPart seed={seed} drawn className="h-16 w-32 text-line-strong" />
      <h2 className="mt-5 font-medium text-lg">{title}</h2>
      <p className="mt-1 max-w-md text-balance text-muted text-sm">{children}</p>
      {action && <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
