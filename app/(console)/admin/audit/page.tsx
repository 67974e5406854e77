import type { Metadata } from "next";
import { PageHeader } from "@/components/ui/page-header";
import { NO_FILTER, toAuditRead } from "../../_audit/audit-filters";
import { AuditLog } from "../../_audit/audit-log";
import { Hydrate, readOrNotFound } from "../../_shared/first-paint";
export const metadata: Metadata = { title: "Audit log" };

interface AuditPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function AuditPage({ searchParams }: AuditPageProps) {
  // The operation decides who is an admin: for everybody else this page is not there.
  await readOrNotFound(toAuditRead("service", NO_FILTER));
  const { action, from, to, account } = await searchParams;
  const query = { ...NO_FILTER, action: String(action ?? ""), account: String(account ?? "") };
  return (
    <Hydrate pages={from || to ? [] : [toAuditRead("service", query)]}>
      <PageHeader
        title="Audit log"
        description={
          "What people, keys, admins and the operator did in every account, and to the service " +
          "as a whole. Only admins see this page. Nobody can change or remove an entry."
        }
      />
      <AuditLog scope="service" />
    </Hydrate>
  );
}
