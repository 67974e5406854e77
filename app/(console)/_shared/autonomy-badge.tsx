import { Badge, type BadgeTone } from "@/components/ui/badge";
import { AUTONOMY_LABELS } from "@/lib/console/autonomy-labels";
import type { WriteAutonomy } from "@/lib/model/write-autonomy";

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
