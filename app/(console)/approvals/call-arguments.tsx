"use client";
import { useMemo, useState } from "react";
import { Button } from "@/components/ui/button";
import { ScrollRegion } from "@/components/ui/scroll-region";
import type { Approval } from "@/lib/console/shapes/approval";
import { toShownJson } from "@/lib/console/to-shown-json";

const SHOWN_AT_FIRST_CHARACTERS = 6_000;

/** What the call would carry, as text. A long one is cut, but says so: nobody should approve what they could not read. */
export function CallArguments({ approval }: { approval: Approval }) {
  const [whole, setWhole] = useState(false);
  const text = useMemo(() => toShownJson(approval.arguments), [approval.arguments]);
  const hidden = whole ? 0 : Math.max(0, text.length - SHOWN_AT_FIRST_CHARACTERS);
  return (
    <div className="min-w-0">
      <h3 className="caption mb-1.5">Arguments</h3>
      <ScrollRegion
        label={`Arguments of ${approval.tool_name}`}
        className="max-h-80 rounded-md border border-line bg-sunken px-3.5 py-2.5 font-mono text-xs leading-relaxed"
      >
        <pre className="whitespace-pre-wrap [overflow-wrap:anywhere]">{hidden > 0 ? text.slice(0, SHOWN_AT_FIRST_CHARACTERS) : text}</pre>
      </ScrollRegion>
      {hidden > 0 && (
        <p className="mt-1.5 flex flex-wrap items-center gap-2 text-sm text-warning">
          {hidden.toLocaleString("en")} more characters are not shown yet.
          <Button size="small" onClick={() => setWhole(true)}>
            Show all of it
          </Button>
        </p>
      )}
    </div>
  );
}
