-- What a run's model is shown from a turn on, and the version of the agent that it was made of.
CREATE TYPE run_prompt_part AS (
  turn integer,
  hash text,
  system text,
  tools text,
  agent_version integer
);
COMMENT ON TYPE run_prompt_part IS
  'nullable: agent_version';
