import { formatCount } from "@/components/format/format-count";
import { formatCredits } from "@/components/format/format-credits";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import type { Usage } from "@/lib/model/run/usage";

/** What a run cost, a row per model and capability. */
export function UsageTable({ usage }: { usage: Usage }) {
  if (usage.breakdown.length === 0) return <p className="px-4 py-6 text-center text-faint text-sm">No model was called.</p>;
  return (
    <Table label="Usage by model">
      <thead>
        <tr>
          <TableHead>Model</TableHead>
          <TableHead className="text-right">In</TableHead>
          <TableHead className="text-right">Out</TableHead>
          <TableHead className="text-right">Credits</TableHead>
        </tr>
      </thead>
      <tbody>
        {usage.breakdown.map((row) => (
          <TableRow key={`${row.model}-${row.capability}`}>
            <TableCell>
              <span className="font-mono text-xs [overflow-wrap:anywhere]">{row.model}</span>
              <span className="ml-2 text-faint text-xs">{row.capability}</span>
            </TableCell>
            <TableCell className="text-right tabular">{formatCount(row.input_tokens)}</TableCell>
            <TableCell className="text-right tabular">
              {row.units > 0 ? `${formatCount(row.units)} units` : formatCount(row.output_tokens)}
            </TableCell>
            <TableCell className="text-right tabular">{formatCredits(row.credits)}</TableCell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}
