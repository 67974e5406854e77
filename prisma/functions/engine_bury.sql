-- Frees the runs of a process that died or froze, and notes what it held. A run whose row is locked
-- is left to be found later (`FORGOTTEN`): nobody's lock keeps others from living.
--
-- Of the runs of one lane that the process had begun, and that made no progress since a death
-- before, a death counts once more against the one that was in its trial: nothing else began then;
-- or, where none was, against the one that was the only one at work there. Of several it counts
-- against none, until they were together in eight; whoever waited for its turn had no part in it,
-- unless there was nothing else. For all others it is the first one.
CREATE OR REPLACE FUNCTION engine_bury(p_process integer, p_froze boolean)
RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  v_freed int;
  v_held json;
BEGIN
  DELETE FROM engine_processes WHERE id = p_process;
  IF NOT FOUND THEN
    RETURN 0;
  END IF;
  WITH held AS (
    SELECT r.id, r.event_id, r.function_id, r.lane, r.takeovers, r.takeover_steps, r.tried_at,
      r.suspicions, r.trial_passed,
      r.takeovers > 0 AND r.tried_attempt IS DISTINCT FROM r.attempt AS untried,
      (SELECT count(*)::int FROM engine_steps s WHERE s.run_id = r.id AND s.done) AS done
    FROM engine_runs r WHERE r.owner = p_process AND r.status = 'active'
    FOR UPDATE OF r SKIP LOCKED
  ), orphan AS (
    SELECT h.*, h.untried AND count(*) OVER (PARTITION BY h.lane) > 1 AS waited FROM held h
  ), begun AS (
    SELECT o.*, o.takeovers > 0 AND o.done = o.takeover_steps AS suspected,
      count(*) OVER (PARTITION BY o.lane) AS among,
      row_number() OVER (PARTITION BY o.lane ORDER BY
        o.takeovers > 0 AND o.done = o.takeover_steps AND NOT o.trial_passed DESC,
        o.tried_at DESC NULLS LAST, o.id) = 1 AS first,
      bool_or(o.takeovers > 0 AND o.done = o.takeover_steps AND NOT o.trial_passed)
        OVER (PARTITION BY o.lane) AS in_trial
    FROM orphan o WHERE NOT o.waited
  ), judged AS (
    SELECT id, event_id, function_id, 'waited' AS part,
      takeovers AS deaths, takeover_steps AS done, suspicions
    FROM orphan WHERE waited
    UNION ALL
    SELECT id, event_id, function_id,
      CASE WHEN NOT suspected THEN 'at_work'
        WHEN among = 1 THEN 'alone'
        WHEN in_trial AND first THEN 'tried'
        ELSE 'among_others' END,
      CASE WHEN NOT suspected THEN 1
        WHEN (in_trial AND first) OR among = 1 OR suspicions >= 7 THEN takeovers + 1
        ELSE takeovers END,
      done,
      CASE WHEN NOT suspected THEN 0 WHEN in_trial THEN suspicions ELSE suspicions + 1 END
    FROM begun
  ), freed AS (
    UPDATE engine_runs r SET
      owner = NULL,
      takeovers = j.deaths,
      takeover_steps = j.done,
      suspicions = j.suspicions,
      tried_at = NULL,
      tried_attempt = NULL,
      trial_passed = false,
      queued = j.deaths < 3 AND r.lane IS NOT NULL,
      due_at = CASE WHEN j.deaths >= 3
        THEN clock_timestamp() + make_interval(secs => least(15, 2 ^ (j.deaths - 3))) END
    FROM judged j WHERE r.id = j.id AND r.owner = p_process AND r.status = 'active'
    RETURNING j.event_id, j.function_id, j.part, j.deaths
  )
  SELECT count(*), json_agg(json_build_object('id', event_id, 'function_id', function_id,
    'part', part, 'deaths', deaths) ORDER BY deaths DESC, event_id)
  INTO v_freed, v_held FROM freed;
  IF v_freed > 0 THEN
    INSERT INTO engine_deaths (process, froze, held) VALUES (p_process, p_froze, v_held);
  END IF;
  RETURN v_freed;
END $$;
