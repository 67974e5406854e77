import type { Metadata } from "next";
import { PageHeader } from "@/components/ui/page-header";
import { NO_FILTER, toAuditRead } from "../../_audit/audit-filters";
import { AuditLog } from "../../_audit/audit-log";
import { Hydrate } from "../../_shared/first-paint";

export const metadata: Metadata = { title: "Activity" };

interface ActivityPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function ActivityPage({ searchParams }: ActivityPageProps) {
  const { action, from, to } = await searchParams;
  // Days begin where the reader is, which the server does not know: what is filtered by day is left
  // for the browser to ask.
  const pages =
    from || to ? [] : [toAuditRead("account", { ...NO_FILTER, action: String(action ?? "") })];
  return (
    <Hydrate pages={pages}>
      <PageHeader
        title="Activity"
        description={
          "Who did what in this account, when and from where: sign-ins, keys, secrets, " +
          "approvals, and what the service's admins changed. Nobody can change or remove an entry."
        }
      />
      <AuditLog scope="account" />
    </Hydrate>
  );
}
