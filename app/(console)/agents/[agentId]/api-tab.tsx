"use client";
import type { ReactNode } from "react";
import { Card, CardHeader } from "@/components/ui/card";
import { exampleInput } from "@/lib/console/inputs/example-input";
import type { AgentRecord } from "@/lib/console/shapes/agent";
import { Snippets } from "../../_shared/snippets";

/** How a backend runs this very agent. */
export function ApiTab({ agent }: { agent: AgentRecord }) {
  const body = { agent_id: agent.agent_id, input: exampleInput(agent.inputs_schema) };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <Call
        title="Run and stream"
        text="One JSON object a line, until run.completed or run.failed. The run goes on when the connection breaks."
      >
        <Snippets what="Run and stream" call={{ method: "POST", path: "/v1/realtime/runs", body, stream: true }} />
      </Call>
      <Call title="Run in the background" text="Answers at once with a run_id to poll. Add webhook_url to be told instead.">
        <Snippets what="Run in the background" call={{ method: "POST", path: "/v1/runs", body }} />
      </Call>
      <Call title="Fetch a run" text="Status, result, usage and, when it failed, why.">
        <Snippets what="Fetch a run" call={{ method: "GET", path: "/v1/runs/RUN_ID" }} />
      </Call>
    </div>
  );
}

function Call({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <Card aria-label={title}>
      <CardHeader title={title} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4">
        <p className="text-muted text-sm">{text}</p>
        {children}
      </div>
    </Card>
  );
}
