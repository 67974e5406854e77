"use client";

import type { ReactNode } from "react";
import { formatCount, formatCredits, formatDuration } from "@/components/format/format";
import { Card, CardHeader } from "@/components/ui/card";
import { IdChip } from "@/components/ui/id-chip";
import { Link } from "@/components/ui/link";
import { RelativeTime } from "@/components/ui/relative-time";
import { RunStatusBadge } from "@/components/ui/run-status-badge";
import type { Run } from "@/lib/client/schemas";
import { useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import type { Usage, UsageRow } from "@/lib/model/run/run-result";
import { isTerminal } from "@/lib/model/run/run-status";
import { Elapsed } from "../../_run/run-transcript";

const KINDS: Record<Run["kind"], string> = {
  agent: "Agent run",
  agent_creation: "Agent creation",
  agent_edit: "Agent edit",
  super_agent: "Super-agent run",
  app: "App run",
};

/**
 * Under the run's name: how it stands, and its id. On a phone all other facts follow what happened.
 */
export function RunSubtitle({ runId }: { runId: string }) {
  const { data: run } = useConsoleQuery(reads.run(runId));
  return (
    <span className="mt-1.5 flex flex-wrap items-center gap-2">
      {run && <RunStatusBadge status={run.status} waiting={run.requires_action?.type} />}
      <IdChip id={runId} what="run id" />
    </span>
  );
}

/** The run above, and what it is called; none: it cannot be read any more. */
export interface RunAbove {
  href: string;
  title: string;
}

interface RunFactsProps {
  run: Run;
  agentName: string | null;
  above: RunAbove | null;
}

export function RunFacts({ run, agentName, above }: RunFactsProps) {
  const { schedule_id: scheduleId, ...others } = run.metadata;
  const metadata = Object.entries(others);
  return (
    <Card aria-label="Facts">
      <CardHeader title="Details" />
      <dl className="grid gap-2.5 px-4 py-3.5 text-sm">
        <Fact name="Kind">{KINDS[run.kind]}</Fact>
        {run.agent_id && (
          <Fact name="Agent">
            <FactLink href={`/agents/${run.agent_id}`}>{agentName ?? "Open"}</FactLink>
          </Fact>
        )}
        <Fact name="Started">
          <RelativeTime time={run.started_at} fallback="Not yet" />
        </Fact>
        <Fact name="Time">
          {run.started_at ? <RunTime run={run} startedAt={run.started_at} /> : "–"}
        </Fact>
        {run.model && (
          <Fact name="Model">
            <span className="font-mono text-xs">{run.model}</span>
          </Fact>
        )}
        {run.agent_version !== null && <Fact name="Version">{run.agent_version}</Fact>}
        {run.parent_run_id && (
          <Fact name="Started by">
            {above ? (
              <FactLink href={above.href}>{above.title}</FactLink>
            ) : (
              <IdChip id={run.parent_run_id} what="id of the run above" />
            )}
          </Fact>
        )}
        {run.replayed_from && (
          <Fact name="Repeats">
            <FactLink href={`/runs/${run.replayed_from}`}>First run</FactLink>
          </Fact>
        )}
        {run.conversation_id && (
          <Fact name="Conversation">
            <FactLink href={`/conversations/${run.conversation_id}`}>Open</FactLink>
          </Fact>
        )}
        {run.workspace_id && (
          <Fact name="Workspace">
            <FactLink href={`/workspaces/${run.workspace_id}`}>Open</FactLink>
          </Fact>
        )}
        {scheduleId && run.agent_id && (
          <Fact name="Schedule">
            <FactLink href={`/agents/${run.agent_id}?tab=schedules`}>Open</FactLink>
          </Fact>
        )}
        <WebhookFact run={run} />
        {metadata.length > 0 && <div className="-mx-4 my-1 border-line border-t" />}
        {metadata.map(([key, value]) => (
          <Fact key={key} name={key}>
            <span className="font-mono text-xs">{value}</span>
          </Fact>
        ))}
      </dl>
    </Card>
  );
}

function FactLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className="text-accent underline-offset-4 hover:underline">
      {children}
    </Link>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-h-6 items-center justify-between gap-4">
      <dt className="shrink-0 text-faint">{name}</dt>
      <dd className="min-w-0 text-right [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

function RunTime({ run, startedAt }: { run: Run; startedAt: string }) {
  if (run.completed_at)
    return (
      <span className="tabular">
        {formatDuration(Date.parse(run.completed_at) - Date.parse(startedAt))}
      </span>
    );
  return isTerminal(run.status) ? "–" : <Elapsed since={startedAt} />;
}

const WORDS = { pending: "Being sent", delivered: "Delivered", failed: "Not delivered" };

/** What became of the run's webhook, as a row of its facts; nothing for a run without one. */
function WebhookFact({ run }: { run: Run }) {
  const { data } = useConsoleQuery(reads.deliveries({ run_id: run.run_id, limit: 1 }), {
    enabled: isTerminal(run.status),
    refreshEvery: (page) => (page?.data[0]?.status === "pending" ? 3_000 : false),
  });
  const delivery = data?.data[0];
  if (!delivery) return null;
  return (
    <div className="flex min-h-6 items-center justify-between gap-4">
      <dt className="shrink-0 text-faint">Webhook</dt>
      <dd>
        <Link
          href={`/webhooks/${delivery.delivery_id}`}
          className="text-accent underline-offset-4 hover:underline"
        >
          {WORDS[delivery.status]}
        </Link>
      </dd>
    </div>
  );
}

/** What a run cost, a row per model and capability. */
export function UsageRows({ usage }: { usage: Usage }) {
  return (
    <Card aria-label="Usage">
      <CardHeader title="Usage">
        <span className="text-sm tabular">{formatCredits(usage.credits)} credits</span>
      </CardHeader>
      {usage.breakdown.length === 0 ? (
        <p className="px-4 py-5 text-faint text-sm">No model was paid for.</p>
      ) : (
        <ul className="divide-y divide-line">
          {usage.breakdown.map((row) => (
            <li key={`${row.model}-${row.capability}`} className="px-4 py-2.5 text-sm">
              <p className="flex items-baseline justify-between gap-3">
                <span className="truncate font-mono text-xs" title={row.model}>
                  {row.model}
                </span>
                <span className="shrink-0 tabular">{formatCredits(row.credits)}</span>
              </p>
              <p className="mt-0.5 text-faint text-xs tabular">
                {row.capability} · {amounts(row)}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function amounts(row: UsageRow): string {
  if (row.units > 0) return `${formatCount(row.units)} units`;
  const cached =
    row.cached_input_tokens > 0 ? ` (${formatCount(row.cached_input_tokens)} cached)` : "";
  return (
    `${formatCount(row.input_tokens)} tokens in${cached}, ${formatCount(row.output_tokens)} ` +
    "out"
  );
}
