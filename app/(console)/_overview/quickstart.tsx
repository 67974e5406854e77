"use client";
import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { mergeClasses } from "@/components/merge-classes";
import { Card } from "@/components/ui/card";
import { consolePaths } from "@/lib/console/console-paths";
import type { Agent } from "@/lib/console/shapes/agent";
import type { ApiKey } from "@/lib/console/shapes/api-key";
import type { Page } from "@/lib/console/shapes/page";
import type { Run } from "@/lib/console/shapes/run";
import { useConsoleQuery } from "@/lib/console/use-console-query";
import { overviewPaths } from "./overview-paths";
import { QuickstartStep } from "./quickstart-step";
import { StepAgent } from "./step-agent";
import { StepKey } from "./step-key";
import { StepRun } from "./step-run";

/** Three steps from nothing to a first result, each ticked off by what the account really has. */
export function Quickstart() {
  const { data: keys } = useConsoleQuery<Page<ApiKey>>(consolePaths.keys);
  const { data: agents } = useConsoleQuery<Page<Agent>>(overviewPaths.agents);
  const { data: runs } = useConsoleQuery<Page<Run>>(overviewPaths.runs);
  const done = {
    key: keys?.data.some((key) => key.kind === "account" && !key.revoked_at) ?? false,
    agent: (agents?.data.length ?? 0) > 0,
    run: runs?.data.some((run) => run.kind === "agent" && run.status === "completed") ?? false,
  };
  const count = Object.values(done).filter(Boolean).length;
  const ready = keys !== undefined && agents !== undefined && runs !== undefined;
  // Whoever was done on arrival sees a line; finishing the last step here does not fold it away under their hands.
  const [open, setOpen] = useState<boolean | null>(null);
  const [doneOnArrival] = useState(ready && count === 3);
  const shown = open ?? !doneOnArrival;
  const next = !done.key ? 1 : !done.agent ? 2 : 3;
  const agent = agents?.data[0] ?? null;
  return (
    <Card aria-label="Quickstart">
      <button
        type="button"
        aria-expanded={shown}
        onClick={() => setOpen(!shown)}
        className="flex w-full items-center gap-3 px-4 py-3 text-left focus-visible:-outline-offset-2"
      >
        <span className="font-medium text-sm">Quickstart</span>
        <span className="text-faint text-xs">{count === 3 ? "All three steps done" : `${count} of 3 steps done`}</span>
        <Ticks count={count} />
        <ChevronDown aria-hidden="true" className={mergeClasses("ml-auto size-4 text-faint transition-transform", shown && "rotate-180")} />
      </button>
      {shown && (
        <ol className="border-line border-t">
          <QuickstartStep number={1} title="Create an API key" done={done.key} initiallyOpen={next === 1}>
            <StepKey />
          </QuickstartStep>
          <QuickstartStep number={2} title="Create an agent from a sentence" done={done.agent} initiallyOpen={next === 2}>
            <StepAgent />
          </QuickstartStep>
          <QuickstartStep number={3} title="Run it" done={done.run} initiallyOpen={next === 3}>
            <StepRun agent={agent} />
          </QuickstartStep>
        </ol>
      )}
    </Card>
  );
}

function Ticks({ count }: { count: number }) {
  return (
    <span aria-hidden="true" className="flex gap-1">
      {[0, 1, 2].map((index) => (
        <span key={index} className={mergeClasses("h-1 w-5 rounded-full", index < count ? "bg-primary" : "bg-line-strong")} />
      ))}
    </span>
  );
}
