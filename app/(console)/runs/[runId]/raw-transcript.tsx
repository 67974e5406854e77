"use client";
import { CodeBlock } from "@/components/ui/code-block";
import { Skeleton } from "@/components/ui/skeleton";
import { consolePaths } from "@/lib/console/console-paths";
import type { Run } from "@/lib/console/shapes/run";
import { useConsoleQuery } from "@/lib/console/use-console-query";
import { isTerminal } from "@/lib/model/run/run-status";
import { QueryProblem } from "../../_shared/query-problem";

/** The whole transcript as text, as `raw_output=true` returns it. */
export function RawTranscript({ run }: { run: Run }) {
  const ended = isTerminal(run.status);
  const { data, error, refetch } = useConsoleQuery<Run>(consolePaths.rawRun(run.run_id), { enabled: ended });
  if (!ended) return <p className="text-muted text-sm">The transcript is put together when the run has ended.</p>;
  if (error) return <QueryProblem error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-64" />;
  return <CodeBlock code={data.result?.raw_output ?? data.result?.text ?? JSON.stringify(data, null, 2)} label="raw transcript" />;
}
