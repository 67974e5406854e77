import type { Metadata } from "next";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { reads } from "@/lib/console/reads";
import { Hydrate, readOrNotFound } from "../_shared/first-paint";
import { AccountList } from "./account-list";

export const metadata: Metadata = { title: "Accounts" };

interface AdminPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function AdminPage({ searchParams }: AdminPageProps) {
  // The operation decides who is an admin: for everybody else this page is not there.
  await readOrNotFound(reads.adminAccounts());
  const { q } = await searchParams;
  return (
    <Hydrate pages={[reads.adminAccounts({ q: typeof q === "string" ? q : "" })]}>
      <PageHeader
        title="Accounts"
        description={
          "Everybody's accounts on this service. Only admins see this page. Each change takes " +
          "effect at once and stands in the audit log, where the account's owner sees it too."
        }
      >
        <Button asChild>
          <Link href="/admin/invitations">Invitations</Link>
        </Button>
      </PageHeader>
      <AccountList />
    </Hydrate>
  );
}
