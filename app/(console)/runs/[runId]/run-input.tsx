"use client";
import { useState } from "react";
import { Card, CardHeader } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { ScrollRegion } from "@/components/ui/scroll-region";
import { Segmented } from "@/components/ui/segmented";
import type { JsonObject, JsonValue } from "@/lib/model/json-schema/json-value";

const VIEWS = [
  { value: "fields", label: "Fields" },
  { value: "json", label: "JSON" },
] as const;

/** What the run was given. */
export function RunInput({ input }: { input: JsonObject }) {
  const [view, setView] = useState<"fields" | "json">("fields");
  const fields = Object.entries(input);
  const json = JSON.stringify(input, null, 2);
  return (
    <Card aria-label="Input">
      <CardHeader title="Input">
        <Segmented label="View of the input" value={view} options={VIEWS} onChange={setView} />
        <CopyButton text={json} what="input" />
      </CardHeader>
      {fields.length === 0 && <p className="px-4 py-3.5 text-faint text-sm">The run was given nothing.</p>}
      {fields.length > 0 && view === "json" && (
        <div className="p-4">
          <CodeBlock code={json} label="input as JSON" />
        </div>
      )}
      {fields.length > 0 && view === "fields" && (
        <ScrollRegion label="Input fields" className="max-h-80">
          <dl className="divide-y divide-line text-sm">
            {fields.map(([name, value]) => (
              <div key={name} className="grid gap-x-4 gap-y-0.5 px-4 py-2.5 sm:grid-cols-[8rem_minmax(0,1fr)]">
                <dt className="text-faint [overflow-wrap:anywhere]">{name}</dt>
                <dd className="min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere]">
                  <FieldValue value={value} />
                </dd>
              </div>
            ))}
          </dl>
        </ScrollRegion>
      )}
    </Card>
  );
}

function FieldValue({ value }: { value: JsonValue }) {
  if (typeof value === "string") return value === "" ? <span className="text-faint">empty</span> : value;
  return <code className="font-mono text-xs">{JSON.stringify(value, null, 2)}</code>;
}
