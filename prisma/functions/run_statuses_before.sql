-- The statuses from which a run may move to `p_next`: the guard of each move. lib/model/run/
-- run-status.ts says the same in TypeScript; lib/storage/sql-source.db.test.ts compares the two.
CREATE OR REPLACE FUNCTION run_statuses_before(p_next text)
RETURNS text[]
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE p_next
    WHEN 'running' THEN ARRAY['pending']
    WHEN 'completed' THEN ARRAY['running']
    WHEN 'failed' THEN ARRAY['pending', 'running']
    WHEN 'cancelled' THEN ARRAY['pending', 'running']
    ELSE ARRAY[]::text[]
  END
$$;
