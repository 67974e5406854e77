import { mergeClasses } from "@/components/merge-classes";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import type { RunStatus } from "@/lib/model/run/run-status";

const LOOKS: Record<RunStatus, { label: string; tone: BadgeTone; dot: string }> = {
  pending: { label: "Pending", tone: "neutral", dot: "border border-current" },
  running: { label: "Running", tone: "accent", dot: "animate-live bg-current" },
  completed: { label: "Completed", tone: "success", dot: "bg-current" },
  failed: { label: "Failed", tone: "danger", dot: "bg-current" },
  cancelled: { label: "Cancelled", tone: "neutral", dot: "bg-current opacity-60" },
};

const WAITING = {
  approval: "Needs approval",
  client_tool: "Waits for results",
  budget: "At its budget",
  credits: "Waits for credits",
  question: "Has a question",
} as const;

interface RunStatusBadgeProps {
  status: RunStatus;
  /** What it waits for: a person's decision or answer, credits, or results of client tools. */
  waiting?: keyof typeof WAITING | undefined;
}

/** A run's state; one that waits for somebody says so instead of “Running”. */
export function RunStatusBadge({ status, waiting }: RunStatusBadgeProps) {
  const isWaiting = waiting !== undefined && status === "running";
  const look = isWaiting
    ? { label: WAITING[waiting], tone: "warning" as const, dot: "animate-live bg-current" }
    : LOOKS[status];
  return (
    <Badge tone={look.tone}>
      <span aria-hidden="true" className={mergeClasses("size-1.5 rounded-full", look.dot)} />
      {look.label}
    </Badge>
  );
}
