"use client";
import dynamic from "next/dynamic";
import { formatCount, formatCredits } from "@/components/format/format";
import { Card, CardHeader } from "@/components/ui/card";
import { Figure } from "@/components/ui/figure";
import { Skeleton } from "@/components/ui/skeleton";
import type { Account, AccountUsage } from "@/lib/client/schemas";
import { useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { QueryProblem } from "../_shared/query-problem";

const DayChart = dynamic(() => import("./day-chart").then((module) => module.DayChart), {
  ssr: false,
  loading: () => <Skeleton className="h-56 w-full rounded-md" />,
});

export function UsageView() {
  const { data: usage, error, refetch } = useConsoleQuery(reads.usage);
  const { data: account } = useConsoleQuery(reads.account);
  if (error && !usage) return <QueryProblem error={error} retry={() => void refetch()} />;
  if (!usage) return <Skeleton className="h-96 rounded-lg" />;
  const month = usage.by_day.reduce((sum, day) => sum + day.credits, 0);
  const runs = usage.by_day.reduce((sum, day) => sum + day.runs, 0);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <dl
        aria-label="Figures"
        className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line lg:grid-cols-4"
      >
        <Figure label="Available" value={formatCredits(usage.credits.available)} note="credits" />
        <Figure label="24 hours" value={formatCredits(usage.used_24h)} note="credits used" />
        <Figure label="30 days" value={formatCredits(month)} note="credits used" />
        <Figure label="Runs" value={formatCount(runs)} note="in 30 days" />
      </dl>
      <Card aria-label="By day">
        <CardHeader title="By day" note="credits, last 30 days, UTC" />
        <div className="p-4">
          <DayChart days={usage.by_day} />
        </div>
      </Card>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-2">
        <ShareList
          title="By model"
          rows={usage.by_model.map((row) => ({
            id: row.model,
            name: row.model,
            credits: row.credits,
            note: tokensOf(row),
          }))}
        />
        <ShareList
          title="By agent"
          rows={usage.by_agent.map((row) => ({
            id: row.agent_id ?? "none",
            name: row.agent_name ?? (row.agent_id ? "Deleted agent" : "Without an agent"),
            credits: row.credits,
            note: `${formatCount(row.runs)} ${row.runs === 1 ? "run" : "runs"}`,
          }))}
        />
      </div>
      {account && <Limits limits={account.limits} />}
    </div>
  );
}

/** What makes pictures or speech is paid by the piece, without tokens. */
function tokensOf({
  input_tokens: read,
  output_tokens: written,
}: AccountUsage["by_model"][number]): string {
  return read + written === 0
    ? "paid by the piece, not by tokens"
    : `${formatCount(read)} tokens in · ${formatCount(written)} out`;
}

function Limits({ limits }: { limits: Account["limits"] }) {
  const rows = [
    ["Requests a minute", limits.requests_per_minute],
    ["Runs started a minute", limits.runs_per_minute],
    ["Other requests a minute", limits.read_per_minute],
    ["Writes an hour", limits.writes_per_hour],
  ] as const;
  return (
    <Card aria-label="Limits">
      <CardHeader
        title="Limits"
        note="for the whole account; runs started and writes in the console count too"
      />
      <dl className="grid gap-2 px-4 py-3.5 text-sm">
        {rows.map(
          ([name, value]) =>
            value !== null && (
              <div key={name} className="flex justify-between gap-4">
                <dt className="text-muted">{name}</dt>
                <dd className="tabular">{formatCount(value)}</dd>
              </div>
            ),
        )}
      </dl>
    </Card>
  );
}

interface Share {
  id: string;
  name: string;
  credits: number;
  note: string;
}

/** Who spent how much of the last 24 hours, the biggest first. */
function ShareList({ title, rows }: { title: string; rows: Share[] }) {
  const most = Math.max(...rows.map((row) => row.credits), Number.MIN_VALUE);
  return (
    <Card aria-label={title}>
      <CardHeader title={title} note="last 24 hours" />
      {rows.length === 0 ? (
        <p className="px-4 py-10 text-center text-muted text-sm">
          Nothing was spent in the last 24 hours.
        </p>
      ) : (
        <ul className="grid gap-3.5 px-4 py-4">
          {rows
            .toSorted((left, right) => right.credits - left.credits)
            .map((row) => (
              <li key={row.id} className="text-sm">
                <div className="flex items-baseline justify-between gap-4">
                  <span className="truncate">{row.name}</span>
                  <span className="shrink-0 tabular">{formatCredits(row.credits)}</span>
                </div>
                <div
                  aria-hidden="true"
                  className="mt-1.5 h-1 overflow-hidden rounded-full bg-hover"
                >
                  <div
                    className="h-full rounded-full bg-primary"
                    style={{ width: `${Math.max(1, (row.credits / most) * 100)}%` }}
                  />
                </div>
                <p className="mt-1 text-faint text-xs">{row.note}</p>
              </li>
            ))}
        </ul>
      )}
    </Card>
  );
}
