import type { Metadata } from "next";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { requireSession } from "@/lib/api/console/session";
import { reads } from "@/lib/console/reads";
import { Hydrate } from "../_shared/first-paint";
import { NoAccess } from "./no-access";
import { SuperAgent } from "./super-agent";

export const metadata: Metadata = { title: "Super-agent" };

export default async function SuperAgentPage() {
  const { principal, user } = await requireSession();
  const header = {
    title: "Super-agent",
    description: "Knows your product, and lists, creates, edits and runs your agents for you.",
  };
  if (!principal.superAgentAccess) {
    return (
      <>
        <PageHeader {...header} />
        <NoAccess email={user.email} />
      </>
    );
  }
  return (
    <Hydrate reads={[reads.models]} pages={[reads.conversations({ family: "super_agent" })]}>
      <PageHeader {...header}>
        <Button asChild>
          <Link href="/super-agent/profile">Product profile</Link>
        </Button>
      </PageHeader>
      <SuperAgent />
    </Hydrate>
  );
}
