import type { Metadata } from "next";
import { reads } from "@/lib/console/reads";
import { Hydrate, readOrNotFound } from "../../_shared/first-paint";
import { AgentHead } from "./agent-head";
import { AgentTabs } from "./agent-tabs";

interface AgentPageProps {
  params: Promise<{ agentId: string }>;
}

export async function generateMetadata({ params }: AgentPageProps): Promise<Metadata> {
  const { agentId } = await params;
  return { title: (await readOrNotFound(reads.agent(agentId))).name };
}

export default async function AgentPage({ params }: AgentPageProps) {
  const { agentId } = await params;
  const path = reads.agent(agentId);
  await readOrNotFound(path);
  return (
    <Hydrate
      reads={[path, reads.workspaces, reads.models]}
      pages={[reads.runs({ agent_id: agentId })]}
    >
      <AgentHead agentId={agentId} />
      <AgentTabs agentId={agentId} />
    </Hydrate>
  );
}
