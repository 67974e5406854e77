"use client";
import { Tabs as Radix } from "radix-ui";
import type { ComponentProps } from "react";
import { mergeClasses } from "@/components/merge-classes";

export const Tabs = Radix.Root;

export function TabList({ className, ...rest }: ComponentProps<typeof Radix.List>) {
  return (
    <Radix.List
      className={mergeClasses(
        "-mx-4 flex gap-5 overflow-x-auto border-line border-b px-4 [scrollbar-width:none] sm:mx-0 sm:px-0",
        className,
      )}
      {...rest}
    />
  );
}

export function Tab({ className, ...rest }: ComponentProps<typeof Radix.Trigger>) {
  return (
    <Radix.Trigger
      className={mergeClasses(
        "-mb-px h-9 shrink-0 border-transparent border-b-2 text-muted text-sm transition-colors hover:text-foreground focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-foreground",
        className,
      )}
      {...rest}
    />
  );
}

export function TabPanel({ className, ...rest }: ComponentProps<typeof Radix.Content>) {
  return <Radix.Content className={mergeClasses("mt-6", className)} {...rest} />;
}
