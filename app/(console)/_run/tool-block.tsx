"use client";
import { Check, CircleSlash, X } from "lucide-react";
import { formatDuration } from "@/components/format/format-duration";
import { mergeClasses } from "@/components/merge-classes";
import { Spinner } from "@/components/ui/spinner";
import type { BlockOf } from "./block-of";
import { Elapsed } from "./elapsed";

const WORDS = { running: "running", succeeded: "succeeded", failed: "failed", stopped: "stopped" };

/** A tool's start and end. What went in and out stays on the server. */
export function ToolBlock({ block }: { block: BlockOf<"tool"> }) {
  return (
    <div className="tool flex min-h-6 items-center gap-2.5 text-sm">
      <ToolSign status={block.status} />
      <code className={mergeClasses("truncate font-mono text-xs", block.status === "failed" ? "text-danger" : "text-muted")}>
        {block.name}
      </code>
      <span className="sr-only">{WORDS[block.status]}</span>
      <span aria-hidden="true" className="h-px flex-1 bg-line" />
      <span className="shrink-0 font-mono text-2xs text-faint tabular">
        {block.endedAt ? formatDuration(Date.parse(block.endedAt) - Date.parse(block.startedAt)) : <Elapsed since={block.startedAt} />}
      </span>
    </div>
  );
}

function ToolSign({ status }: { status: BlockOf<"tool">["status"] }) {
  if (status === "running") return <Spinner className="size-4 shrink-0 text-accent" />;
  if (status === "succeeded") return <Check aria-hidden="true" className="size-4 shrink-0 text-success" />;
  if (status === "failed") return <X aria-hidden="true" className="size-4 shrink-0 text-danger" />;
  return <CircleSlash aria-hidden="true" className="size-4 shrink-0 text-faint" />;
}
