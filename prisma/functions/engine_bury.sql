-- Frees the runs of a process that died or froze. A run whose row is locked is left to be found
-- later (`FORGOTTEN`): nobody's lock keeps others from living. A death counts once more against a
-- run that made no progress since the one before, and only where it can have been the cause: - of
-- the runs that such a process drove it is the only one under suspicion, or - it was the last of
-- them to be begun, within three seconds of the process's last sign of life, and the process
-- froze, or ended like that three times. Whoever was cut off by the death of another's making
-- goes on as if it were the first.
CREATE OR REPLACE FUNCTION engine_bury(p_process integer, p_froze boolean)
RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  v_seen timestamptz;
  v_freed int;
BEGIN
  DELETE FROM engine_processes WHERE id = p_process RETURNING seen_at INTO v_seen;
  IF NOT FOUND THEN
    RETURN 0;
  END IF;
  WITH orphan AS (
    SELECT r.id, r.takeovers, r.takeover_steps, r.tried_at, r.suspicions,
      (SELECT count(*)::int FROM engine_steps s WHERE s.run_id = r.id AND s.done) AS done
    FROM engine_runs r WHERE r.owner = p_process AND r.status = 'active'
    FOR UPDATE OF r SKIP LOCKED
  ), suspect AS (
    SELECT o.id, count(*) OVER () AS among,
      o.tried_at > v_seen - interval '3 seconds'
        AND row_number() OVER (ORDER BY o.tried_at DESC NULLS LAST, o.id) = 1 AS is_last
    FROM orphan o WHERE o.takeovers > 0 AND o.done = o.takeover_steps
  ), judged AS (
    SELECT o.id, o.done,
      CASE WHEN s.id IS NULL THEN 1
        WHEN s.among = 1 OR (s.is_last AND (p_froze OR o.suspicions >= 2)) THEN o.takeovers + 1
        ELSE o.takeovers END AS deaths,
      CASE WHEN s.id IS NULL THEN 0
        WHEN s.is_last THEN o.suspicions + 1
        ELSE o.suspicions END AS suspicions
    FROM orphan o LEFT JOIN suspect s ON s.id = o.id
  )
  UPDATE engine_runs r SET
    owner = NULL,
    takeovers = j.deaths,
    takeover_steps = j.done,
    suspicions = j.suspicions,
    tried_at = NULL,
    queued = j.deaths < 3 AND r.lane IS NOT NULL,
    due_at = CASE WHEN j.deaths >= 3
      THEN clock_timestamp() + make_interval(secs => least(15, 2 ^ (j.deaths - 3))) END
  FROM judged j WHERE r.id = j.id AND r.owner = p_process AND r.status = 'active';
  GET DIAGNOSTICS v_freed = ROW_COUNT;
  RETURN v_freed;
END $$;
