/** What a person can do about a run's failure, by its code. */
const ADVICE: Record<string, string> = {
  EXECUTION_FAILED:
    "Run it again. If it fails the same way, look at the agent's config and at the last tool " +
    "in the timeline.",
  MODEL_UNAVAILABLE:
    "The model's provider did not answer. Run it again later, or add fallback_models to the " +
    "agent's config.",
  MODEL_RATE_LIMITED:
    "The model's provider is limiting requests. Wait a minute, or add fallback_models to the " +
    "agent's config.",
  MODEL_RETIRED:
    "Its vendor has ended this model. Set `model` in the agent's config to the one that the " +
    "message names, or to an alias such as anthropic/latest-sonnet.",
  TIMEOUT:
    "The run took longer than the agent allows. Raise limits.timeout_seconds in its config, " +
    "or ask for less at once.",
  STEP_LIMIT_EXCEEDED:
    "The agent used all its steps. Raise limits.max_steps in its config, or make its " +
    "instructions more direct.",
  BUDGET_EXCEEDED:
    "The run reached its own budget. Raise max_credits for the run, or limits.max_credits in " +
    "the agent's config; with on_budget: wait a run waits to be raised.",
  INSUFFICIENT_CREDITS:
    "The wallet ran out while the agent worked. Add credits, then run it again.",
  APPROVAL_EXPIRED:
    "Nobody decided in time. Run it again and approve the call, or allow it in the agent's " +
    "permissions.",
  INVALID_AGENT_CONFIG: "The agent's config does not fit the schema. Open its Config tab.",
  AGENT_BUILD_FAILED:
    "Say more plainly what the agent should do, with what input and what result, and try again.",
  MODEL_CANNOT_ANSWER:
    "The output_schema could not be filled from what was found. Give the run the files and " +
    "words that hold it, or allow null where it may be missing.",
  OUTPUT_TRUNCATED:
    "The answer was longer than the model may write. Ask for less at once, have it write a " +
    "file, or raise model_settings.max_output_tokens.",
  CONTENT_FILTERED:
    "The model's provider stopped the answer by its content rules. Word the request or the " +
    "skill differently, or use another model.",
  EMPTY_ANSWER:
    "The model said nothing, twice. Run it again; if it happens often, use another model or " +
    "make the instructions plainer.",
  ENGINE_LOST:
    "The process that worked on it died or froze twice in the same step. Run it again with " +
    "less at once; if it happens again, tell the operator the run's id.",
  RUN_CANCELLED: "It was stopped before its end. What it had done until then stays.",
};

/** One sentence on what to do next; null for a code without advice. */
export function runErrorAdvice(code: string): string | null {
  return ADVICE[code] ?? null;
}
