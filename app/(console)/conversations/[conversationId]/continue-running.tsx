"use client";
import { useState } from "react";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { Skeleton } from "@/components/ui/skeleton";
import { consolePaths } from "@/lib/console/console-paths";
import type { AgentRecord } from "@/lib/console/shapes/agent";
import { useConsoleQuery } from "@/lib/console/use-console-query";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { RunForm } from "../../_run/run-form";
import { useAgentNames } from "../../_run/use-agent-names";

interface ContinueRunningProps {
  lastAgentId: string | null;
  busy: boolean;
  onRun: (body: { input: JsonObject; agent_id?: string; workspace_id?: string; model?: string }) => void;
}

/** The next run of a conversation: by the agent of the last one, or by another. */
export function ContinueRunning({ lastAgentId, busy, onRun }: ContinueRunningProps) {
  const names = useAgentNames();
  const [picked, setPicked] = useState<string | null>(null);
  // An agent that was archived since is not among the names, and cannot run.
  const agentId = picked ?? (lastAgentId !== null && names.has(lastAgentId) ? lastAgentId : "");
  const { data: agent } = useConsoleQuery<AgentRecord>(consolePaths.agent(agentId), { enabled: agentId !== "" });
  return (
    <div className="grid gap-4">
      <Field label="Agent">
        {(control) => (
          <Select {...control} value={agentId} onChange={(event) => setPicked(event.target.value)}>
            <option value="">None, a general run</option>
            {[...names].map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {agentId !== "" && agent?.agent_id !== agentId ? (
        <Skeleton className="h-48" />
      ) : (
        <RunForm
          key={agentId}
          schema={agentId === "" ? null : (agent?.inputs_schema ?? null)}
          busy={busy}
          onRun={(body) => onRun({ ...body, ...(agentId === "" ? {} : { agent_id: agentId }) })}
        />
      )}
    </div>
  );
}
