import { Badge, type BadgeTone } from "@/components/ui/badge";
import type { AgentVersionMetadata } from "@/lib/client/schemas";

const LOOKS: Record<AgentVersionMetadata["source"], { label: string; tone: BadgeTone; title: string }> = {
  create: { label: "Created", tone: "success", title: "The agent as it was made" },
  patch: { label: "Changed", tone: "neutral", title: "A change of its fields, here or by the API" },
  edit: { label: "Edited in words", tone: "accent", title: "An edit in words" },
  restore: { label: "Restored", tone: "warning", title: "An earlier version, brought back" },
};

/** Where a version came from. */
export function SourceBadge({ source }: { source: AgentVersionMetadata["source"] }) {
  const look = LOOKS[source];
  return (
    <Badge tone={look.tone} title={look.title}>
      {look.label}
    </Badge>
  );
}
