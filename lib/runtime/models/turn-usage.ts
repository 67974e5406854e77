import "server-only";
import type { Capability } from "@/lib/model/run/usage";

/** What one model call used, in tokens; `cachedInputTokens` are part of `inputTokens`. */
export interface TurnUsage {
  capability: Capability;
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens: number;
}
