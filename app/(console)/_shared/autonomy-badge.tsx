import { Badge, type BadgeTone } from "@/components/ui/badge";
import type { WriteAutonomy } from "@/lib/model/write-autonomy";

const LOOKS: Record<WriteAutonomy, { label: string; tone: BadgeTone; title: string }> = {
  full_auto: { label: "Full auto", tone: "neutral", title: "Writes outside the service run without asking." },
  approval_required: { label: "Asks first", tone: "warning", title: "Writes outside the service wait for a person." },
  blocked: { label: "Writes blocked", tone: "neutral", title: "Writes outside the service are refused." },
};

/** How freely an agent may write outside the service. */
export function AutonomyBadge({ autonomy }: { autonomy: WriteAutonomy }) {
  const look = LOOKS[autonomy];
  return (
    <Badge tone={look.tone} title={look.title}>
      {look.label}
    </Badge>
  );
}
