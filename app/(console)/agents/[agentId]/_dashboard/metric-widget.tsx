"use client";
import { formatValue } from "@/components/format/format-value";
import { useReader } from "@/components/format/use-reader";
import { andThen, type Finding } from "@/lib/console/dashboard/finding";
import type { JsonValue } from "@/lib/model/json-schema/json-value";
import { Found } from "./found";
import type { WidgetOf } from "./widget-of";

/** One figure. */
export function MetricWidget({ widget, source }: { widget: WidgetOf<"metric">; source: Finding<JsonValue> }) {
  const reader = useReader();
  const finding = andThen<JsonValue, string>(source, (value) => {
    if (Array.isArray(value)) return { state: "unfit", why: `This is a list of ${value.length}, not one value.` };
    if (typeof value === "object" && value !== null) return { state: "unfit", why: "This is an object, not one value." };
    const text = formatValue(value, widget, reader);
    return text === null
      ? { state: "unfit", why: `“${String(value).slice(0, 60)}” is no ${widget.format}.` }
      : { state: "there", value: text };
  });
  return (
    <Found finding={finding}>
      {(text) => (
        <div className="flex h-full flex-col justify-center px-4 py-2.5">
          <p className="truncate font-semibold text-2xl tabular tracking-tight" title={text}>
            {text}
          </p>
          {widget.label && <p className="mt-0.5 truncate text-faint text-xs">{widget.label}</p>}
        </div>
      )}
    </Found>
  );
}
