"use client";
import { formatValue, useReader } from "@/components/format/format-value";
import { mergeClasses } from "@/components/merge-classes";
import { ScrollRegion } from "@/components/ui/scroll-region";
import { TableCell, TableHead, TableRow } from "@/components/ui/table";
import {
  HISTORY_COLUMNS,
  type Table,
  type TableColumn,
  toTable,
} from "@/lib/console/dashboard/widget-content";
import type { WidgetValue } from "@/lib/console/dashboard/widget-data";
import type { JsonValue } from "@/lib/model/json-schema/json-value";
import { toSeriesName, WidgetContent, type WidgetOf } from "./widget-content";

/** Longer texts break into lines. */
const SHORT_MAX_CHARACTERS = 36;

interface TableWidgetProps {
  widget: WidgetOf<"table">;
  source: WidgetValue<JsonValue>;
  isHistory: boolean;
  title: string;
}

export function TableWidget({ widget, source, isHistory, title }: TableWidgetProps) {
  const content = toTable(source, widget.columns ?? (isHistory ? HISTORY_COLUMNS : undefined));
  return (
    <WidgetContent content={content}>
      {(table) => <Cells table={table} title={title} />}
    </WidgetContent>
  );
}

function Cells({ table: { columns, rows, omitted }, title }: { table: Table; title: string }) {
  return (
    <ScrollRegion label={`Content of ${title}`} className="max-md:max-h-96 md:absolute md:inset-0">
      <table aria-label={title} className="w-full border-collapse text-sm">
        <thead className="sticky top-0 bg-surface">
          <tr>
            {columns.map((column, index) => (
              <TableHead
                key={column.key}
                className={isFigure(column, rows, index) ? "text-right" : undefined}
              >
                {column.label ?? toSeriesName(column.key)}
              </TableHead>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...rows.entries()].map(([row, cells]) => (
            <TableRow key={row}>
              {columns.map((column, index) => (
                <TableCell
                  key={column.key}
                  className={mergeClasses(
                    "h-9",
                    isFigure(column, rows, index) && "text-right tabular",
                  )}
                >
                  <CellText value={cells[index]} column={column} />
                </TableCell>
              ))}
            </TableRow>
          ))}
        </tbody>
      </table>
      {omitted > 0 && (
        <p className="px-4 py-2 text-faint text-xs">{omitted} more rows are not shown.</p>
      )}
    </ScrollRegion>
  );
}

/** Figures stand at the right, one under the other. */
function isFigure({ format }: TableColumn, rows: Table["rows"], index: number): boolean {
  if (format) return format !== "date";
  const first = rows.find((cells) => cells[index] !== undefined && cells[index] !== null);
  return typeof first?.[index] === "number";
}

function CellText({ value, column }: { value: JsonValue | undefined; column: TableColumn }) {
  const reader = useReader();
  if (value === undefined) return <span className="text-faint">–</span>;
  const text = formatValue(value, column, reader);
  if (text !== null)
    return (
      <span
        className={
          text.length > SHORT_MAX_CHARACTERS ? "block min-w-56 break-words" : "whitespace-nowrap"
        }
      >
        {text}
      </span>
    );
  // Shown as it came, so that nothing is hidden; the title says what is wrong with it.
  return (
    <span className="text-warning [overflow-wrap:anywhere]" title={`Is no ${column.format}`}>
      {formatValue(value, {}, reader)}
    </span>
  );
}
