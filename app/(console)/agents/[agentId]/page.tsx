import type { Metadata } from "next";
import { AgentGlyph } from "@/components/brand/agent-glyph";
import { Badge } from "@/components/ui/badge";
import { IdChip } from "@/components/ui/id-chip";
import { Notice } from "@/components/ui/notice";
import { PageHeader } from "@/components/ui/page-header";
import { consolePaths } from "@/lib/console/console-paths";
import type { AgentRecord } from "@/lib/console/shapes/agent";
import { AutonomyBadge } from "../../_shared/autonomy-badge";
import { Hydrate } from "../../_shared/hydrate";
import { readOrNotFound } from "../../_shared/read-or-not-found";
import { AgentActions } from "./agent-actions";
import { AgentTabs } from "./agent-tabs";
import { DetailsDialog } from "./details-dialog";

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
  const agent = await readOrNotFound<AgentRecord>(path);
  const archived = agent.status === "archived";
  return (
    <Hydrate paths={[path, consolePaths.workspaces, consolePaths.models]} pages={[consolePaths.runs({ agent_id: agentId })]}>
      <PageHeader
        back={{ href: "/agents", label: "Agents" }}
        title={
          <span className="flex min-w-0 items-center gap-3">
            <AgentGlyph agentId={agent.agent_id} className="size-9" />
            <span className="min-w-0 [overflow-wrap:anywhere]">{agent.name}</span>
          </span>
        }
        description={agent.description}
      >
        <AgentActions agentId={agent.agent_id} name={agent.name} archived={archived} />
      </PageHeader>
      <div className="-mt-2 mb-6 flex flex-wrap items-center gap-2">
        <Badge>v{agent.version}</Badge>
        <AutonomyBadge autonomy={agent.write_autonomy} />
        {archived && <Badge tone="warning">Archived</Badge>}
        <IdChip id={agent.agent_id} what="agent id" />
        {!archived && <DetailsDialog agentId={agent.agent_id} />}
      </div>
      {archived && (
        <Notice tone="warning" title="This agent is archived" className="mb-6">
          It can no longer be run or changed. Its runs stay readable; duplicate it to go on from where it stood.
        </Notice>
      )}
      <AgentTabs agentId={agent.agent_id} />
    </Hydrate>
  );
}
