import { mergeClasses } from "@/components/merge-classes";

/** The place of something that is on its way; give it the size of what will stand there. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={mergeClasses("block animate-pulse rounded-sm bg-hover", className)}
    />
  );
}
