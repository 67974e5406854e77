import "server-only";
import { env } from "@/lib/env";
import { estimateMicros } from "@/lib/runtime/models/estimate-micros";

/** What a run reserves when it starts, in millionths of a credit: about one model turn, at most what the run may cost. */
export function estimateRun(modelId: string, inputCharacters: number, maxMicros: bigint | null): bigint {
  const estimate = estimateMicros(modelId, inputCharacters, null, env());
  return maxMicros !== null && maxMicros < estimate ? maxMicros : estimate;
}
