import "server-only";
import { env } from "@/lib/env";
import { estimateMicros } from "@/lib/runtime/models/estimate-micros";

/** What a run reserves when it starts, in millionths of a credit: about one model turn. */
export function estimateRun(modelId: string, inputCharacters: number): bigint {
  return estimateMicros(modelId, inputCharacters, null, env());
}
