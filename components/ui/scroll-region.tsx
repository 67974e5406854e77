import type { ReactNode } from "react";
import { mergeClasses } from "@/components/merge-classes";

/** What may scroll on its own, and so has to be reachable by keyboard. */
export function ScrollRegion({
  label,
  className,
  children,
}: {
  label: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: without it nobody scrolls it by keyboard
      tabIndex={0}
      className={mergeClasses("overflow-auto focus-visible:-outline-offset-2", className)}
    >
      {children}
    </section>
  );
}
