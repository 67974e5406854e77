-- The sign of life of a process (decision 0045): one row, on a connection of its own, and nothing else. False: it was given up, and its runs with it.
CREATE FUNCTION "engine_life"(p_process int, p_silence int) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  UPDATE engine_processes SET seen_at = clock_timestamp(),
    steady_since = CASE WHEN seen_at > clock_timestamp() - make_interval(secs => p_silence / 2.0)
      THEN steady_since ELSE clock_timestamp() END
  WHERE id = p_process;
  RETURN FOUND;
END $$;

-- When a driver last began a run that a process had died with, and how often such a process ended soon after: what it died of is looked for among these.
ALTER TABLE "engine_runs" ADD COLUMN "tried_at" TIMESTAMPTZ(3);
ALTER TABLE "engine_runs" ADD COLUMN "suspicions" INTEGER NOT NULL DEFAULT 0;

-- Frees the runs of a process that died or froze. A run whose row is locked is left to be found later (`FORGOTTEN`): nobody's lock keeps others from living.
-- A death counts once more against a run that made no progress since the one before, and only where it can have been the cause:
--   - of the runs that such a process drove it is the only one under suspicion, or
--   - it was the last of them to be begun, within three seconds of the process's last sign of life, and the process froze, or ended like that three times.
-- Whoever was cut off by the death of another's making goes on as if it were the first.
CREATE FUNCTION "engine_bury"(p_process int, p_froze boolean) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  v_seen timestamptz;
  v_freed int;
BEGIN
  DELETE FROM engine_processes WHERE id = p_process RETURNING seen_at INTO v_seen;
  IF NOT FOUND THEN RETURN 0; END IF;
  WITH orphan AS (
    SELECT r.id, r.takeovers, r.takeover_steps, r.tried_at, r.suspicions,
      (SELECT count(*)::int FROM engine_steps s WHERE s.run_id = r.id AND s.done) AS done
    FROM engine_runs r WHERE r.owner = p_process AND r.status = 'active' FOR UPDATE OF r SKIP LOCKED
  ), suspect AS (
    SELECT o.id, count(*) OVER () AS among,
      o.tried_at > v_seen - interval '3 seconds' AND row_number() OVER (ORDER BY o.tried_at DESC NULLS LAST, o.id) = 1 AS is_last
    FROM orphan o WHERE o.takeovers > 0 AND o.done = o.takeover_steps
  ), judged AS (
    SELECT o.id, o.done,
      CASE WHEN s.id IS NULL THEN 1
        WHEN s.among = 1 OR (s.is_last AND (p_froze OR o.suspicions >= 2)) THEN o.takeovers + 1
        ELSE o.takeovers END AS deaths,
      CASE WHEN s.id IS NULL THEN 0 WHEN s.is_last THEN o.suspicions + 1 ELSE o.suspicions END AS suspicions
    FROM orphan o LEFT JOIN suspect s ON s.id = o.id
  )
  UPDATE engine_runs r SET owner = NULL, takeovers = j.deaths, takeover_steps = j.done, suspicions = j.suspicions, tried_at = NULL,
    queued = j.deaths < 3 AND r.lane IS NOT NULL,
    due_at = CASE WHEN j.deaths >= 3 THEN clock_timestamp() + make_interval(secs => least(15, 2 ^ (j.deaths - 3))) END
  FROM judged j WHERE r.id = j.id AND r.owner = p_process AND r.status = 'active';
  GET DIAGNOSTICS v_freed = ROW_COUNT;
  RETURN v_freed;
END $$;

-- A process's sign of life, and all that it looks for regularly, in one statement. Returns {alive, processes: [{id, identity}], buried, lanes, next_due_ms,
-- unrouted: [event ids], owned: [{id, attempt}]}; `alive` false: it was given up, and its runs with it.
-- p_gone: processes of its own machine that it knows to have ended. Another one is dead once it has not beaten for p_silence seconds, as seen by a
-- process whose own beats came all that time: after the database was away, nobody declares anybody dead.
CREATE OR REPLACE FUNCTION "engine_beat"(p_process int, p_gone int[], p_silence int) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_steady timestamptz;
  v_other record;
  v_buried int := 0;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  UPDATE engine_processes SET seen_at = clock_timestamp(),
    steady_since = CASE WHEN seen_at > clock_timestamp() - make_interval(secs => p_silence / 2.0) THEN steady_since ELSE clock_timestamp() END
  WHERE id = p_process RETURNING steady_since INTO v_steady;
  IF NOT FOUND THEN RETURN json_build_object('alive', false); END IF;
  FOR v_other IN
    SELECT p.id FROM engine_processes p WHERE p.id <> p_process AND (
      p.id = ANY(p_gone)
      OR (p.seen_at < clock_timestamp() - make_interval(secs => p_silence) AND v_steady < clock_timestamp() - make_interval(secs => p_silence)
        AND pg_postmaster_start_time() < clock_timestamp() - make_interval(secs => p_silence))
      -- An older version holds an advisory lock while it lives.
      OR (p.seen_at IS NULL AND p.started_at < now() - interval '5 seconds' AND NOT EXISTS (
        SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2 AND classid = 6782 AND objid = p.id
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))))
    ORDER BY p.id FOR UPDATE SKIP LOCKED
  LOOP
    v_buried := v_buried + engine_bury(v_other.id, NOT v_other.id = ANY(p_gone));
  END LOOP;
  -- What has slept long enough waits for a place.
  UPDATE engine_runs SET queued = true, due_at = NULL, turn = engine_next_turn(lane, key)
  WHERE id IN (
    SELECT id FROM engine_runs
    WHERE due_at <= clock_timestamp() AND owner IS NULL AND status = 'active' AND lane IS NOT NULL AND NOT queued
    ORDER BY due_at LIMIT 1000 FOR UPDATE SKIP LOCKED);
  RETURN json_build_object(
    'alive', true,
    'buried', v_buried,
    'processes', (SELECT json_agg(json_build_object('id', id, 'identity', identity)) FROM engine_processes),
    'lanes', (SELECT coalesce(json_agg(l.lane), '[]') FROM engine_lanes l WHERE EXISTS (SELECT 1 FROM engine_runs r WHERE r.lane = l.lane AND r.queued)),
    'next_due_ms', (SELECT extract(epoch FROM min(due_at) - clock_timestamp()) * 1000 FROM engine_runs WHERE due_at > clock_timestamp()),
    'unrouted', (SELECT coalesce(json_agg(id), '[]') FROM (SELECT id FROM engine_events WHERE routed_at IS NULL ORDER BY received_at LIMIT 100) e),
    'owned', (SELECT coalesce(json_agg(json_build_object('id', id, 'attempt', attempt)), '[]') FROM engine_runs WHERE owner = p_process AND status = 'active'));
END $$;

