"use client";
import { AgentGlyph } from "@/components/brand/agent-glyph";
import { Badge } from "@/components/ui/badge";
import { IdChip } from "@/components/ui/id-chip";
import { Notice } from "@/components/ui/notice";
import { PageHeader } from "@/components/ui/page-header";
import { consolePaths } from "@/lib/console/console-paths";
import type { AgentRecord } from "@/lib/console/shapes/agent";
import { useConsoleQuery } from "@/lib/console/use-console-query";
import { AutonomyBadge } from "../../_shared/autonomy-badge";
import { AgentActions } from "./agent-actions";
import { DetailsDialog } from "./details-dialog";

/**
 * The head of an agent's page, from the record that its tabs read. It follows an edit without a refresh of the page: one of those that meets a change of
 * the address ends in the whole page being loaded anew, and unsaved texts with it.
 */
export function AgentHead({ agentId }: { agentId: string }) {
  const { data: agent } = useConsoleQuery<AgentRecord>(consolePaths.agent(agentId));
  if (!agent) return null;
  const archived = agent.status === "archived";
  return (
    <>
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
    </>
  );
}
