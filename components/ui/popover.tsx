"use client";
import { Popover as Radix } from "radix-ui";
import type { ComponentProps } from "react";
import { mergeClasses } from "@/components/merge-classes";

export const Popover = Radix.Root;
export const PopoverTrigger = Radix.Trigger;

/** A small panel beside its trigger. Give it an `aria-label`. */
export function PopoverContent({
  className,
  align = "start",
  ...rest
}: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Content
        align={align}
        sideOffset={6}
        collisionPadding={8}
        className={mergeClasses(
          "data-[state=open]:fade-in-0 data-[state=open]:zoom-in-95 z-50 overflow-hidden " +
            "rounded-lg bg-surface shadow-high outline-none duration-100 " +
            "data-[state=open]:animate-in",
          className,
        )}
        {...rest}
      />
    </Radix.Portal>
  );
}
