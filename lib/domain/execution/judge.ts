import "server-only";
import { judgeBuild } from "@/lib/domain/execution/judge-build";
import { type Judgement, judgeCall } from "@/lib/domain/execution/judge-call";
import type { LoadedRun } from "@/lib/domain/execution/load-run";
import { isBuild } from "@/lib/domain/execution/run-limits";
import type { ToolCall } from "@/lib/domain/execution/tool-call";

/** Judges what a run's model asks for by what holds now. */
export async function judge(run: LoadedRun, call: ToolCall, signal: AbortSignal): Promise<Judgement> {
  return isBuild(run) ? judgeBuild(run, call) : judgeCall(run, call, signal);
}
