import type { Metadata } from "next";
import { IdChip } from "@/components/ui/id-chip";
import { PageHeader } from "@/components/ui/page-header";
import { reads } from "@/lib/console/reads";
import { Hydrate, readOrNotFound } from "../../_shared/first-paint";
import { SingleApproval } from "../approval-card";

export const metadata: Metadata = { title: "Approval" };

export default async function ApprovalPage({
  params,
}: {
  params: Promise<{ approvalId: string }>;
}) {
  const { approvalId } = await params;
  const approval = await readOrNotFound(reads.approval(approvalId));
  return (
    <Hydrate reads={[reads.approval(approval.approval_id), reads.agents({ limit: 100 })]}>
      <PageHeader
        back={{ href: "/approvals", label: "Approvals" }}
        title="Approval"
        description={<IdChip id={approval.approval_id} what="approval id" />}
      />
      <SingleApproval approval={approval} />
    </Hydrate>
  );
}
