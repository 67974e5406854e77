"use client";
import { formatValue } from "@/components/format/format-value";
import { useReader } from "@/components/format/use-reader";
import { ScrollRegion } from "@/components/ui/scroll-region";
import { findItems } from "@/lib/console/dashboard/find-items";
import type { Finding } from "@/lib/console/dashboard/finding";
import type { JsonValue } from "@/lib/model/json-schema/json-value";
import { Found } from "./found";
import { toSeriesName } from "./to-series-name";
import type { WidgetOf } from "./widget-of";

interface ListWidgetProps {
  widget: WidgetOf<"list">;
  source: Finding<JsonValue>;
  title: string;
}

export function ListWidget({ widget, source, title }: ListWidgetProps) {
  const reader = useReader();
  return (
    <Found finding={findItems(source, widget.item)}>
      {({ items, omitted }) => (
        <ScrollRegion label={`Content of ${title}`} className="max-md:max-h-96 md:absolute md:inset-0">
          <ul className="divide-y divide-line">
            {[...items.entries()].map(([index, item]) => (
              <li key={index} className="flex items-baseline justify-between gap-4 px-4 py-2 text-sm">
                {item.name !== null && <span className="shrink-0 text-muted">{toSeriesName(item.name)}</span>}
                <span className="min-w-0 [overflow-wrap:anywhere]">
                  {formatValue(item.value, widget, reader) ?? formatValue(item.value, {}, reader)}
                </span>
              </li>
            ))}
          </ul>
          {omitted > 0 && <p className="px-4 py-2 text-faint text-xs">{omitted} more items are not shown.</p>}
        </ScrollRegion>
      )}
    </Found>
  );
}
