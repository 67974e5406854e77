"use client";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";

interface SheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  children: ReactNode;
}

/** A panel from the left edge, for the navigation of small screens. */
export function Sheet({ open, onOpenChange, title, children }: SheetProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="data-[state=open]:fade-in-0 data-[state=closed]:fade-out-0 fixed inset-0 z-40 bg-overlay data-[state=closed]:animate-out data-[state=open]:animate-in" />
        <Radix.Content
          aria-describedby={undefined}
          className="data-[state=closed]:slide-out-to-left data-[state=open]:slide-in-from-left fixed inset-y-0 left-0 z-50 flex w-72 max-w-[85vw] flex-col bg-background shadow-high duration-200 data-[state=closed]:animate-out data-[state=open]:animate-in"
        >
          <Radix.Title className="sr-only">{title}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
