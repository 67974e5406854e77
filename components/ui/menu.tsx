"use client";
import { DropdownMenu as Radix } from "radix-ui";
import type { ComponentProps } from "react";
import { mergeClasses } from "@/components/merge-classes";

export const Menu = Radix.Root;
export const MenuTrigger = Radix.Trigger;
export const MenuRadioGroup = Radix.RadioGroup;

const ITEM =
  "flex h-8 cursor-pointer select-none items-center gap-2 rounded-md px-2 text-sm " +
  "outline-none data-[disabled]:opacity-50 data-[highlighted]:bg-hover [&_svg]:size-4 " +
  "[&_svg]:text-faint";

export function MenuContent({
  className,
  align = "end",
  ...rest
}: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Content
        align={align}
        sideOffset={6}
        collisionPadding={8}
        className={mergeClasses(
          "data-[state=open]:fade-in-0 data-[state=open]:zoom-in-95 z-50 min-w-48 rounded-lg " +
            "bg-surface p-1 shadow-high duration-100 data-[state=open]:animate-in",
          className,
        )}
        {...rest}
      />
    </Radix.Portal>
  );
}

export function MenuItem({
  danger,
  className,
  ...rest
}: ComponentProps<typeof Radix.Item> & { danger?: boolean }) {
  return (
    <Radix.Item
      className={mergeClasses(ITEM, danger && "text-danger [&_svg]:text-danger", className)}
      {...rest}
    />
  );
}

export function MenuRadioItem({ className, ...rest }: ComponentProps<typeof Radix.RadioItem>) {
  return (
    <Radix.RadioItem
      className={mergeClasses(
        ITEM,
        "data-[state=checked]:font-medium data-[state=checked]:text-accent " +
          "data-[state=checked]:[&_svg]:text-accent",
        className,
      )}
      {...rest}
    />
  );
}

export function MenuLabel({ className, ...rest }: ComponentProps<typeof Radix.Label>) {
  return (
    <Radix.Label
      className={mergeClasses("px-2 pt-2 pb-1 text-faint text-xs", className)}
      {...rest}
    />
  );
}

export function MenuSeparator() {
  return <Radix.Separator className="-mx-1 my-1 h-px bg-line" />;
}
