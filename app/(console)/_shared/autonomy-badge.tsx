import { Badge, type BadgeTone } from "@/components/ui/badge";
import type { WriteAutonomy } from "@/lib/model/write-autonomy";

/** How the console calls each write autonomy. */
export const AUTONOMY_LABELS: Record<WriteAutonomy, string> = {
  full_auto: "Full auto",
  approval_required: "Asks first",
  blocked: "Writes blocked",
};

const LOOKS: Record<WriteAutonomy, { tone: BadgeTone; title: string }> = {
  full_auto: { tone: "neutral", title: "Writes outside the service run without asking." },
  approval_required: { tone: "warning", title: "Writes outside the service wait for a person." },
  blocked: { tone: "neutral", title: "Writes outside the service are refused." },
};

/** How freely an agent may write outside the service. */
export function AutonomyBadge({ autonomy }: { autonomy: WriteAutonomy }) {
  const look = LOOKS[autonomy];
  return (
    <Badge tone={look.tone} title={look.title}>
      {AUTONOMY_LABELS[autonomy]}
    </Badge>
  );
}
