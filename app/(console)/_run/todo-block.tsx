import { Check } from "lucide-react";
import { mergeClasses } from "@/components/merge-classes";
import type { BlockOf } from "./block-of";

export function TodoBlock({ block }: { block: BlockOf<"todo"> }) {
  const done = block.items.filter((item) => item.done).length;
  return (
    <div className="rounded-lg border border-line bg-surface">
      <div className="flex items-center justify-between gap-3 border-line border-b px-3.5 py-2">
        <span className="font-medium text-sm">{block.title || "Plan"}</span>
        <span className="caption">
          {done}/{block.items.length}
        </span>
      </div>
      <ul className="grid gap-1.5 px-3.5 py-2.5">
        {block.items.map((item) => (
          <li key={item.id} className="flex items-start gap-2.5 text-sm">
            <span
              aria-hidden="true"
              className={mergeClasses(
                "mt-0.5 grid size-4 shrink-0 place-items-center rounded-full border",
                item.done ? "border-success bg-success text-surface" : "border-line-strong",
              )}
            >
              {item.done && <Check className="size-3" strokeWidth={3} />}
            </span>
            <span className={item.done ? "text-muted" : undefined}>
              {item.text}
              <span className="sr-only">{item.done ? " (done)" : " (open)"}</span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
