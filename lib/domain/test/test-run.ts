import "server-only";
import type { LoadedRun } from "@/lib/domain/execution/run/loaded-run";
import { RUN_PROGRAMS } from "@/lib/domain/run-steps";
import type { RunKind } from "@/lib/model/run/run-status";

/**
 * A run as its steps have it, of which a test says what is read: nothing else is there. Its kind is
 * `agent` where nothing is said.
 */
export function testRun(said: { kind?: string; [field: string]: unknown }): LoadedRun {
  const kind = (said.kind ?? "agent") as RunKind; // a test names kinds that there are
  return { kind, program: RUN_PROGRAMS[kind], ...said } as unknown as LoadedRun; // as said above
}
