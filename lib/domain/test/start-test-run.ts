import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { type RunInput, requestRun } from "@/lib/domain/runs/request-run";
import type { RunView } from "@/lib/domain/runs/run-view";

type Kind = Parameters<typeof requestRun>[1];

/** A request of a run in which nothing is said but what `more` says. */
export function testRunInput(more: Partial<RunInput> = {}): RunInput {
  return {
    agentId: null,
    input: { request: "Do it." },
    conversationId: null,
    workspaceId: null,
    webhookUrl: null,
    shouldNotify: false,
    model: null,
    metadata: {},
    maxCreditsMicros: null,
    ...more,
  };
}

/** A run that is accepted and that no engine takes up, unless the test has started one. */
export async function startTestRun(
  owner: Principal,
  more: Partial<RunInput> = {},
  kind: Kind = "agent",
): Promise<RunView> {
  const run = await requestRun(owner, kind, testRunInput(more));
  if ("replayed" in run) throw new Error("There is no key to replay.");
  return run;
}
