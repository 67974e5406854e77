"use client";
import { Switch as Radix } from "radix-ui";
import type { ComponentProps } from "react";

export function Switch(props: ComponentProps<typeof Radix.Root>) {
  return (
    <Radix.Root
      className="relative h-5 w-9 shrink-0 rounded-full border border-line-strong bg-sunken transition-colors data-[state=checked]:border-primary data-[state=checked]:bg-primary"
      {...props}
    >
      <Radix.Thumb className="block size-3.5 translate-x-0.5 rounded-full bg-faint transition-transform data-[state=checked]:translate-x-[18px] data-[state=checked]:bg-white" />
    </Radix.Root>
  );
}
