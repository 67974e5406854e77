import { mergeClasses } from "@/components/merge-classes";
import { ATTENTION_MAX } from "@/lib/model/attention";

/** How many things wait. `what` follows the number for screen readers. Nothing for 0. */
export function CountBadge({ count, what, className }: { count: number; what: string; className?: string }) {
  if (count === 0) return null;
  return (
    <span
      className={mergeClasses(
        "grid h-4.5 min-w-4.5 place-items-center rounded-full bg-primary px-1 font-medium text-2xs text-primary-foreground tabular",
        className,
      )}
    >
      <span>{count < ATTENTION_MAX ? count : `${ATTENTION_MAX - 1}+`}</span>
      <span className="sr-only"> {what}</span>
    </span>
  );
}
