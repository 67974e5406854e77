import "server-only";
import { type Call, callContext, calls, type DriveScope } from "@/lib/engine/embedded/calls";
import type { Claim } from "@/lib/engine/embedded/claim";
import { isRecord, type Operation, toOperations } from "@/lib/engine/embedded/operation";
import { ownCallHeaders } from "@/lib/engine/embedded/own-calls";

export interface CallRequest {
  claim: Claim;
  scope: DriveScope;
  /** The one step to run, or null: run on from what is known. */
  stepId: string | null;
  event: object;
  /** What earlier steps gave, under their ids, in the order in which they ended. */
  steps: Record<string, { type: "data"; data: unknown } | { type: "error"; error: unknown }>;
  attempt: number;
  maxAttempts: number;
  /** True: run nothing, only tell which steps come next. */
  planOnly: boolean;
  checkpoint: Call["checkpoint"];
  folded: Call["folded"];
  onEnded: Call["onEnded"];
}

export type CallOutcome =
  | { kind: "completed"; output: unknown }
  | { kind: "steps"; steps: Operation[] }
  | { kind: "failed"; error: unknown; retriable: boolean };

export type Handler = (request: Request) => Promise<Response>;

let lastCall = 0;

/** Calls a function through the SDK's own handler, in process. Rejects only when the handler itself breaks the protocol. */
export async function callFunction(handler: Handler, request: CallRequest): Promise<CallOutcome> {
  const { claim, scope, checkpoint, folded, onEnded } = request;
  const queueId = `${claim.runId}:${++lastCall}`;
  const call: Call = { claim, scope, checkpoint, folded, onEnded };
  calls().set(queueId, call);
  try {
    const response = await callContext().run(call, () => handler(toRequest(request, queueId)));
    return toOutcome(response, await response.json());
  } finally {
    calls().delete(queueId);
  }
}

function toRequest(request: CallRequest, queueId: string): Request {
  const order = Object.keys(request.steps);
  const body = {
    version: 2,
    event: request.event,
    events: [request.event],
    steps: request.steps,
    ctx: {
      run_id: request.claim.runId,
      // These two make the SDK run on in memory from step to step and report each one as it ends.
      fn_id: request.claim.functionId,
      qi_id: queueId,
      attempt: request.attempt,
      max_attempts: request.maxAttempts,
      disable_immediate_execution: request.planOnly,
      use_api: false,
      stack: { stack: order, current: order.length },
    },
  };
  const query = new URLSearchParams({ fnId: request.claim.functionId, stepId: request.stepId ?? "step" });
  return new Request(`http://localhost/api/inngest?${query}`, {
    method: "POST",
    headers: { host: "localhost", "content-type": "application/json", "x-inngest-server-kind": "dev", ...ownCallHeaders() },
    body: JSON.stringify(body),
  });
}

function toOutcome(response: Response, body: unknown): CallOutcome {
  if (response.headers.has("retry-after"))
    return {
      kind: "failed",
      error: { name: "Error", message: "The embedded executor does not support RetryAfterError" },
      retriable: false,
    };
  if (response.status === 200) return { kind: "completed", output: body };
  if (response.status === 206) {
    const steps = toOperations(body);
    const complete = steps.find(({ op }) => op === "RunComplete");
    return complete ? { kind: "completed", output: complete.data } : { kind: "steps", steps };
  }
  const error =
    isRecord(body) && !("message" in body) ? { name: "Error", message: String(body.error ?? "The function could not be called") } : body;
  return { kind: "failed", error, retriable: response.headers.get("x-inngest-no-retry") !== "true" };
}
