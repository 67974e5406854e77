-- DropIndex
DROP INDEX "engine_runs_owner_idx";

-- DropIndex
DROP INDEX "engine_runs_status_due_at_idx";

-- AlterTable
ALTER TABLE "engine_processes" ADD COLUMN     "identity" TEXT,
ADD COLUMN     "seen_at" TIMESTAMPTZ(3),
ADD COLUMN     "steady_since" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "engine_runs" ADD COLUMN     "key" TEXT,
ADD COLUMN     "lane" TEXT,
ADD COLUMN     "queued" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "second_key" TEXT,
ADD COLUMN     "since" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
ADD COLUMN     "turn" BIGINT NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "engine_lanes" (
    "lane" TEXT NOT NULL,
    "clock" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "engine_lanes_pkey" PRIMARY KEY ("lane")
);

-- CreateTable
CREATE TABLE "engine_limits" (
    "key" TEXT NOT NULL,
    "most" INTEGER NOT NULL,

    CONSTRAINT "engine_limits_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE INDEX "engine_events_unrouted" ON "engine_events"("received_at") WHERE (routed_at IS NULL);

-- CreateIndex
CREATE INDEX "engine_runs_at_work" ON "engine_runs"("key", "turn") WHERE (owner IS NOT NULL);

-- CreateIndex
CREATE INDEX "engine_runs_queue" ON "engine_runs"("lane", "turn", "since") WHERE (queued);

-- CreateIndex
CREATE INDEX "engine_runs_of_key" ON "engine_runs"("key", "since") WHERE (queued);

-- CreateIndex
CREATE INDEX "engine_runs_due" ON "engine_runs"("due_at") WHERE (due_at IS NOT NULL);

-- CreateIndex
CREATE INDEX "engine_runs_active" ON "engine_runs"("created_at") WHERE (status = 'active');

-- What the embedded executor does in one round trip each (decision 0030). Callers: lib/engine/embedded.

-- The next turn of a key in its lane: behind its own runs that wait or work, and never before the turn that the lane has come to.
CREATE FUNCTION "engine_next_turn"(p_lane text, p_key text) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT greatest(
    coalesce((SELECT clock FROM engine_lanes WHERE lane = p_lane), 0),
    coalesce((SELECT turn + 1 FROM engine_runs WHERE key = p_key AND queued ORDER BY since DESC LIMIT 1), 0),
    coalesce((SELECT max(turn) + 1 FROM engine_runs WHERE key = p_key AND owner IS NOT NULL), 0))
$$;

-- Has a run that sleeps wait for a place, or tells its driver by `wakes`. Returns the driver's process; null where nobody drives it.
CREATE FUNCTION "engine_wake"(p_run uuid) RETURNS int LANGUAGE sql AS $$
  UPDATE engine_runs SET wakes = wakes + 1,
    turn = CASE WHEN owner IS NULL AND NOT queued AND lane IS NOT NULL THEN engine_next_turn(lane, key) ELSE turn END,
    due_at = CASE WHEN owner IS NULL THEN NULL ELSE due_at END,
    queued = owner IS NULL AND lane IS NOT NULL
  WHERE id = p_run AND status = 'active' RETURNING owner
$$;

-- Whether an event (JSON) has what a wait asks for: a chain of equalities of plain values, which both sides wrote by the same serializer.
CREATE FUNCTION "engine_matches"(p_conditions text, p_event json) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(bool_and(c -> 'path' IS NOT NULL
    AND (p_event #> ARRAY(SELECT json_array_elements_text(c -> 'path')))::text IS NOT DISTINCT FROM (c -> 'value')::text), true)
  FROM json_array_elements(p_conditions::json) AS c
$$;

-- Does what an event calls for: ends the waits and cancels the runs that it matches, and starts `p_starts`
-- ([{id, function_id, lane, key, second_key, cancels: [{step_id, event, match_value, conditions, due_at}]}]).
-- Returns {lanes: [text], woken: [{id, owner}]}.
CREATE FUNCTION "engine_route"(p_id text, p_event json, p_match text[], p_received timestamptz, p_starts json) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_name text := p_event ->> 'name';
  v_wait record;
  v_owner int;
  v_lanes text[];
  v_woken json[] := '{}';
BEGIN
  FOR v_wait IN
    SELECT w.run_id, w.step_id, w.kind FROM engine_waits w
    WHERE w.event = v_name AND (w.due_at IS NULL OR w.due_at > now())
      AND (w.match_value IS NULL OR p_match IS NULL OR w.match_value = ANY(p_match)) AND engine_matches(w.conditions, p_event)
    -- One order for all, so that two events which touch the same runs cannot lock each other out.
    ORDER BY w.run_id, w.kind
  LOOP
    IF v_wait.kind = 'cancel' THEN
      UPDATE engine_runs SET status = 'cancelled', ended_at = now(), wakes = wakes + 1, queued = false, due_at = NULL
      WHERE id = v_wait.run_id AND status = 'active' RETURNING owner INTO v_owner;
      CONTINUE WHEN NOT FOUND;
      DELETE FROM engine_waits WHERE run_id = v_wait.run_id;
      UPDATE engine_runs SET owner = NULL WHERE id = v_wait.run_id;
    ELSE
      UPDATE engine_steps SET done = true, data = p_event::text, error = NULL, position = DEFAULT, due_at = NULL
      WHERE run_id = v_wait.run_id AND id = v_wait.step_id AND NOT done;
      CONTINUE WHEN NOT FOUND;
      DELETE FROM engine_waits WHERE run_id = v_wait.run_id AND step_id = v_wait.step_id;
      v_owner := engine_wake(v_wait.run_id);
    END IF;
    v_woken := v_woken || json_build_object('id', v_wait.run_id, 'owner', v_owner);
  END LOOP;

  WITH start AS (
    SELECT s.id, s.function_id, s.lane, s.key, s.second_key FROM json_to_recordset(p_starts) AS s(id uuid, function_id text, lane text, key text, second_key text)
  ), run AS (
    INSERT INTO engine_runs (id, function_id, event_id, lane, key, second_key, turn, since, queued)
    SELECT id, function_id, p_id, lane, key, second_key, engine_next_turn(lane, key), p_received, true FROM start
    ON CONFLICT (id) DO NOTHING RETURNING id, lane
  ), cancel AS (
    INSERT INTO engine_waits (run_id, step_id, kind, event, match_value, conditions, due_at)
    SELECT run.id, c.step_id, 'cancel', c.event, c.match_value, c.conditions, c.due_at
    FROM json_to_recordset(p_starts) AS s(id uuid, cancels json) JOIN run ON run.id = s.id,
      json_to_recordset(s.cancels) AS c(step_id text, event text, match_value text, conditions text, due_at timestamptz)
    ON CONFLICT DO NOTHING
  )
  SELECT array_agg(DISTINCT lane) INTO v_lanes FROM run;
  RETURN json_build_object('lanes', coalesce(to_json(v_lanes), '[]'), 'woken', to_json(v_woken));
END $$;

-- Stores an event and does what it calls for; nothing when its id is known. Without `p_starts` (the sender drives nothing, and does not know
-- what it starts) the event waits for a process that does.
CREATE FUNCTION "engine_send"(p_id text, p_name text, p_data text, p_function text, p_match text[], p_starts json) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_received timestamptz;
BEGIN
  INSERT INTO engine_events (id, name, data, function_id, match_values, routed_at)
  VALUES (p_id, p_name, p_data, p_function, p_match, CASE WHEN p_starts IS NOT NULL THEN now() END)
  ON CONFLICT (id) DO NOTHING RETURNING received_at INTO v_received;
  IF NOT FOUND OR p_starts IS NULL THEN RETURN NULL; END IF;
  RETURN engine_route(p_id, engine_event(p_id, p_name, p_data, v_received), p_match, clock_timestamp(), p_starts);
END $$;

-- An event as a function sees it: composed as text, for its data may hold what `json` reads and `jsonb` does not.
CREATE FUNCTION "engine_event"(p_id text, p_name text, p_data text, p_received timestamptz) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT ('{"id":' || to_json(p_id)::text || ',"name":' || to_json(p_name)::text || ',"data":' || p_data
    || ',"ts":' || (extract(epoch FROM p_received) * 1000)::bigint || '}')::json
$$;

-- The same for an event that waited; null when somebody was quicker.
CREATE FUNCTION "engine_route_stored"(p_id text, p_starts json) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_event engine_events;
BEGIN
  UPDATE engine_events SET routed_at = now() WHERE id = p_id AND routed_at IS NULL RETURNING * INTO v_event;
  IF NOT FOUND THEN RETURN NULL; END IF;
  RETURN engine_route(p_id, engine_event(p_id, v_event.name, v_event.data, v_event.received_at), v_event.match_values, v_event.received_at, p_starts);
END $$;

-- Takes up to `p_free` runs of a lane up for a process: keys in turn, the oldest run of a key first, no key beyond its limit.
-- `p_limits`: {function_id: [limit of its first key, of its second]}, null for none; a row of engine_limits stands in place of a first key's.
-- One process at a time counts the places of a lane; rows that somebody else holds are left for the next time.
-- Returns {runs: [{id, function_id, attempt, wakes, failures, takeovers, event: {id, name, data (text), ts}}], waiting: whether others still wait}.
CREATE FUNCTION "engine_claim"(p_lane text, p_owner int, p_free int, p_limits jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_held jsonb;
  v_full text[] := '{}';
  v_ids uuid[] := '{}';
  v_clock bigint;
  v_run record;
  v_oldest record;
  v_most int;
  v_more boolean;
  v_runs json;
BEGIN
  -- A claim that is lost with the server is made again; the flush is not worth waiting for.
  PERFORM set_config('synchronous_commit', 'off', true);
  SELECT clock INTO v_clock FROM engine_lanes WHERE lane = p_lane FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO engine_lanes (lane) VALUES (p_lane) ON CONFLICT DO NOTHING;
    SELECT clock INTO v_clock FROM engine_lanes WHERE lane = p_lane FOR UPDATE;
  END IF;
  SELECT coalesce(jsonb_object_agg(k, n), '{}') INTO v_held FROM (
    SELECT k, count(*) AS n FROM (
      SELECT r.key AS k FROM engine_runs r WHERE r.owner IS NOT NULL AND r.lane = p_lane
      UNION ALL SELECT r.second_key FROM engine_runs r WHERE r.owner IS NOT NULL AND r.lane = p_lane AND r.second_key IS NOT NULL
    ) AS working GROUP BY k
  ) AS counted;
  LOOP
    v_more := false;
    FOR v_run IN
      SELECT r.id, r.function_id, r.key, r.second_key, r.turn FROM engine_runs r
      WHERE r.lane = p_lane AND r.queued AND r.owner IS NULL AND r.key <> ALL(v_full) AND (r.second_key IS NULL OR r.second_key <> ALL(v_full))
        AND r.id <> ALL(v_ids)
      ORDER BY r.turn, r.since, r.event_id LIMIT p_free * 2 + 8 FOR UPDATE SKIP LOCKED
    LOOP
      v_more := true;
      EXIT WHEN cardinality(v_ids) >= p_free;
      CONTINUE WHEN v_run.key = ANY(v_full) OR v_run.second_key = ANY(v_full);
      v_most := coalesce((SELECT most FROM engine_limits l WHERE l.key = v_run.key), (p_limits -> v_run.function_id ->> 0)::int);
      IF v_most IS NOT NULL AND coalesce((v_held ->> v_run.key)::int, 0) >= v_most THEN
        v_full := v_full || v_run.key;
        CONTINUE;
      END IF;
      v_most := (p_limits -> v_run.function_id ->> 1)::int;
      IF v_run.second_key IS NOT NULL AND v_most IS NOT NULL AND coalesce((v_held ->> v_run.second_key)::int, 0) >= v_most THEN
        v_full := v_full || v_run.second_key;
        CONTINUE;
      END IF;
      v_held := jsonb_set(v_held, ARRAY[v_run.key], to_jsonb(coalesce((v_held ->> v_run.key)::int, 0) + 1));
      IF v_run.second_key IS NOT NULL THEN
        v_held := jsonb_set(v_held, ARRAY[v_run.second_key], to_jsonb(coalesce((v_held ->> v_run.second_key)::int, 0) + 1));
      END IF;
      v_clock := greatest(v_clock, v_run.turn);
      -- The turn is the key's; whose it is is the oldest of its runs, which may have got a later one when it was woken.
      SELECT r.id, r.turn, r.second_key INTO v_oldest FROM engine_runs r
      WHERE r.key = v_run.key AND r.queued AND r.owner IS NULL AND r.id <> ALL(v_ids) AND r.second_key IS NOT DISTINCT FROM v_run.second_key
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
  IF cardinality(v_ids) > 0 THEN
    UPDATE engine_lanes SET clock = v_clock WHERE lane = p_lane AND clock <> v_clock;
    WITH claimed AS (
      UPDATE engine_runs r SET owner = p_owner, attempt = r.attempt + 1, queued = false, due_at = NULL WHERE r.id = ANY(v_ids)
      RETURNING r.id, r.function_id, r.attempt, r.wakes, r.failures, r.takeovers, r.event_id, r.turn, r.since
    )
    SELECT json_agg(json_build_object('id', c.id, 'function_id', c.function_id, 'attempt', c.attempt, 'wakes', c.wakes, 'failures', c.failures,
      'takeovers', c.takeovers, 'event', json_build_object('id', e.id, 'name', e.name, 'data', e.data, 'ts', (extract(epoch FROM e.received_at) * 1000)::bigint))
      ORDER BY c.turn, c.since, c.event_id) INTO v_runs
    FROM claimed c JOIN engine_events e ON e.id = c.event_id;
  END IF;
  RETURN json_build_object('runs', coalesce(v_runs, '[]'), 'waiting', EXISTS (SELECT 1 FROM engine_runs r WHERE r.lane = p_lane AND r.queued));
END $$;

-- Frees what a process that has died was driving, each run behind a pause that grows with the deaths that it has seen in a row.
CREATE FUNCTION "engine_bury"(p_process int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  v_freed int;
BEGIN
  DELETE FROM engine_processes WHERE id = p_process;
  IF NOT FOUND THEN RETURN 0; END IF;
  WITH orphan AS (
    SELECT r.id, (SELECT count(*)::int FROM engine_steps s WHERE s.run_id = r.id AND s.done) AS done
    FROM engine_runs r WHERE r.owner = p_process AND r.status = 'active'
  ), counted AS (
    SELECT o.id, o.done, CASE WHEN o.done = r.takeover_steps AND r.takeovers > 0 THEN r.takeovers + 1 ELSE 1 END AS deaths
    FROM orphan o JOIN engine_runs r ON r.id = o.id
  )
  UPDATE engine_runs r SET owner = NULL, takeovers = c.deaths, takeover_steps = c.done,
    queued = c.deaths < 3 AND r.lane IS NOT NULL,
    due_at = CASE WHEN c.deaths >= 3 THEN now() + make_interval(secs => least(15, 2 ^ (c.deaths - 3))) END
  FROM counted c WHERE r.id = c.id AND r.owner = p_process AND r.status = 'active';
  GET DIAGNOSTICS v_freed = ROW_COUNT;
  RETURN v_freed;
END $$;

-- A process's sign of life, and all that it looks for regularly, in one statement. Returns {alive, processes: [{id, identity}], buried, lanes, next_due_ms,
-- unrouted: [event ids], owned: [{id, attempt}]}; `alive` false: it was given up, and its runs with it.
-- p_gone: processes of its own machine that it knows to have ended. Another one is dead once it has not beaten for p_silence seconds, as seen by a
-- process whose own beats came all that time: after the database was away, nobody declares anybody dead.
CREATE FUNCTION "engine_beat"(p_process int, p_gone int[], p_silence int) RETURNS json LANGUAGE plpgsql AS $$
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
    v_buried := v_buried + engine_bury(v_other.id);
  END LOOP;
  -- What has slept long enough waits for a place.
  UPDATE engine_runs SET queued = true, due_at = NULL, turn = engine_next_turn(lane, key)
  WHERE due_at <= clock_timestamp() AND owner IS NULL AND status = 'active' AND lane IS NOT NULL AND NOT queued;
  RETURN json_build_object(
    'alive', true,
    'buried', v_buried,
    'processes', (SELECT json_agg(json_build_object('id', id, 'identity', identity)) FROM engine_processes),
    'lanes', (SELECT coalesce(json_agg(l.lane), '[]') FROM engine_lanes l WHERE EXISTS (SELECT 1 FROM engine_runs r WHERE r.lane = l.lane AND r.queued)),
    'next_due_ms', (SELECT extract(epoch FROM min(due_at) - clock_timestamp()) * 1000 FROM engine_runs WHERE due_at > clock_timestamp()),
    'unrouted', (SELECT coalesce(json_agg(id), '[]') FROM (SELECT id FROM engine_events WHERE routed_at IS NULL ORDER BY received_at LIMIT 100) e),
    'owned', (SELECT coalesce(json_agg(json_build_object('id', id, 'attempt', attempt)), '[]') FROM engine_runs WHERE owner = p_process AND status = 'active'));
END $$;

-- A step's result, or its run's end, as part of the transaction that makes it true.
-- `p`: {run, attempt, owner, step?: {id, name, data (JSON text)}}; without a step the run ends. Raises LT001 when the driver has lost the run.
CREATE FUNCTION "engine_fold"(p jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF p -> 'step' IS NULL THEN
    UPDATE engine_runs SET status = 'completed', output = 'null', ended_at = now(), owner = NULL, due_at = NULL
    WHERE id = (p ->> 'run')::uuid AND attempt = (p ->> 'attempt')::int AND owner = (p ->> 'owner')::int AND status = 'active';
    IF FOUND THEN
      DELETE FROM engine_waits WHERE run_id = (p ->> 'run')::uuid;
      RETURN;
    END IF;
  ELSE
    PERFORM 1 FROM engine_runs
    WHERE id = (p ->> 'run')::uuid AND attempt = (p ->> 'attempt')::int AND owner = (p ->> 'owner')::int AND status = 'active' FOR SHARE;
    IF FOUND THEN
      INSERT INTO engine_steps (run_id, id, op, name, done, data) VALUES ((p ->> 'run')::uuid, p -> 'step' ->> 'id', 'StepRun', p -> 'step' ->> 'name', true, p -> 'step' ->> 'data')
      ON CONFLICT (run_id, id) DO UPDATE SET done = true, data = excluded.data, error = NULL, due_at = NULL, position = DEFAULT WHERE NOT engine_steps.done;
      RETURN;
    END IF;
  END IF;
  RAISE EXCEPTION 'another driver has this run' USING ERRCODE = 'LT001';
END $$;

-- What the operator has set for an account's runs at work is a limit of the engine: the key is that of lib/jobs/execute-run.ts.
CREATE FUNCTION "account_runs_at_work"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR NEW.runs_at_work IS NULL THEN
    DELETE FROM engine_limits WHERE key = 'lathe-execute-run:0:"' || OLD.id || '"';
  ELSE
    INSERT INTO engine_limits (key, most) VALUES ('lathe-execute-run:0:"' || NEW.id || '"', NEW.runs_at_work)
    ON CONFLICT (key) DO UPDATE SET most = excluded.most;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "accounts_limit_runs" AFTER UPDATE OF "runs_at_work" ON "accounts" FOR EACH ROW WHEN (OLD.runs_at_work IS DISTINCT FROM NEW.runs_at_work) EXECUTE FUNCTION "account_runs_at_work"();
CREATE TRIGGER "accounts_limit_new" AFTER INSERT ON "accounts" FOR EACH ROW WHEN (NEW.runs_at_work IS NOT NULL) EXECUTE FUNCTION "account_runs_at_work"();
CREATE TRIGGER "accounts_limit_gone" AFTER DELETE ON "accounts" FOR EACH ROW WHEN (OLD.runs_at_work IS NOT NULL) EXECUTE FUNCTION "account_runs_at_work"();
INSERT INTO engine_limits (key, most) SELECT 'lathe-execute-run:0:"' || id || '"', runs_at_work FROM accounts WHERE runs_at_work IS NOT NULL;
