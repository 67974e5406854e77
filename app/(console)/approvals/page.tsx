import type { Metadata } from "next";
import { PageHeader } from "@/components/ui/page-header";
import { reads } from "@/lib/console/reads";
import { Hydrate } from "../_shared/first-paint";
import { APPROVAL_FILTERS, PENDING_APPROVALS } from "./approval-parts";
import { Approvals } from "./approvals";

export const metadata: Metadata = { title: "Approvals" };

interface ApprovalsPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function ApprovalsPage({ searchParams }: ApprovalsPageProps) {
  const { status } = await searchParams;
  const filter = APPROVAL_FILTERS.find(({ value }) => value === status)?.value ?? "pending";
  const path = filter === "pending" ? PENDING_APPROVALS : reads.approvals({ status: filter });
  return (
    <Hydrate reads={[reads.agents({ limit: 100 })]} pages={[path]}>
      <PageHeader
        title="Approvals"
        description={
          "Calls that agents make only when a person says so. Their runs wait for your word."
        }
      />
      <Approvals />
    </Hydrate>
  );
}
