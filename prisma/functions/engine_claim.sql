-- Takes up to `p_free` runs of a lane up for a process: keys in turn, the oldest run of a key
-- first, no key beyond its limit. `p_limits`: of the functions of the lane; a row of engine_limits
-- stands in place of a first key's. One process at a time counts the places of a lane, and not
-- while a run is taken up with its acceptance (`engine_claim_new`); rows that somebody else holds
-- are left for the next time.
--
-- Those in front are looked at first. Only where they come to nothing, as their keys are full, are
-- all keys gone through: what stands behind a full key is never read.
--
-- Gives the runs with their events, and in each row whether others still wait; one row without a
-- run where none was taken.
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
-- All that is read here, and in the functions that are called from here, is read in the order of an
-- index and no further than it is needed. Statistics of a queue are always of another moment: what
-- they say of a key would have whole tables read and sorted, and plans made anew at each claim.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_sort = off
LANGUAGE plpgsql AS $$
-- Nullable: id, function_id, attempt, wakes, failures, takeovers, event_id, event_name, event_data,
-- event_ms.
#variable_conflict use_column
DECLARE
  v_full text[] := '{}';
  v_ids uuid[] := '{}';
  v_keys text[] := '{}';
  v_clock bigint;
  v_run record;
  v_oldest record;
  v_most int;
  v_seen int := 0;
  v_full_before int;
  v_everywhere boolean := false;
  v_waiting boolean;
BEGIN
  -- A claim that is lost with the server is made again; the flush is not worth waiting for.
  PERFORM set_config('synchronous_commit', 'off', true);
  PERFORM pg_advisory_xact_lock(6786, hashtext(p_lane));
  SELECT l.clock INTO v_clock FROM engine_lanes l WHERE l.lane = p_lane FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO engine_lanes (lane) VALUES (p_lane) ON CONFLICT DO NOTHING;
    SELECT l.clock INTO v_clock FROM engine_lanes l WHERE l.lane = p_lane FOR UPDATE;
  END IF;
  LOOP
    v_full_before := cardinality(v_full);
    FOR v_run IN
      SELECT * FROM engine_front(p_lane) WHERE NOT v_everywhere
      UNION ALL
      SELECT * FROM engine_heads(p_lane, p_free, p_limits, v_full) WHERE v_everywhere
    LOOP
      v_seen := v_seen + 1;
      EXIT WHEN cardinality(v_ids) >= p_free;
      CONTINUE WHEN v_run.id = ANY (v_ids) OR v_run.key = ANY (v_full)
        OR v_run.second_key = ANY (v_full);
      v_most := engine_most(v_run.key, v_run.function_id, p_limits);
      IF v_most IS NOT NULL AND engine_at_work(v_run.key, v_most)
        + cardinality(array_positions(v_keys, v_run.key)) >= v_most
      THEN
        v_full := v_full || v_run.key;
        CONTINUE;
      END IF;
      IF v_run.second_key IS NOT NULL THEN
        SELECT l.second INTO v_most
        FROM unnest(p_limits) l WHERE l.function_id = v_run.function_id;
        IF v_most IS NOT NULL AND cardinality(array_positions(v_keys, v_run.second_key)) + (
          SELECT count(*) FROM (
            SELECT 1 FROM engine_runs r
            WHERE r.second_key = v_run.second_key AND r.owner IS NOT NULL LIMIT v_most) r
        ) >= v_most THEN
          v_full := v_full || v_run.second_key;
          CONTINUE;
        END IF;
      END IF;
      -- The turn is the key's; whose it is is the oldest of its runs, which may have got a later
      -- one when it was woken.
      SELECT r.id, r.turn INTO v_oldest FROM engine_runs r
      WHERE r.key = v_run.key AND r.queued AND r.owner IS NULL AND r.id <> ALL (v_ids)
        AND (r.second_key = v_run.second_key OR (r.second_key IS NULL AND v_run.second_key IS NULL))
      ORDER BY r.since, r.event_id LIMIT 1 FOR UPDATE SKIP LOCKED;
      IF NOT FOUND THEN
        -- Somebody holds what waits there: the keys behind it are looked at.
        v_full := v_full || v_run.key;
        CONTINUE;
      END IF;
      IF v_oldest.id <> v_run.id THEN
        PERFORM 1 FROM engine_runs r WHERE r.id = v_run.id AND r.queued FOR UPDATE SKIP LOCKED;
        IF FOUND THEN
          UPDATE engine_runs r SET turn = v_oldest.turn WHERE r.id = v_run.id;
          UPDATE engine_runs r SET turn = v_run.turn WHERE r.id = v_oldest.id;
        END IF;
      END IF;
      v_ids := v_ids || v_oldest.id;
      v_keys := v_keys || v_run.key;
      IF v_run.second_key IS NOT NULL THEN
        v_keys := v_keys || v_run.second_key;
      END IF;
      v_clock := greatest(v_clock, v_run.turn);
    END LOOP;
    EXIT WHEN cardinality(v_ids) >= p_free;
    -- All that waits was in front; or all keys were gone through, and none was found full meanwhile
    -- behind whose rows another one's stand.
    EXIT WHEN NOT v_everywhere AND v_seen < 25;
    EXIT WHEN v_everywhere AND cardinality(v_full) = v_full_before;
    v_everywhere := true;
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
