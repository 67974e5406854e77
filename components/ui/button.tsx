"use client";
import { cva, type VariantProps } from "class-variance-authority";
import { Slot } from "radix-ui";
import type { ComponentProps } from "react";
import { mergeClasses } from "@/components/merge-classes";
import { Spinner } from "@/components/ui/spinner";
import { useHydrated } from "@/components/ui/use-hydrated";

export const buttonClasses = cva(
  "relative inline-flex shrink-0 select-none items-center justify-center gap-1.5 " +
    "whitespace-nowrap rounded-md font-medium transition-colors data-dim:opacity-50 " +
    "aria-disabled:pointer-events-none aria-disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0",
  {
    variants: {
      variant: {
        primary: "bg-primary text-primary-foreground shadow-low hover:bg-primary-hover",
        secondary: "border border-line-strong bg-surface text-foreground shadow-low hover:bg-hover",
        ghost: "text-muted hover:bg-hover hover:text-foreground",
        danger: "bg-danger-solid text-white shadow-low hover:opacity-90",
        link: "text-accent underline-offset-4 hover:underline",
      },
      size: {
        small: "h-7 px-2.5 text-xs [&_svg]:size-3.5",
        medium: "h-8 px-3 text-sm",
        large: "h-10 px-4 text-base",
        icon: "size-8",
        "icon-small": "size-7 [&_svg]:size-3.5",
      },
    },
    compoundVariants: [{ variant: "link", className: "h-auto px-0" }],
    defaultVariants: { variant: "secondary", size: "medium" },
  },
);

interface ButtonProps extends ComponentProps<"button">, VariantProps<typeof buttonClasses> {
  asChild?: boolean;
  /** Shows a spinner over the label, keeps the width, and refuses clicks. */
  loading?: boolean;
}

/** A button, or with `asChild` a link that looks like one. */
export function Button({
  variant,
  size,
  asChild,
  loading,
  className,
  children,
  disabled,
  type = "button",
  ...rest
}: ButtonProps) {
  const hydrated = useHydrated();
  const classes = mergeClasses(buttonClasses({ variant, size }), className);
  if (asChild) {
    return (
      <Slot.Root className={classes} {...rest}>
        {children}
      </Slot.Root>
    );
  }
  const rests = Boolean(disabled || loading);
  return (
    // Before the page answers a click would be lost, and a form's would send its fields in the
    // address.
    <button
      type={type}
      className={classes}
      disabled={rests || !hydrated}
      data-dim={rests && !loading ? "" : undefined}
      aria-busy={loading || undefined}
      {...rest}
    >
      {loading && (
        <span className="absolute inset-0 grid place-items-center">
          <Spinner />
        </span>
      )}
      <span className={mergeClasses("inline-flex items-center gap-1.5", loading && "opacity-0")}>
        {children}
      </span>
    </button>
  );
}
