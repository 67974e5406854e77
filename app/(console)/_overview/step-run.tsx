"use client";
import Link from "next/link";
import { AgentGlyph } from "@/components/brand/agent-glyph";
import { Skeleton } from "@/components/ui/skeleton";
import { consolePaths } from "@/lib/console/console-paths";
import { exampleInput } from "@/lib/console/inputs/example-input";
import type { Agent, AgentRecord } from "@/lib/console/shapes/agent";
import { useRunStream } from "@/lib/console/transcript/use-run-stream";
import { useConsoleQuery } from "@/lib/console/use-console-query";
import { LiveRun } from "../_run/live-run";
import { RunForm } from "../_run/run-form";
import { useStreamEnd } from "../_run/use-stream-end";
import { Snippets } from "../_shared/snippets";
import { TwoWays } from "./two-ways";

export function StepRun({ agent }: { agent: Agent | null }) {
  if (!agent) return <p className="text-muted text-sm">Create an agent first; it can be run here as soon as it stands.</p>;
  return <RunNewest key={agent.agent_id} agent={agent} />;
}

function RunNewest({ agent }: { agent: Agent }) {
  const { data: record } = useConsoleQuery<AgentRecord>(consolePaths.agent(agent.agent_id));
  const stream = useRunStream();
  useStreamEnd(stream.transcript);
  const here = (
    <>
      <p className="flex items-center gap-2.5 text-sm">
        <AgentGlyph agentId={agent.agent_id} className="size-6 rounded-sm" />
        <Link href={`/agents/${agent.agent_id}`} className="font-medium underline-offset-4 hover:underline">
          {agent.name}
        </Link>
      </p>
      {record ? (
        <RunForm
          schema={record.inputs_schema}
          busy={stream.state !== null && stream.state !== "ended"}
          onRun={(body) => stream.start({ agent_id: agent.agent_id, ...body })}
        />
      ) : (
        <Skeleton className="h-52 w-full rounded-lg" />
      )}
    </>
  );
  const body = { agent_id: agent.agent_id, input: exampleInput(record?.inputs_schema ?? null) };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <TwoWays
        here={here}
        code={<Snippets what="Run the agent" call={{ method: "POST", path: "/v1/realtime/runs", body, stream: true }} />}
      />
      <LiveRun stream={stream} label="Run of the new agent" />
    </div>
  );
}
