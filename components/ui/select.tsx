import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";
import { mergeClasses } from "@/components/merge-classes";
import { INPUT_CLASSES } from "@/components/ui/input";

/** The platform's own select, which phones and screen readers know best. */
export function Select({ className, children, ...rest }: ComponentProps<"select">) {
  return (
    <span className={mergeClasses("relative inline-flex w-full", className)}>
      <select
        className={mergeClasses(INPUT_CLASSES, "h-9 appearance-none truncate pr-8")}
        {...rest}
      >
        {children}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute right-2.5 top-1/2 size-4 -translate-y-1/2 text-faint"
      />
    </span>
  );
}
