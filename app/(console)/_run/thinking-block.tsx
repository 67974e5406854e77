"use client";
import { ChevronRight } from "lucide-react";
import { Spinner } from "@/components/ui/spinner";
import type { BlockOf } from "./block-of";

/** What the model thought, folded away; a line long while it thinks. */
export function ThinkingBlock({ block }: { block: BlockOf<"thinking"> }) {
  return (
    <details className="group/thinking text-sm">
      <summary className="flex w-fit max-w-full list-none items-center gap-2 rounded-md text-muted hover:text-foreground [&::-webkit-details-marker]:hidden">
        {block.done ? (
          <ChevronRight aria-hidden="true" className="size-4 shrink-0 transition-transform group-open/thinking:rotate-90" />
        ) : (
          <Spinner className="shrink-0 text-accent" />
        )}
        <span className="truncate">{block.title}</span>
        {!block.done && block.text && <span className="truncate text-faint">{lastWords(block.text)}</span>}
      </summary>
      <p className="mt-2 ml-2 max-h-72 overflow-y-auto whitespace-pre-wrap border-line border-l-2 pl-4 text-muted text-sm [overflow-wrap:anywhere]">
        {block.text || "The model kept its thoughts to itself."}
      </p>
    </details>
  );
}

function lastWords(text: string): string {
  return text.slice(-90).replace(/\s+/g, " ").trimStart();
}
