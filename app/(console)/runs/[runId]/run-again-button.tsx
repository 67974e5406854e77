"use client";
import { RotateCcw } from "lucide-react";
import { useRouter } from "next/navigation";
import { Button } from "@/components/ui/button";
import { requestConsoleJson } from "@/lib/console/request-console-json";
import type { Run } from "@/lib/console/shapes/run";
import { useConsoleMutation } from "@/lib/console/use-console-mutation";

/**
 * Starts the agent once more with the very input of this run, in the same workspace, and leads there. It is a run of today: with the agent as it is now,
 * its own model, and a conversation of its own.
 */
export function RunAgainButton({ run }: { run: Run }) {
  const router = useRouter();
  const { input, agent_id, workspace_id } = run;
  const again = useConsoleMutation(
    () =>
      requestConsoleJson<Run>("v1/runs", {
        method: "POST",
        body: { input, ...(agent_id ? { agent_id } : {}), ...(workspace_id ? { workspace_id } : {}) },
      }),
    { stale: ["v1/runs"], onSuccess: (next) => router.push(`/runs/${next.run_id}`) },
  );
  const repeatable = (run.kind === "agent" || run.kind === "app") && input !== undefined;
  if (!repeatable) return null;
  return (
    <Button busy={again.isPending} onClick={() => again.mutate()}>
      <RotateCcw aria-hidden="true" />
      Run again
    </Button>
  );
}
