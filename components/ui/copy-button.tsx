"use client";
import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { toast } from "sonner";
import { Button } from "@/components/ui/button";

interface CopyButtonProps {
  text: string;
  /** What is copied, for the button's name: “Copy run id”. */
  what: string;
  /** Shows the words too, not only the sign. */
  wordy?: boolean;
  /** Words of its own, as a button among others of a page's head. */
  label?: string;
  className?: string;
}

/** Copies, and says that it did. */
export function CopyButton({ text, what, wordy, label, className }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1600);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () =>
    navigator.clipboard
      .writeText(text)
      .then(() => setCopied(true))
      // Without https or permission there is no clipboard.
      .catch(() =>
        toast.error("Copying is not allowed here. Select the text and copy it by hand."),
      );
  const Icon = copied ? Check : Copy;
  return (
    <Button
      variant={wordy || label ? "secondary" : "ghost"}
      size={label ? "medium" : wordy ? "small" : "icon-small"}
      aria-label={`Copy ${what}`}
      onClick={copy}
      className={className}
    >
      <Icon aria-hidden="true" className={copied ? "text-success" : undefined} />
      {(wordy || label) && (copied ? "Copied" : (label ?? "Copy"))}
      <span role="status" className="sr-only">
        {copied ? "Copied" : ""}
      </span>
    </Button>
  );
}
