import "server-only";
import type { RanFile } from "@/lib/runtime/models/providers/ran-code";
import type { ToolContext } from "@/lib/runtime/tools/tool";

/** What became of code on the servers of a model's provider. */
export interface RanOnProvider {
  /** What it printed, with its errors. */
  output: string;
  failed: boolean;
  files: readonly RanFile[];
  /** What was run in its place; null: the code itself was. */
  other: string | null;
}

/** The execution of Python code that the provider of a run's model has on its own servers. */
export interface ModelCode {
  /** @throws ToolFailure when nothing was run */
  run(code: string, context: ToolContext): Promise<RanOnProvider>;
}
