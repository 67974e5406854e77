"use client";
import { ArrowUpRight, Play } from "lucide-react";
import Link from "next/link";
import { Button } from "@/components/ui/button";
import { RunStatusBadge } from "@/components/ui/run-status-badge";
import type { Finding } from "@/lib/console/dashboard/finding";
import type { AgentRecord } from "@/lib/console/shapes/agent";
import { useRunStream } from "@/lib/console/transcript/use-run-stream";
import { isJsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";
import { Elapsed } from "../../../_run/elapsed";
import { RunErrorNotice } from "../../../_run/run-error-notice";
import { useStreamEnd } from "../../../_run/use-stream-end";
import type { WidgetOf } from "./widget-of";

interface RunButtonWidgetProps {
  widget: WidgetOf<"run_button">;
  /** Its object is the input where the widget itself names none. */
  source: Finding<JsonValue> | null;
  agent: AgentRecord;
}

/** Starts a run with the template's input and follows it to its end. */
export function RunButtonWidget({ widget, source, agent }: RunButtonWidgetProps) {
  const stream = useRunStream();
  useStreamEnd(stream.transcript);
  const { transcript, state, error } = stream;
  const busy = state !== null && state !== "ended";
  const input = widget.input ?? (source?.state === "there" && isJsonObject(source.value) ? source.value : {});
  const refused = error !== null && transcript.lastSequence < 0;
  const needsInput = refused && widget.input === undefined && agent.inputs_schema !== null;
  return (
    <div className="flex h-full flex-col justify-center gap-2.5 px-4 py-3">
      <div className="flex flex-wrap items-center gap-3">
        <Button
          look="primary"
          busy={busy}
          disabled={agent.status === "archived"}
          onClick={() => stream.start({ agent_id: agent.agent_id, input })}
        >
          <Play aria-hidden="true" />
          {widget.label ?? "Run agent"}
        </Button>
        <span role="status" className="flex items-center gap-2 text-faint text-xs">
          {transcript.runId && <RunStatusBadge status={transcript.error?.code === "RUN_CANCELLED" ? "cancelled" : transcript.status} />}
          {busy && transcript.startedAt && <Elapsed since={transcript.startedAt} />}
        </span>
        {transcript.runId && (
          <Button asChild look="ghost" size="small">
            <Link href={`/runs/${transcript.runId}`}>
              Open run
              <ArrowUpRight aria-hidden="true" />
            </Link>
          </Button>
        )}
      </div>
      {agent.status === "archived" && <p className="text-faint text-xs">The agent is archived: it can no longer be run.</p>}
      {refused && (
        <p role="alert" className="text-danger text-xs [overflow-wrap:anywhere]">
          The run was not accepted. {error.message}
          {needsInput && " Give this button an input in the template, or use the Run tab."}
        </p>
      )}
      {transcript.error && <RunErrorNotice code={transcript.error.code} message={transcript.error.message} />}
    </div>
  );
}
