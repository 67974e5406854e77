import type { Metadata } from "next";
import { consolePaths } from "@/lib/console/console-paths";
import type { AgentRecord } from "@/lib/console/shapes/agent";
import { Hydrate } from "../../_shared/hydrate";
import { readOrNotFound } from "../../_shared/read-or-not-found";
import { AgentHead } from "./agent-head";
import { AgentTabs } from "./agent-tabs";

interface AgentPageProps {
  params: Promise<{ agentId: string }>;
}

export async function generateMetadata({ params }: AgentPageProps): Promise<Metadata> {
  const { agentId } = await params;
  return { title: (await readOrNotFound<AgentRecord>(consolePaths.agent(agentId))).name };
}

export default async function AgentPage({ params }: AgentPageProps) {
  const { agentId } = await params;
  const path = consolePaths.agent(agentId);
  await readOrNotFound<AgentRecord>(path);
  return (
    <Hydrate paths={[path, consolePaths.workspaces, consolePaths.models]} pages={[consolePaths.runs({ agent_id: agentId })]}>
      <AgentHead agentId={agentId} />
      <AgentTabs agentId={agentId} />
    </Hydrate>
  );
}
