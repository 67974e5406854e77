-- Takes up to `p_free` runs of a lane up for a process: keys in turn, the oldest run of a key
-- first, no key beyond its limit. `p_limits`: of the functions of the lane; a row of
-- engine_limits stands in place of a first key's. One process at a time counts the places of a
-- lane; rows that somebody else holds are left for the next time. Gives the runs with their
-- events, and in each row whether others still wait; one row without a run where none was taken.
CREATE OR REPLACE FUNCTION engine_claim(
  p_lane text,
  p_owner integer,
  p_free integer,
  p_limits function_limit[]
)
RETURNS TABLE (
  id uuid,
  function_id text,
  attempt integer,
  wakes integer,
  failures integer,
  takeovers integer,
  event_id text,
  event_name text,
  event_data text,
  event_ms bigint,
  waiting boolean
)
-- The statement that takes runs up is planned once: their number changes nothing of it.
SET plan_cache_mode = force_generic_plan
LANGUAGE plpgsql AS $$
-- Nullable: id, function_id, attempt, wakes, failures, takeovers, event_id, event_name, event_data,
-- event_ms.
#variable_conflict use_column
DECLARE
  v_held jsonb;
  v_full text[] := '{}';
  v_ids uuid[] := '{}';
  v_clock bigint;
  v_run record;
  v_oldest record;
  v_limit function_limit;
  v_most int;
  v_more boolean;
  v_waiting boolean;
BEGIN
  -- A claim that is lost with the server is made again; the flush is not worth waiting for.
  PERFORM set_config('synchronous_commit', 'off', true);
  SELECT l.clock INTO v_clock FROM engine_lanes l WHERE l.lane = p_lane FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO engine_lanes (lane) VALUES (p_lane) ON CONFLICT DO NOTHING;
    SELECT l.clock INTO v_clock FROM engine_lanes l WHERE l.lane = p_lane FOR UPDATE;
  END IF;
  SELECT coalesce(jsonb_object_agg(k, n), '{}') INTO v_held FROM (
    SELECT k, count(*) AS n FROM (
      SELECT r.key AS k FROM engine_runs r WHERE r.owner IS NOT NULL AND r.lane = p_lane
      UNION ALL
      SELECT r.second_key FROM engine_runs r
      WHERE r.owner IS NOT NULL AND r.lane = p_lane AND r.second_key IS NOT NULL
    ) AS working GROUP BY k
  ) AS counted;
  LOOP
    v_more := false;
    FOR v_run IN
      SELECT r.id, r.function_id, r.key, r.second_key, r.turn FROM engine_runs r
      WHERE r.lane = p_lane AND r.queued AND r.owner IS NULL AND r.key <> ALL (v_full)
        AND (r.second_key IS NULL OR r.second_key <> ALL (v_full)) AND r.id <> ALL (v_ids)
      ORDER BY r.turn, r.since, r.event_id LIMIT p_free * 2 + 8 FOR UPDATE SKIP LOCKED
    LOOP
      v_more := true;
      EXIT WHEN cardinality(v_ids) >= p_free;
      CONTINUE WHEN v_run.key = ANY (v_full) OR v_run.second_key = ANY (v_full);
      SELECT l.function_id, l.first, l.second INTO v_limit
      FROM unnest(p_limits) l WHERE l.function_id = v_run.function_id;
      v_most := coalesce(
        (SELECT l.most FROM engine_limits l WHERE l.key = v_run.key), v_limit.first);
      IF v_most IS NOT NULL AND coalesce((v_held ->> v_run.key)::int, 0) >= v_most THEN
        v_full := v_full || v_run.key;
        CONTINUE;
      END IF;
      IF v_run.second_key IS NOT NULL AND v_limit.second IS NOT NULL
        AND coalesce((v_held ->> v_run.second_key)::int, 0) >= v_limit.second
      THEN
        v_full := v_full || v_run.second_key;
        CONTINUE;
      END IF;
      v_held := v_held || jsonb_build_object(v_run.key,
        coalesce((v_held ->> v_run.key)::int, 0) + 1);
      IF v_run.second_key IS NOT NULL THEN
        v_held := v_held || jsonb_build_object(v_run.second_key,
          coalesce((v_held ->> v_run.second_key)::int, 0) + 1);
      END IF;
      v_clock := greatest(v_clock, v_run.turn);
      -- The turn is the key's; whose it is is the oldest of its runs, which may have got a later
      -- one when it was woken.
      SELECT r.id, r.turn, r.second_key INTO v_oldest FROM engine_runs r
      WHERE r.key = v_run.key AND r.queued AND r.owner IS NULL AND r.id <> ALL (v_ids)
        AND r.second_key IS NOT DISTINCT FROM v_run.second_key
      ORDER BY r.since, r.event_id LIMIT 1 FOR UPDATE SKIP LOCKED;
      IF FOUND AND v_oldest.id <> v_run.id THEN
        UPDATE engine_runs r SET turn = v_oldest.turn WHERE r.id = v_run.id;
        UPDATE engine_runs r SET turn = v_run.turn WHERE r.id = v_oldest.id;
        v_ids := v_ids || v_oldest.id;
      ELSE
        v_ids := v_ids || v_run.id;
      END IF;
    END LOOP;
    EXIT WHEN NOT v_more OR cardinality(v_ids) >= p_free;
  END LOOP;
  v_waiting := EXISTS (
    SELECT 1 FROM engine_runs r
    WHERE r.lane = p_lane AND r.queued AND r.id <> ALL (v_ids));
  IF cardinality(v_ids) = 0 THEN
    waiting := v_waiting;
    RETURN NEXT;
    RETURN;
  END IF;
  UPDATE engine_lanes SET clock = v_clock WHERE lane = p_lane AND clock <> v_clock;
  RETURN QUERY
  WITH claimed AS (
    UPDATE engine_runs r SET owner = p_owner, attempt = r.attempt + 1, queued = false,
      due_at = NULL
    WHERE r.id = ANY (v_ids) RETURNING r.*
  )
  SELECT c.id, c.function_id, c.attempt, c.wakes, c.failures, c.takeovers, e.id, e.name, e.data,
    (extract(epoch FROM e.received_at) * 1000)::bigint, v_waiting
  FROM claimed c JOIN engine_events e ON e.id = c.event_id
  ORDER BY c.turn, c.since, c.event_id;
END $$;
