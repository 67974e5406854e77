import "server-only";
import type { Call, Reply } from "@/lib/api/http/operation";
import { hashRequest, type Idempotency, type Replay } from "@/lib/domain/runs/acceptance";
import type { RunView } from "@/lib/domain/runs/run-view";

/** What `acceptRun` needs to keep an `Idempotency-Key`; undefined without one. */
export function idempotency(
  call: Call<unknown, unknown, unknown>,
  route: string,
  toBody: (run: RunView) => unknown,
): Idempotency | undefined {
  if (call.idempotencyKey === null) return undefined;
  return {
    route: `${route} ${JSON.stringify(call.params ?? {})}`,
    key: call.idempotencyKey,
    requestHash: hashRequest(call.body),
    answer: (run) => ({ status: 202, body: JSON.stringify(toBody(run)) }),
  };
}

/** 202 with the run, or the first answer again. */
export function acceptedReply(
  accepted: RunView | Replay,
  toBody: (run: RunView) => unknown,
  locationOf = (runId: string) => `/v1/runs/${runId}`,
): Reply {
  if ("replayed" in accepted) {
    const body = JSON.parse(accepted.body) as { run_id?: string; runId?: string }; // our own stored answer
    return {
      status: accepted.status,
      body,
      headers: { "Idempotency-Replayed": "true", Location: locationOf(body.run_id ?? body.runId ?? "") },
    };
  }
  return { status: 202, body: toBody(accepted), headers: { Location: locationOf(accepted.id) } };
}
