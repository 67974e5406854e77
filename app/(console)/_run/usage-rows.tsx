import { formatCount } from "@/components/format/format-count";
import { formatCredits } from "@/components/format/format-credits";
import { Card, CardHeader } from "@/components/ui/card";
import type { Usage, UsageRow } from "@/lib/model/run/run-result";

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
  const cached = row.cached_input_tokens > 0 ? ` (${formatCount(row.cached_input_tokens)} cached)` : "";
  return `${formatCount(row.input_tokens)} tokens in${cached}, ${formatCount(row.output_tokens)} out`;
}
