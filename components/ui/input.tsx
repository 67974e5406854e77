import type { ComponentProps } from "react";
import { mergeClasses } from "@/components/merge-classes";

export const INPUT_CLASSES =
  "w-full rounded-md border border-line-strong bg-surface px-2.5 text-base text-foreground " +
  "shadow-low transition-colors placeholder:text-faint hover:border-faint " +
  "focus-visible:border-accent focus-visible:outline-1 focus-visible:outline-offset-0 " +
  "disabled:opacity-60 aria-invalid:border-danger max-sm:text-[16px]";

export function Input({ className, ...rest }: ComponentProps<"input">) {
  return <input className={mergeClasses(INPUT_CLASSES, "h-9", className)} {...rest} />;
}
