"use client";
import { Tooltip as Radix } from "radix-ui";
import type { ReactNode } from "react";

/** A short word about the one thing inside it. Never the only place where something is said. */
export function Tooltip({ text, children }: { text: ReactNode; children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={300}>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
            sideOffset={6}
            collisionPadding={8}
            className="fade-in-0 z-50 max-w-64 animate-in rounded-md bg-foreground px-2 py-1 text-background text-xs duration-100"
          >
            {text}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  );
}
