import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps } from "react";
import { mergeClasses } from "@/components/merge-classes";

const badgeClasses = cva(
  "inline-flex h-5 shrink-0 items-center gap-1.5 whitespace-nowrap rounded-sm border px-1.5 " +
    "font-medium text-2xs",
  {
    variants: {
      tone: {
        neutral: "border-line bg-sunken text-muted",
        accent: "border-accent-line bg-accent-soft text-accent",
        success: "border-success-line bg-success-soft text-success",
        warning: "border-warning-line bg-warning-soft text-warning",
        danger: "border-danger-line bg-danger-soft text-danger",
      },
    },
    defaultVariants: { tone: "neutral" },
  },
);

export type BadgeTone = NonNullable<VariantProps<typeof badgeClasses>["tone"]>;

export function Badge({
  tone,
  className,
  ...rest
}: ComponentProps<"span"> & VariantProps<typeof badgeClasses>) {
  return <span className={mergeClasses(badgeClasses({ tone }), className)} {...rest} />;
}
