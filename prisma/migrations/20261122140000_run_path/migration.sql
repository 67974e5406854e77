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

-- AlterTable
ALTER TABLE "approvals" ADD COLUMN     "decision_shown" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "idempotency_keys" ADD COLUMN     "accepted_run" UUID;

-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "position" BIGSERIAL NOT NULL;

-- AlterTable
ALTER TABLE "run_logs" ADD COLUMN     "open_message_id" UUID,
ADD COLUMN     "owner" INTEGER,
ADD COLUMN     "todo" JSONB;

-- CreateTable
CREATE TABLE "operator_losses" (
    "id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "model" TEXT NOT NULL,
    "input_tokens" INTEGER NOT NULL,
    "output_tokens" INTEGER NOT NULL,
    "price_micros" BIGINT NOT NULL,
    "reason" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "operator_losses_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "operator_losses_created_at_idx" ON "operator_losses"("created_at");

-- CreateIndex
CREATE INDEX "messages_conversation_id_position_idx" ON "messages"("conversation_id", "position");

-- CreateIndex
CREATE INDEX "run_logs_open" ON "run_logs"("run_id") WHERE (closed_at IS NULL);

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

-- What was text in stored lines and is a column now, for runs that are at work while this is applied.
UPDATE approvals p SET decision_shown = true WHERE status <> 'pending' AND EXISTS (SELECT 1 FROM run_tool_results t WHERE t.run_id = p.run_id AND t.tool_call_id = p.tool_call_id);
UPDATE run_logs l SET open_message_id = (
  SELECT (m[1])::uuid FROM run_events e, regexp_matches(e.lines, '"type":"message\.created"[^\n]*?"message_id":"([0-9a-f-]{36})"', 'g') AS m
  WHERE e.run_id = l.run_id AND e.lines LIKE '%"type":"message.created"%' ORDER BY e.first_sequence DESC LIMIT 1)
WHERE l.closed_at IS NULL AND EXISTS (SELECT 1 FROM runs r WHERE r.id = l.run_id AND r.status = 'running');
UPDATE run_logs l SET open_message_id = NULL WHERE EXISTS (SELECT 1 FROM run_turns t WHERE t.run_id = l.run_id AND t.message_id = l.open_message_id);
UPDATE run_logs l SET todo = (
  SELECT (line::jsonb) -> 'card' FROM run_events e, regexp_split_to_table(e.lines, '\n') WITH ORDINALITY AS x(line, n)
  WHERE e.run_id = l.run_id AND e.lines LIKE '%"kind":"todo"%' AND line ~ '^\{"type":"card\.(created|updated)"' AND line LIKE '%"kind":"todo"%'
  ORDER BY e.first_sequence DESC, n DESC LIMIT 1)
WHERE l.closed_at IS NULL AND EXISTS (SELECT 1 FROM runs r WHERE r.id = l.run_id AND r.status = 'running');

-- The writes of a run's life, each a round trip (decision 0030). Callers: lib/domain/runs, lib/domain/execution. Codes that they raise:
-- LT001 the run has another driver, LT002 its log has another writer or its last line, LT003 the charge came out otherwise than the caller foresaw,
-- LT004 the run has ended meanwhile, LR001 a start is refused (the message is the code, the detail JSON).

-- Appends a batch to a run's log (`p`: {run, writer, first, last, closes, message, todo}; `p_lines` null: none, only the fence), or raises LT002.
CREATE FUNCTION "append_run_log"(p jsonb, p_lines text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE run_logs SET next_sequence = (p ->> 'last')::int + 1,
    closed_at = CASE WHEN (p ->> 'closes')::bool THEN now() END,
    owner = CASE WHEN (p ->> 'closes')::bool THEN NULL ELSE owner END,
    open_message_id = CASE WHEN p ? 'message' THEN (p ->> 'message')::uuid ELSE open_message_id END,
    todo = CASE WHEN p ? 'todo' THEN p -> 'todo' ELSE todo END
  WHERE run_id = (p ->> 'run')::uuid AND writer = (p ->> 'writer')::int AND next_sequence = (p ->> 'first')::int AND closed_at IS NULL;
  IF NOT FOUND THEN RAISE EXCEPTION 'the log has another writer' USING ERRCODE = 'LT002'; END IF;
  IF p_lines IS NOT NULL THEN
    INSERT INTO run_events (run_id, first_sequence, last_sequence, lines) VALUES ((p ->> 'run')::uuid, (p ->> 'first')::int, (p ->> 'last')::int, p_lines);
  END IF;
END $$;

-- What a run may still cost, in millionths of a credit; null without a limit. Of the runs of a super-agent all count together, by what they have spent and
-- by what the others hold. `p_max`: the run's own limit; `p_root`: the super-agent's run whose limit holds for all that it started.
CREATE FUNCTION "run_room"(p_run uuid, p_account uuid, p_max bigint, p_root uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT least(
    p_max - (SELECT coalesce(sum(u.credits_micros), 0) FROM run_usage u WHERE u.run_id = p_run),
    (SELECT root.max_credits_micros
       - (SELECT coalesce(sum(u.credits_micros), 0) FROM run_usage u JOIN runs f ON f.id = u.run_id WHERE f.id = root.id OR f.parent_run_id = root.id)
       - (SELECT coalesce(sum(h.amount_micros), 0) FROM credit_holds h JOIN runs f ON f.id = h.run_id
          WHERE h.run_id <> p_run AND (f.id = root.id OR f.parent_run_id = root.id))
     FROM runs root WHERE root.id = p_root AND root.account_id = p_account))::bigint
$$;

-- Covers a model call before it is made: moves what is missing from the wallet to the run's hold; nothing where there is less than `p_least`.
-- A run's row comes first, its hold next, the account last. Returns {covered, room}; null when the run holds nothing any more.
CREATE FUNCTION "cover_call"(p_run uuid, p_account uuid, p_max bigint, p_root uuid, p_least bigint, p_most bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_held bigint;
  v_room bigint;
  v_available bigint;
  v_covered bigint;
BEGIN
  IF p_root IS NOT NULL THEN
    PERFORM 1 FROM runs WHERE id = p_root AND account_id = p_account AND max_credits_micros IS NOT NULL FOR NO KEY UPDATE;
  END IF;
  SELECT amount_micros INTO v_held FROM credit_holds WHERE run_id = p_run AND account_id = p_account FOR UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  v_room := run_room(p_run, p_account, p_max, p_root);
  IF v_held >= least(p_most, coalesce(v_room, p_most)) THEN
    RETURN jsonb_build_object('covered', least(p_most, v_room, v_held)::text, 'room', v_room::text);
  END IF;
  -- `NO KEY`: who stores something new for the account holds the row's key until he has counted his write.
  SELECT available_micros INTO v_available FROM accounts WHERE id = p_account FOR NO KEY UPDATE;
  v_covered := least(p_most, v_room, v_held + v_available);
  IF v_covered >= p_least AND v_covered > v_held THEN
    UPDATE accounts SET available_micros = available_micros - (v_covered - v_held) WHERE id = p_account;
    UPDATE credit_holds SET amount_micros = v_covered WHERE run_id = p_run;
  END IF;
  RETURN jsonb_build_object('covered', v_covered::text, 'room', v_room::text);
END $$;

-- Begins a turn: takes the log (writer null) or proves that it is still the caller's, moves a pending run to work, and covers the first call.
-- `p`: {run, account, process, writer, cover: {max, root, least, most} | null}.
-- Returns {status, started_ms, writer, next, open_message, covered, room}; status `closed` where the log has had its last line.
CREATE FUNCTION "begin_turn"(p jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_run uuid := (p ->> 'run')::uuid;
  v_status text;
  v_started timestamptz;
  v_log record;
  v_cover jsonb;
BEGIN
  -- What is lost with the server is done again by whoever takes the run up.
  PERFORM set_config('synchronous_commit', 'off', true);
  UPDATE runs SET status = 'running', started_at = now() WHERE id = v_run AND status = 'pending';
  SELECT status, started_at INTO v_status, v_started FROM runs WHERE id = v_run FOR SHARE;
  IF p ->> 'writer' IS NULL THEN
    UPDATE run_logs SET writer = writer + 1, owner = (p ->> 'process')::int, lease_until = NULL WHERE run_id = v_run AND closed_at IS NULL
    RETURNING writer, next_sequence, open_message_id INTO v_log;
    IF NOT FOUND THEN RETURN jsonb_build_object('status', 'closed'); END IF;
  ELSE
    SELECT writer, next_sequence, open_message_id INTO v_log FROM run_logs WHERE run_id = v_run AND writer = (p ->> 'writer')::int AND closed_at IS NULL FOR SHARE;
    IF NOT FOUND THEN RAISE EXCEPTION 'the log has another writer' USING ERRCODE = 'LT002'; END IF;
  END IF;
  IF v_status = 'running' AND p -> 'cover' <> 'null' THEN
    v_cover := cover_call(v_run, (p ->> 'account')::uuid, (p -> 'cover' ->> 'max')::bigint, (p -> 'cover' ->> 'root')::uuid,
      (p -> 'cover' ->> 'least')::bigint, (p -> 'cover' ->> 'most')::bigint);
  END IF;
  RETURN jsonb_build_object('status', v_status, 'started_ms', (extract(epoch FROM clock_timestamp() - v_started) * 1000)::bigint,
    'writer', v_log.writer, 'next', v_log.next_sequence, 'open_message', v_log.open_message_id,
    'covered', v_cover ->> 'covered', 'room', v_cover ->> 'room', 'holds', v_cover IS NOT NULL);
END $$;

-- Settles one model call: usage, ledger, hold and wallet together, so that they always agree. What neither the wallet nor the run's limit covers is not
-- charged: it is the operator's loss, to be seen by the row's price. What the hold has left beyond `keep` goes back to the wallet.
-- Does nothing for a call that is settled already, nor for a run that holds nothing any more.
-- `p`: {run, account, max, root, agent, step_key, model, capability, input_tokens, output_tokens, cached_input_tokens, units, price, keep, ledger_id}.
-- Returns what was paid, in millionths of a credit.
CREATE FUNCTION "charge_call"(p jsonb) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_run uuid := (p ->> 'run')::uuid;
  v_account uuid := (p ->> 'account')::uuid;
  v_root uuid := (p ->> 'root')::uuid;
  v_held bigint;
  v_paid bigint;
  v_kept bigint;
  v_available bigint;
  v_room bigint;
  v_price bigint := (p ->> 'price')::bigint;
BEGIN
  SELECT credits_micros INTO v_paid FROM run_usage WHERE run_id = v_run AND step_key = p ->> 'step_key';
  IF FOUND THEN RETURN v_paid; END IF;
  IF v_root IS NOT NULL THEN
    PERFORM 1 FROM runs WHERE id = v_root AND account_id = v_account AND max_credits_micros IS NOT NULL FOR NO KEY UPDATE;
  END IF;
  SELECT amount_micros INTO v_held FROM credit_holds WHERE run_id = v_run AND account_id = v_account FOR UPDATE;
  IF NOT FOUND THEN RETURN 0; END IF;
  v_room := run_room(v_run, v_account, (p ->> 'max')::bigint, v_root);
  SELECT available_micros INTO v_available FROM accounts WHERE id = v_account FOR NO KEY UPDATE;
  v_paid := greatest(0, least(v_price, v_room, v_held + v_available));
  v_kept := least(greatest(0, v_held - v_paid), (p ->> 'keep')::bigint);
  UPDATE credit_holds SET amount_micros = v_kept WHERE run_id = v_run;
  UPDATE accounts SET available_micros = available_micros + v_held - v_paid - v_kept WHERE id = v_account;
  INSERT INTO run_usage (run_id, step_key, account_id, agent_id, model, capability, input_tokens, output_tokens, cached_input_tokens, units, credits_micros, price_micros)
  VALUES (v_run, p ->> 'step_key', v_account, (p ->> 'agent')::uuid, p ->> 'model', p ->> 'capability', (p ->> 'input_tokens')::int, (p ->> 'output_tokens')::int,
    (p ->> 'cached_input_tokens')::int, (p ->> 'units')::int, v_paid, v_price);
  INSERT INTO ledger_entries (id, account_id, run_id, kind, amount_micros) VALUES ((p ->> 'ledger_id')::uuid, v_account, v_run, 'usage', -v_paid);
  RETURN v_paid;
END $$;

-- Gives what a run did not spend back to the wallet. Again: nothing happens.
CREATE FUNCTION "release_hold"(p_run uuid) RETURNS void LANGUAGE sql AS $$
  WITH gone AS (DELETE FROM credit_holds WHERE run_id = p_run RETURNING account_id, amount_micros)
  UPDATE accounts a SET available_micros = a.available_micros + gone.amount_micros FROM gone WHERE a.id = gone.account_id
$$;

-- Stores a turn with its charge, its lines and its step's result, or nothing of it.
-- `p`: {log, turn: {run, turn, message_id, model, content, finish_reason, agent_version_id} | null, charge, paid: what the lines say was paid, fold | null}.
CREATE FUNCTION "store_turn"(p jsonb, p_lines text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_turn jsonb := p -> 'turn';
  v_paid bigint;
BEGIN
  IF v_turn <> 'null' THEN
    INSERT INTO run_turns (run_id, turn, message_id, model, content, finish_reason, agent_version_id)
    VALUES ((v_turn ->> 'run')::uuid, (v_turn ->> 'turn')::int, (v_turn ->> 'message_id')::uuid, v_turn ->> 'model', v_turn -> 'content', v_turn ->> 'finish_reason', (v_turn ->> 'agent_version_id')::uuid);
  END IF;
  PERFORM append_run_log(p -> 'log', p_lines);
  IF p -> 'fold' <> 'null' THEN PERFORM engine_fold(p -> 'fold'); END IF;
  v_paid := charge_call(p -> 'charge');
  IF v_paid <> (p ->> 'paid')::bigint THEN RAISE EXCEPTION 'the charge came out otherwise' USING ERRCODE = 'LT003', DETAIL = v_paid; END IF;
END $$;

-- Stores a tool call's result with its lines and its step's result. `p`: {log, result: {run, tool_call_id, turn, name, succeeded, output}, fold | null}.
CREATE FUNCTION "store_tool_result"(p jsonb, p_lines text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v jsonb := p -> 'result';
BEGIN
  PERFORM append_run_log(p -> 'log', p_lines);
  INSERT INTO run_tool_results (run_id, tool_call_id, turn, name, succeeded, output)
  VALUES ((v ->> 'run')::uuid, v ->> 'tool_call_id', (v ->> 'turn')::int, v ->> 'name', (v ->> 'succeeded')::bool, v -> 'output');
  IF p -> 'fold' <> 'null' THEN PERFORM engine_fold(p -> 'fold'); END IF;
END $$;

-- Ends a run as completed with its last turn: turn, charge, status, conversation, message, approvals, last lines, hold, and its engine run, or nothing of it.
-- `p`: as store_turn (`turn` null: it is stored already, and charged), and {run, result, message_id, conversation}. Raises LT004 when the run has ended meanwhile.
CREATE FUNCTION "complete_run"(p jsonb, p_lines text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_run uuid := (p ->> 'run')::uuid;
  v_conversation uuid := (p ->> 'conversation')::uuid;
  v_turn jsonb := p -> 'turn';
  v_paid bigint;
BEGIN
  UPDATE runs SET status = 'completed', result = p -> 'result', error = NULL, requires_action = NULL, completed_at = now(), started_at = coalesce(started_at, now())
  WHERE id = v_run AND status = 'running';
  IF NOT FOUND THEN RAISE EXCEPTION 'the run has ended' USING ERRCODE = 'LT004'; END IF;
  UPDATE conversations SET active_run_id = NULL, updated_at = now() WHERE id = v_conversation AND active_run_id = v_run;
  IF FOUND THEN
    INSERT INTO messages (id, conversation_id, run_id, role, text) VALUES ((p ->> 'message_id')::uuid, v_conversation, v_run, 'assistant', p -> 'result' ->> 'text')
    ON CONFLICT (run_id, role) DO NOTHING;
  END IF;
  UPDATE approvals SET status = 'expired', decided_at = now() WHERE run_id = v_run AND status = 'pending';
  IF v_turn <> 'null' THEN
    INSERT INTO run_turns (run_id, turn, message_id, model, content, finish_reason, agent_version_id)
    VALUES (v_run, (v_turn ->> 'turn')::int, (v_turn ->> 'message_id')::uuid, v_turn ->> 'model', v_turn -> 'content', v_turn ->> 'finish_reason', (v_turn ->> 'agent_version_id')::uuid);
  END IF;
  PERFORM append_run_log(p -> 'log', p_lines);
  IF p -> 'fold' <> 'null' THEN PERFORM engine_fold(p -> 'fold'); END IF;
  IF v_turn <> 'null' THEN
    v_paid := charge_call(p -> 'charge');
    IF v_paid <> (p ->> 'paid')::bigint THEN RAISE EXCEPTION 'the charge came out otherwise' USING ERRCODE = 'LT003', DETAIL = v_paid; END IF;
  END IF;
  PERFORM release_hold(v_run);
END $$;

-- Accepts a run: idempotent replay, limits, the run, its log, its conversation, its place in the engine and its credits, or nothing of it. What it refuses it
-- raises as LR001. The account's row comes last, so that others of the account wait for the commit alone.
-- `p`: {run, account, kind, agent, conversation, family, is_new, workspace, schedule, model, metadata, max_credits, webhook_url, should_notify, release_note, origin,
--   parent_run, parent_call, trace_parent, message_id, estimate, limit, blocked, writes: per hour | null, agents_cap: | null, conversations_cap,
--   idempotency: {route, key, hash, hours, status} | null, event: {match, starts} | null}
-- Returns {created_at, routed} or {replay: {status, body}}. `p_body`: the answer that is kept, with @created_at@ where that belongs.
CREATE FUNCTION "accept_run"(p jsonb, p_input jsonb, p_text text, p_line text, p_body text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_run uuid := (p ->> 'run')::uuid;
  v_account uuid := (p ->> 'account')::uuid;
  v_conversation uuid := (p ->> 'conversation')::uuid;
  v_key jsonb := p -> 'idempotency';
  v_estimate bigint := (p ->> 'estimate')::bigint;
  v_limit bigint := (p ->> 'limit')::bigint;
  v_first record;
  v_count int;
  v_cap int;
  v_window record;
  v_routed json;
  v_available bigint;
BEGIN
  IF v_key <> 'null' THEN
    IF NOT pg_try_advisory_xact_lock(hashtextextended(v_account || ' ' || (v_key ->> 'route') || ' ' || (v_key ->> 'key'), 7)) THEN
      RAISE EXCEPTION 'IDEMPOTENCY_CONFLICT' USING ERRCODE = 'LR001', DETAIL = '{"in_flight": true}';
    END IF;
    SELECT request_hash, status, body INTO v_first FROM idempotency_keys
    WHERE account_id = v_account AND route = v_key ->> 'route' AND key = v_key ->> 'key' AND created_at > now() - make_interval(hours => (v_key ->> 'hours')::int);
    IF FOUND THEN
      IF v_first.request_hash <> v_key ->> 'hash' THEN RAISE EXCEPTION 'IDEMPOTENCY_CONFLICT' USING ERRCODE = 'LR001', DETAIL = '{}'; END IF;
      RETURN jsonb_build_object('replay', jsonb_build_object('status', v_first.status, 'body', v_first.body));
    END IF;
  END IF;
  IF (p ->> 'blocked')::bool THEN RAISE EXCEPTION 'ACCOUNT_BLOCKED' USING ERRCODE = 'LR001', DETAIL = '{}'; END IF;
  IF p ->> 'writes' IS NOT NULL THEN
    INSERT INTO hour_buckets AS b (key, window_started_at, count) VALUES ('write:' || v_account, clock_timestamp(), 1)
    ON CONFLICT (key) DO UPDATE SET
      count = CASE WHEN b.window_started_at <= clock_timestamp() - interval '1 hour' THEN 1 ELSE b.count + 1 END,
      window_started_at = CASE WHEN b.window_started_at <= clock_timestamp() - interval '1 hour' THEN clock_timestamp() ELSE b.window_started_at END
    RETURNING count, greatest(1, ceil(3600 - extract(epoch FROM clock_timestamp() - window_started_at)))::int AS seconds INTO v_window;
    IF v_window.count > (p ->> 'writes')::int THEN
      RAISE EXCEPTION 'RATE_LIMITED' USING ERRCODE = 'LR001', DETAIL = jsonb_build_object('limit', (p ->> 'writes')::int, 'seconds', v_window.seconds);
    END IF;
  END IF;
  IF p ->> 'agents_cap' IS NOT NULL THEN
    SELECT coalesce((SELECT count FROM row_counts WHERE account_id = a.id AND name = 'agents'), 0), coalesce((a.row_caps ->> 'agents')::int, (p ->> 'agents_cap')::int)
    INTO v_count, v_cap FROM accounts a WHERE a.id = v_account;
    IF v_count >= v_cap THEN RAISE EXCEPTION 'CONFLICT' USING ERRCODE = 'LR001', DETAIL = jsonb_build_object('rows', 'agents', 'cap', v_cap); END IF;
  END IF;
  IF v_limit < v_estimate THEN
    SELECT available_micros INTO v_available FROM accounts WHERE id = v_account;
    RAISE EXCEPTION 'INSUFFICIENT_CREDITS' USING ERRCODE = 'LR001', DETAIL = jsonb_build_object('available', v_available, 'limit', v_limit);
  END IF;

  IF NOT (p ->> 'is_new')::bool THEN
    UPDATE conversations SET active_run_id = v_run, updated_at = now()
    WHERE id = v_conversation AND account_id = v_account AND family = p ->> 'family' AND active_run_id IS NULL;
    IF NOT FOUND THEN
      SELECT active_run_id INTO v_first FROM conversations WHERE id = v_conversation AND account_id = v_account AND family = p ->> 'family';
      IF NOT FOUND THEN RAISE EXCEPTION 'CONVERSATION_NOT_FOUND' USING ERRCODE = 'LR001', DETAIL = '{}'; END IF;
      RAISE EXCEPTION 'CONVERSATION_BUSY' USING ERRCODE = 'LR001', DETAIL = jsonb_build_object('run_id', v_first.active_run_id);
    END IF;
  END IF;
  INSERT INTO runs (id, account_id, kind, status, agent_id, conversation_id, workspace_id, schedule_id, input, model, metadata,
    max_credits_micros, webhook_url, should_notify, release_note, origin, parent_run_id, parent_call_id, trace_parent)
  VALUES (v_run, v_account, p ->> 'kind', 'pending', (p ->> 'agent')::uuid, v_conversation, (p ->> 'workspace')::uuid, (p ->> 'schedule')::uuid, p_input, p ->> 'model',
    p -> 'metadata', (p ->> 'max_credits')::bigint, p ->> 'webhook_url', (p ->> 'should_notify')::bool, p ->> 'release_note', p ->> 'origin',
    (p ->> 'parent_run')::uuid, p ->> 'parent_call', p ->> 'trace_parent');
  INSERT INTO run_logs (run_id, next_sequence) VALUES (v_run, 1);
  INSERT INTO run_events (run_id, first_sequence, last_sequence, lines) VALUES (v_run, 0, 0, p_line);
  IF p -> 'event' <> 'null' THEN
    v_routed := engine_send(v_run::text, 'run/accepted', json_build_object('run_id', v_run, 'account_id', v_account)::text, NULL,
      ARRAY(SELECT jsonb_array_elements_text(p -> 'event' -> 'match')), CASE WHEN p -> 'event' -> 'starts' <> 'null' THEN (p -> 'event' -> 'starts')::json END);
  END IF;
  IF v_key <> 'null' THEN
    INSERT INTO idempotency_keys (account_id, route, key, request_hash, status, body, accepted_run)
    VALUES (v_account, v_key ->> 'route', v_key ->> 'key', v_key ->> 'hash', (v_key ->> 'status')::int,
      replace(p_body, '@created_at@', to_char(date_trunc('milliseconds', now()) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), v_run)
    ON CONFLICT (account_id, route, key) DO UPDATE SET request_hash = excluded.request_hash, status = excluded.status, body = excluded.body, accepted_run = v_run, created_at = now();
  END IF;
  IF (p ->> 'is_new')::bool THEN
    INSERT INTO conversations (id, account_id, family, active_run_id, updated_at) VALUES (v_conversation, v_account, p ->> 'family', v_run, now());
    SELECT coalesce((SELECT count FROM row_counts WHERE account_id = a.id AND name = 'conversations'), 0), coalesce((a.row_caps ->> 'conversations')::int, (p ->> 'conversations_cap')::int)
    INTO v_count, v_cap FROM accounts a WHERE a.id = v_account;
    IF v_count > v_cap THEN RAISE EXCEPTION 'CONFLICT' USING ERRCODE = 'LR001', DETAIL = jsonb_build_object('rows', 'conversations', 'cap', v_cap); END IF;
  END IF;
  INSERT INTO messages (id, conversation_id, run_id, role, text) VALUES ((p ->> 'message_id')::uuid, v_conversation, v_run, 'user', p_text);
  UPDATE accounts SET available_micros = available_micros - v_estimate WHERE id = v_account AND available_micros >= v_estimate;
  IF NOT FOUND THEN
    SELECT available_micros INTO v_available FROM accounts WHERE id = v_account;
    RAISE EXCEPTION 'INSUFFICIENT_CREDITS' USING ERRCODE = 'LR001', DETAIL = jsonb_build_object('available', v_available, 'limit', NULL);
  END IF;
  INSERT INTO credit_holds (run_id, account_id, amount_micros) VALUES (v_run, v_account, v_estimate);
  RETURN jsonb_build_object('created_ms', (extract(epoch FROM date_trunc('milliseconds', now())) * 1000)::bigint, 'routed', v_routed);
END $$;

-- Processes keep what they know of keys for a moment; this is how they hear that it is otherwise.
CREATE FUNCTION "principal_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('principal_changed', (CASE WHEN TG_TABLE_NAME = 'accounts' THEN to_jsonb(OLD) ->> 'id' ELSE to_jsonb(OLD) ->> 'account_id' END));
  RETURN NULL;
END $$;
CREATE TRIGGER "api_keys_changed" AFTER UPDATE OF "revoked_at", "expires_at", "name" ON "api_keys" FOR EACH ROW EXECUTE FUNCTION "principal_changed"();
CREATE TRIGGER "api_keys_gone" AFTER DELETE ON "api_keys" FOR EACH ROW EXECUTE FUNCTION "principal_changed"();
CREATE TRIGGER "accounts_rights_changed" AFTER UPDATE OF "blocked", "super_agent_access", "read_per_minute", "runs_per_minute", "write_per_hour" ON "accounts"
  FOR EACH ROW EXECUTE FUNCTION "principal_changed"();
