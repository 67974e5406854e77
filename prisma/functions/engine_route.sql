-- Does what an event calls for: ends the waits and cancels the runs that it matches, and starts
-- `p_starts`. Gives the lanes in which runs wait now, and the runs that it woke, each with the
-- process that drives it (-1 where nobody does).
CREATE OR REPLACE FUNCTION engine_route(
  p_id text,
  p_event json,
  p_match_values text[],
  p_received timestamptz,
  p_starts engine_start[],
  p_cancels engine_cancel[],
  OUT lanes text[],
  OUT woken uuid[],
  OUT owners integer[]
)
LANGUAGE plpgsql AS $$
DECLARE
  v_name text := p_event ->> 'name';
  v_wait record;
  v_owner int;
  v_start engine_start;
  v_cancel engine_cancel;
BEGIN
  lanes := '{}';
  woken := '{}';
  owners := '{}';
  -- Most events are awaited by nobody, and the plan of the loop, which depends on the values, is
  -- made at each call. Ordered as the index is: else statistics have the whole table read.
  PERFORM 1 FROM engine_waits w WHERE w.event = v_name ORDER BY w.match_value LIMIT 1;
  IF FOUND THEN
    FOR v_wait IN
      SELECT w.run_id, w.step_id, w.kind FROM engine_waits w
      WHERE w.event = v_name AND (w.due_at IS NULL OR w.due_at > now())
        AND (w.match_value IS NULL OR p_match_values IS NULL
          OR w.match_value = ANY (p_match_values))
        AND engine_matches(w.conditions, p_event)
      -- One order for all, so that two events which touch the same runs cannot lock each other out.
      ORDER BY w.run_id, w.kind
    LOOP
      IF v_wait.kind = 'cancel' THEN
        SELECT owner INTO v_owner FROM engine_runs
        WHERE id = v_wait.run_id AND status = 'active' FOR NO KEY UPDATE;
        CONTINUE WHEN NOT FOUND;
        UPDATE engine_runs SET status = 'cancelled', ended_at = now(), wakes = wakes + 1,
          queued = false, due_at = NULL, owner = NULL
        WHERE id = v_wait.run_id;
        DELETE FROM engine_waits WHERE run_id = v_wait.run_id;
      ELSE
        UPDATE engine_steps SET done = true, data = p_event::text, error = NULL,
          position = DEFAULT, due_at = NULL
        WHERE run_id = v_wait.run_id AND id = v_wait.step_id AND NOT done;
        CONTINUE WHEN NOT FOUND;
        DELETE FROM engine_waits WHERE run_id = v_wait.run_id AND step_id = v_wait.step_id;
        v_owner := engine_wake(v_wait.run_id);
      END IF;
      woken := woken || v_wait.run_id;
      owners := owners || coalesce(v_owner, -1);
    END LOOP;
  END IF;

  FOREACH v_start IN ARRAY p_starts LOOP
    INSERT INTO engine_runs
      (id, function_id, event_id, lane, key, second_key, turn, since, queued)
    VALUES (v_start.id, v_start.function_id, p_id, v_start.lane, v_start.key, v_start.second_key,
      engine_next_turn(v_start.lane, v_start.key), p_received, true)
    ON CONFLICT (id) DO NOTHING;
    CONTINUE WHEN NOT FOUND;
    IF v_start.lane <> ALL (lanes) THEN
      lanes := lanes || v_start.lane;
    END IF;
    FOREACH v_cancel IN ARRAY p_cancels LOOP
      CONTINUE WHEN v_cancel.run <> v_start.id;
      INSERT INTO engine_waits (run_id, step_id, kind, event, match_value, conditions)
      VALUES (v_cancel.run, v_cancel.step_id, 'cancel', v_cancel.event, v_cancel.match_value,
        v_cancel.conditions)
      ON CONFLICT DO NOTHING;
    END LOOP;
  END LOOP;
END $$;
