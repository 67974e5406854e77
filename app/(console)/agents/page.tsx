import { Plus } from "lucide-react";
import type { Metadata } from "next";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { reads } from "@/lib/console/reads";
import { Hydrate } from "../_shared/first-paint";
import { AgentList } from "./agent-list";
import { ImportAgentButton } from "./import-agent-button";

export const metadata: Metadata = { title: "Agents" };

interface AgentsPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function AgentsPage({ searchParams }: AgentsPageProps) {
  const { status, q } = await searchParams;
  const path = reads.agents({
    status: status === "archived" ? status : "active",
    q: typeof q === "string" ? q : undefined,
  });
  return (
    <Hydrate pages={[path]}>
      <PageHeader
        title="Agents"
        description="Each is instructions, inputs, tools and limits, ready to be run by API."
      >
        <ImportAgentButton />
        <Button asChild variant="primary">
          <Link href="/agents/new">
            <Plus aria-hidden="true" />
            Create agent
          </Link>
        </Button>
      </PageHeader>
      <AgentList />
    </Hydrate>
  );
}
