import { formatCredits } from "@/components/format/format-credits";
import { Card, CardHeader } from "@/components/ui/card";

interface Share {
  id: string;
  name: string;
  credits: number;
  note: string;
}

/** Who spent how much of the last 24 hours, the biggest first. */
export function ShareList({ title, rows }: { title: string; rows: Share[] }) {
  const most = Math.max(...rows.map((row) => row.credits), Number.MIN_VALUE);
  return (
    <Card aria-label={title}>
      <CardHeader title={title} note="last 24 hours" />
      {rows.length === 0 ? (
        <p className="px-4 py-10 text-center text-muted text-sm">Nothing was spent in the last 24 hours.</p>
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
                <div aria-hidden="true" className="mt-1.5 h-1 overflow-hidden rounded-full bg-hover">
                  <div className="h-full rounded-full bg-primary" style={{ width: `${Math.max(1, (row.credits / most) * 100)}%` }} />
                </div>
                <p className="mt-1 text-faint text-xs">{row.note}</p>
              </li>
            ))}
        </ul>
      )}
    </Card>
  );
}
