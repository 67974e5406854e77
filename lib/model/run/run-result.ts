import type { Artifact } from "@/lib/model/run/artifact";

/** The outcome of a completed run (specification §2.1, contract §2). */
export interface RunResult {
  text: string;
  /** The agent that a creation run made, or that ran. */
  agent_id?: string;
  agent_name?: string;
  artifacts: Artifact[];
  /** The structured output, where the agent's config has an `output_schema`. */
  data?: unknown;
  /** The whole transcript; only with `raw_output=true`. */
  raw_output?: string;
}
