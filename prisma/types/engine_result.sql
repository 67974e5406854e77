-- The result of a step of the engine's run, or without a step that run's end. `attempt` and
-- `owner` are the fence. `step_data` is JSON text: it may hold what `jsonb` refuses.
CREATE TYPE engine_result AS (
  run uuid,
  attempt integer,
  owner integer,
  step_id text,
  step_name text,
  step_data text
);
COMMENT ON TYPE engine_result IS 'nullable: step_id, step_name, step_data';
