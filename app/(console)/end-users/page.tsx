import type { Metadata } from "next";
import { PageHeader } from "@/components/ui/page-header";
import { reads } from "@/lib/console/reads";
import { Hydrate } from "../_shared/first-paint";
import { EndUserList } from "./end-user-list";

export const metadata: Metadata = { title: "End users" };

interface EndUsersPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function EndUsersPage({ searchParams }: EndUsersPageProps) {
  const { q } = await searchParams;
  return (
    <Hydrate pages={[reads.endUsers(typeof q === "string" ? q : "")]}>
      <PageHeader
        title="End users"
        description={
          "The people whom your backend acts for, by the names that it gives them with each run."
        }
      />
      <EndUserList />
    </Hydrate>
  );
}
