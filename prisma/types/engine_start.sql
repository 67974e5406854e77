-- A run of the engine that an event starts. `key` and `second_key`: what it counts under while it
-- works.
CREATE TYPE engine_start AS (
  id uuid,
  function_id text,
  lane text,
  key text,
  second_key text
);
COMMENT ON TYPE engine_start IS 'nullable: second_key';
