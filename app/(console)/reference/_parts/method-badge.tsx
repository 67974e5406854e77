import { mergeClasses } from "@/components/merge-classes";
import type { ApiMethod } from "@/lib/console/reference/api-document";

const INKS: Record<ApiMethod, string> = {
  GET: "text-accent",
  POST: "text-success",
  PUT: "text-warning",
  PATCH: "text-warning",
  DELETE: "text-danger",
};

/** An operation's method; its colour only repeats the word. */
export function MethodBadge({ method, className }: { method: ApiMethod; className?: string }) {
  return <span className={mergeClasses("shrink-0 font-medium font-mono text-2xs", INKS[method], className)}>{method}</span>;
}
