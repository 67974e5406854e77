import type { Metadata } from "next";
import { IdChip } from "@/components/ui/id-chip";
import { PageHeader } from "@/components/ui/page-header";
import { consolePaths } from "@/lib/console/console-paths";
import type { Approval } from "@/lib/console/shapes/approval";
import { Hydrate } from "../../_shared/hydrate";
import { readOrNotFound } from "../../_shared/read-or-not-found";
import { SingleApproval } from "./single-approval";

export const metadata: Metadata = { title: "Approval" };

export default async function ApprovalPage({ params }: { params: Promise<{ approvalId: string }> }) {
  const { approvalId } = await params;
  const approval = await readOrNotFound<Approval>(consolePaths.approval(approvalId));
  return (
    <Hydrate paths={[consolePaths.approval(approval.approval_id), consolePaths.agents({ limit: 100 })]}>
      <PageHeader
        back={{ href: "/approvals", label: "Approvals" }}
        title="Approval"
        description={<IdChip id={approval.approval_id} what="approval id" />}
      />
      <SingleApproval approval={approval} />
    </Hydrate>
  );
}
