import type { ComponentProps, ReactNode } from "react";
import { mergeClasses } from "@/components/merge-classes";

export function Card({ className, ...rest }: ComponentProps<"section">) {
  return (
    <section
      className={mergeClasses(
        "overflow-hidden rounded-lg border border-line bg-surface",
        className,
      )}
      {...rest}
    />
  );
}

/** The line at a card's top: what it holds, and what can be done with all of it. */
export function CardHeader({
  title,
  note,
  children,
}: {
  title: ReactNode;
  note?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line border-b px-4 py-2">
      <div className="flex min-w-0 items-baseline gap-2">
        <h2 className="shrink-0 font-medium text-sm">{title}</h2>
        {note && <span className="text-faint text-xs">{note}</span>}
      </div>
      {children && <div className="flex items-center gap-2">{children}</div>}
    </div>
  );
}
