import "server-only";
import { signEventLine } from "@/lib/domain/artifacts/sign-artifacts";
import type { LoggedRun } from "@/lib/domain/runs/stream-run";
import { readRunEvents } from "@/lib/engine/events/run-log-writer";

export interface RunEventPage {
  /** Each a JSON object. */
  lines: string[];
  hasMore: boolean;
  /** The next `starting_after`. */
  nextCursor: string | null;
}

/** One page of a run's stored events after a sequence number, oldest first. */
export async function readRunEventPage(
  run: LoggedRun,
  after: number,
  limit: number,
  baseUrl: string,
): Promise<RunEventPage> {
  const lines = await readRunEvents(run.id, after, limit + 1);
  const hasMore = lines.length > limit;
  const shown = lines.slice(0, limit);
  const links = { accountId: run.accountId, baseUrl };
  return {
    lines: shown.map((line) => signEventLine(line, links)),
    hasMore,
    nextCursor: hasMore ? String(after + shown.length) : null,
  };
}
