import { Badge, type BadgeTone } from "@/components/ui/badge";
import type { ApprovalStatus } from "@/lib/model/approval/approval";

const LOOKS: Record<ApprovalStatus, { label: string; tone: BadgeTone }> = {
  pending: { label: "Waiting", tone: "warning" },
  approved: { label: "Approved", tone: "success" },
  rejected: { label: "Rejected", tone: "danger" },
  expired: { label: "Expired", tone: "neutral" },
};

export function ApprovalStatusBadge({ status }: { status: ApprovalStatus }) {
  return <Badge tone={LOOKS[status].tone}>{LOOKS[status].label}</Badge>;
}
