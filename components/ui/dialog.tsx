"use client";
import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { mergeClasses } from "@/components/merge-classes";
import { Button } from "@/components/ui/button";

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  wide?: boolean;
  /** Clicking beside it does not close it: for what is shown only once. */
  holds?: boolean;
  children: ReactNode;
}

/** A dialog with a title; on phones it stands at the bottom edge, where thumbs are. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  wide,
  holds,
  children,
}: DialogProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="data-[state=open]:fade-in-0 data-[state=closed]:fade-out-0 fixed inset-0 z-40 bg-overlay data-[state=closed]:animate-out data-[state=open]:animate-in" />
        <Radix.Content
          onInteractOutside={holds ? (event) => event.preventDefault() : undefined}
          {...(description ? {} : { "aria-describedby": undefined })}
          className={mergeClasses(
            "data-[state=open]:fade-in-0 data-[state=closed]:fade-out-0 " +
              "data-[state=open]:slide-in-from-bottom-4 fixed inset-x-0 bottom-0 z-50 " +
              "max-h-[92dvh] overflow-y-auto rounded-t-xl bg-surface shadow-high duration-150 " +
              "data-[state=closed]:animate-out data-[state=open]:animate-in",
            "sm:inset-auto sm:top-1/2 sm:left-1/2 sm:max-h-[86dvh] sm:w-[calc(100vw-2rem)] " +
              "sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-xl",
            wide ? "sm:max-w-2xl" : "sm:max-w-md",
          )}
        >
          <div className="grid gap-1 px-5 pt-5 pr-12">
            <Radix.Title className="font-semibold text-lg">{title}</Radix.Title>
            {description && (
              <Radix.Description className="text-muted text-sm">{description}</Radix.Description>
            )}
          </div>
          <div className="px-5 pt-4 pb-5">{children}</div>
          {/* Last, so that the first field gets the focus. */}
          <Radix.Close asChild>
            <Button
              variant="ghost"
              size="icon-small"
              aria-label="Close"
              className="absolute top-4 right-3.5"
            >
              <X aria-hidden="true" />
            </Button>
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The row of buttons at a dialog's end. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className="mt-6 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end [&>*]:max-sm:h-10 [&>*]:max-sm:w-full">
      {children}
    </div>
  );
}
