"use client";
import { useState } from "react";
import { Card, CardHeader } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { ScrollRegion } from "@/components/ui/scroll-region";
import { Segmented } from "@/components/ui/segmented";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { InputValues } from "../../_run/input-values";

const VIEWS = [
  { value: "fields", label: "Fields" },
  { value: "json", label: "JSON" },
] as const;

/** What the run was given. */
export function RunInput({ input }: { input: JsonObject }) {
  const [view, setView] = useState<"fields" | "json">("fields");
  const empty = Object.keys(input).length === 0;
  const json = JSON.stringify(input, null, 2);
  return (
    <Card aria-label="Input">
      <CardHeader title="Input">
        <Segmented label="View of the input" value={view} options={VIEWS} onChange={setView} />
        <CopyButton text={json} what="input" />
      </CardHeader>
      {empty && <p className="px-4 py-3.5 text-faint text-sm">The run was given nothing.</p>}
      {!empty && view === "json" && (
        <div className="p-4">
          <CodeBlock code={json} label="input as JSON" />
        </div>
      )}
      {!empty && view === "fields" && (
        <ScrollRegion label="Input fields" className="max-h-80">
          <InputValues input={input} className="divide-y divide-line px-4 text-sm" />
        </ScrollRegion>
      )}
    </Card>
  );
}
