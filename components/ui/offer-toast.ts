"use client";
import { toast } from "sonner";

/** Long enough to read it, think, and get there by keyboard. */
const SHOWN_MS = 15_000;

/** Says what happened, with a way back that lasts a while. */
export function offerToast(text: string, action: { label: string; onClick: () => void }): void {
  toast(text, {
    action,
    duration: SHOWN_MS,
    classNames: {
      actionButton:
        "ml-auto shrink-0 rounded-md border border-line-strong bg-surface px-2.5 py-1 " +
        "font-medium text-xs hover:bg-hover cursor-pointer",
    },
  });
}
