-- All that a process looks for regularly, in one statement. Gives {alive, processes: [{id,
-- identity}], buried, lanes, next_due_ms, unrouted: [event ids], owned: [{id, attempt}]}; `alive`
-- false: it was given up, and its runs with it. `p_gone`: processes of its own machine that it
-- knows to have ended. Another one is dead once it has shown nothing for `p_silence` seconds, as
-- seen by a process whose own signs came all that time: after the database was away, nobody
-- declares anybody dead.
CREATE OR REPLACE FUNCTION engine_beat(p_process integer, p_gone integer[], p_silence integer)
RETURNS json
LANGUAGE plpgsql AS $$
DECLARE
  v_silence interval := make_interval(secs => p_silence);
  v_steady timestamptz;
  v_other record;
  v_buried int := 0;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  UPDATE engine_processes SET
    seen_at = clock_timestamp(),
    steady_since = CASE WHEN seen_at > clock_timestamp() - v_silence / 2
      THEN steady_since ELSE clock_timestamp() END
  WHERE id = p_process RETURNING steady_since INTO v_steady;
  IF NOT FOUND THEN
    RETURN json_build_object('alive', false);
  END IF;
  FOR v_other IN
    SELECT p.id FROM engine_processes p WHERE p.id <> p_process AND (
      p.id = ANY (p_gone)
      OR (p.seen_at < clock_timestamp() - v_silence AND v_steady < clock_timestamp() - v_silence
        AND pg_postmaster_start_time() < clock_timestamp() - v_silence)
      -- An older version holds an advisory lock while it lives.
      OR (p.seen_at IS NULL AND p.started_at < now() - interval '5 seconds' AND NOT EXISTS (
        SELECT 1 FROM pg_locks
        WHERE locktype = 'advisory' AND granted AND objsubid = 2 AND classid = 6782
          AND objid = p.id
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))))
    ORDER BY p.id FOR UPDATE SKIP LOCKED
  LOOP
    v_buried := v_buried + engine_bury(v_other.id, NOT v_other.id = ANY (p_gone));
  END LOOP;
  -- What has slept long enough waits for a place.
  UPDATE engine_runs SET queued = true, due_at = NULL, turn = engine_next_turn(lane, key)
  WHERE id IN (
    SELECT id FROM engine_runs
    WHERE due_at <= clock_timestamp() AND owner IS NULL AND status = 'active'
      AND lane IS NOT NULL AND NOT queued
    ORDER BY due_at LIMIT 1000 FOR UPDATE SKIP LOCKED);
  RETURN json_build_object(
    'alive', true,
    'buried', v_buried,
    'processes', (SELECT json_agg(json_build_object('id', id, 'identity', identity))
      FROM engine_processes),
    'lanes', (SELECT coalesce(json_agg(l.lane), '[]') FROM engine_lanes l
      WHERE EXISTS (SELECT 1 FROM engine_runs r WHERE r.lane = l.lane AND r.queued)),
    'next_due_ms', (SELECT extract(epoch FROM min(due_at) - clock_timestamp()) * 1000
      FROM engine_runs WHERE due_at > clock_timestamp()),
    'unrouted', (SELECT coalesce(json_agg(id), '[]') FROM (
      SELECT id FROM engine_events WHERE routed_at IS NULL ORDER BY received_at LIMIT 100) e),
    'owned', (SELECT coalesce(json_agg(json_build_object('id', id, 'attempt', attempt)), '[]')
      FROM engine_runs WHERE owner = p_process AND status = 'active'));
END $$;
