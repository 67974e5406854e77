"use client";
import { X } from "lucide-react";
import Link from "next/link";
import { AgentGlyph } from "@/components/brand/agent-glyph";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { Select } from "@/components/ui/select";
import { consolePaths } from "@/lib/console/console-paths";
import { requestConsoleJson } from "@/lib/console/request-console-json";
import type { Agent } from "@/lib/console/shapes/agent";
import type { Page } from "@/lib/console/shapes/page";
import { useConsoleMutation } from "@/lib/console/use-console-mutation";
import { useConsoleQuery } from "@/lib/console/use-console-query";

/** Which agents may read this workspace: all, until some are named. */
export function AssignedAgents({ workspaceId }: { workspaceId: string }) {
  const { data: assigned } = useConsoleQuery<Page<Agent>>(consolePaths.workspaceAgents(workspaceId));
  const { data: agents } = useConsoleQuery<Page<Agent>>(consolePaths.agents({ limit: 100 }));
  const base = `${consolePaths.workspace(workspaceId)}/agents`;
  const change = useConsoleMutation(
    ({ agentId, method }: { agentId: string; method: "PUT" | "DELETE" }) =>
      requestConsoleJson<void>(`${base}/${encodeURIComponent(agentId)}`, { method }),
    { stale: [base] },
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
                  look="ghost"
                  size="icon-small"
                  aria-label={`Remove ${agent.name}`}
                  onClick={() => change.mutate({ agentId: agent.agent_id, method: "DELETE" })}
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
            onChange={(event) => event.target.value && change.mutate({ agentId: event.target.value, method: "PUT" })}
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
