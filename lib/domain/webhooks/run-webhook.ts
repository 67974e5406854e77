import "server-only";
import type { ArtifactLinks } from "@/lib/domain/artifacts/sign-artifacts";
import type { RunFailureCode } from "@/lib/model/run/run-failure";
import type { RunResult } from "@/lib/model/run/run-result";
import { definePart } from "@/lib/service";

/** The end of a run, as its own webhook tells it. */
export interface RunEnd {
  runId: string;
  conversationId: string | null;
  /** What came of it; the result is null where a run that has completed left none. */
  end: { result: RunResult | null } | { error: { code: RunFailureCode; message: string } };
}

/** How the body of a run's own webhook is written. */
export interface RunWebhookWriter {
  /**
   * The body. It is stored in the transaction of the run's end, and every attempt sends what was
   * stored, whichever release makes it.
   */
  write(end: RunEnd): string;
  /** What is sent of a stored body: its links to files open without a key for a while. */
  withLinks(body: string, links: ArtifactLinks): string;
}

/**
 * The body is a matter of the API's words, which the domain does not know: who starts a process
 * gives it their writer (`giveRunWebhook`).
 */
export const runWebhookWriter = definePart("writer of run webhooks", (): RunWebhookWriter => {
  throw new Error("This service was not told how a run's webhook is written: giveRunWebhook.");
});
