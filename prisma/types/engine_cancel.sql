-- An event that cancels a run which is being started.
CREATE TYPE engine_cancel AS (
  run uuid,
  step_id text,
  event text,
  match_value text,
  conditions text
);
COMMENT ON TYPE engine_cancel IS 'nullable: match_value';
