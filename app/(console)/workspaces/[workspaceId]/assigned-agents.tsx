"use client";
import { X } from "lucide-react";
import { AgentGlyph } from "@/components/brand/agent-glyph";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { Select } from "@/components/ui/select";
import { consoleApi } from "@/lib/console/api";
import { useConsoleMutation, useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";

/** Which agents may read this workspace: all, until some are named. */
export function AssignedAgents({ workspaceId }: { workspaceId: string }) {
  const { data: assigned } = useConsoleQuery(reads.workspaceAgents(workspaceId));
  const { data: agents } = useConsoleQuery(reads.agents({ limit: 100 }));
  const change = useConsoleMutation(
    ({ agentId, assigned }: { agentId: string; assigned: boolean }) => {
      const init = { params: { path: { workspace_id: workspaceId, agent_id: agentId } } };
      return assigned
        ? consoleApi.put("/v1/workspaces/{workspace_id}/agents/{agent_id}", init)
        : consoleApi.delete("/v1/workspaces/{workspace_id}/agents/{agent_id}", init);
    },
    { stale: [`/v1/workspaces/${workspaceId}/agents`] },
  );
  const taken = new Set(assigned?.data.map((agent) => agent.agent_id));
  const free = agents?.data.filter((agent) => !taken.has(agent.agent_id)) ?? [];
  return (
    <Card aria-label="Agents">
      <CardHeader title="Agents" />
      <div className="grid gap-3 p-4 text-sm">
        <p className="text-muted">
          {taken.size === 0
            ? "Every agent may be given this workspace. Name some to keep it to those."
            : "Only these agents may be given this workspace."}
        </p>
        {taken.size > 0 && (
          <ul className="grid gap-1">
            {assigned?.data.map((agent) => (
              <li key={agent.agent_id} className="flex items-center gap-2.5">
                <AgentGlyph agentId={agent.agent_id} className="size-6 rounded-sm" />
                <Link href={`/agents/${agent.agent_id}`} className="min-w-0 flex-1 truncate underline-offset-4 hover:underline">
                  {agent.name}
                </Link>
                <Button
                  variant="ghost"
                  size="icon-small"
                  aria-label={`Remove ${agent.name}`}
                  onClick={() => change.mutate({ agentId: agent.agent_id, assigned: false })}
                >
                  <X aria-hidden="true" />
                </Button>
              </li>
            ))}
          </ul>
        )}
        {free.length > 0 && (
          <Select
            aria-label="Add an agent"
            value=""
            disabled={change.isPending}
            onChange={(event) => event.target.value && change.mutate({ agentId: event.target.value, assigned: true })}
          >
            <option value="">Add an agent…</option>
            {free.map((agent) => (
              <option key={agent.agent_id} value={agent.agent_id}>
                {agent.name}
              </option>
            ))}
          </Select>
        )}
      </div>
    </Card>
  );
}
