-- Bodies name functions that stand further down.
SET check_function_bodies = off;

-- prisma/functions/append_run_log.sql
-- Appends one batch to a run's log, or raises LT002: the log has another writer, or its last line.
CREATE OR REPLACE FUNCTION append_run_log(p_log log_batch)
RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF NOT move_run_log(p_log) THEN
    RAISE EXCEPTION 'the log has another writer' USING ERRCODE = 'LT002';
  END IF;
END $$;

-- prisma/functions/append_run_logs.sql
-- Appends batches to the logs of runs, each where its fence fits, as `move_run_log` does with one:
-- run-log.db.test.ts compares the two. Many together cost half of what they do one by one. Gives
-- the places, from 1, of those that were stored.
CREATE OR REPLACE FUNCTION append_run_logs(p_batches log_batch[])
RETURNS TABLE (place integer)
-- A join with an array is planned anew at each call otherwise.
SET plan_cache_mode = force_generic_plan
LANGUAGE plpgsql AS $$
BEGIN
  IF cardinality(p_batches) = 1 THEN
    place := 1;
    IF move_run_log(p_batches[1]) THEN
      RETURN NEXT;
    END IF;
    RETURN;
  END IF;
  RETURN QUERY
  WITH moved AS (
    UPDATE run_logs log SET
      next_sequence = batch.last + 1,
      closed_at = CASE WHEN batch.closes THEN now() END,
      owner = CASE WHEN batch.closes THEN NULL ELSE log.owner END,
      open_message_id = CASE WHEN batch.is_whole THEN NULL
        ELSE coalesce(batch.message, log.open_message_id) END,
      todo = coalesce(batch.todo, log.todo)
    FROM unnest(p_batches) WITH ORDINALITY AS batch
      (run, writer, first, last, closes, message, is_whole, todo, lines, nth)
    WHERE log.run_id = batch.run AND log.writer = batch.writer
      AND log.next_sequence = batch.first AND log.closed_at IS NULL
    RETURNING batch.run, batch.first, batch.last, batch.lines, batch.nth
  ), stored AS (
    INSERT INTO run_events (run_id, first_sequence, last_sequence, lines)
    SELECT moved.run, moved.first, moved.last, moved.lines FROM moved
    WHERE moved.lines IS NOT NULL
  )
  SELECT moved.nth::integer FROM moved;
END $$;

-- prisma/functions/begin_model_turn.sql
-- Begins a turn: takes the log (`p_writer` null) or proves that it is still the caller's, moves a
-- pending run to work, and covers the first call (`cover_model_call`). `status` is `closed` where
-- the log has had its last line. Raises LT002 when the log has another writer.
--
-- `p_prompt`: what the run's model is shown from this turn on, and the version that the run keeps
-- to. Its text is stored once; where it is swept at this very moment, the run freezes it anew with
-- its next turn.
CREATE OR REPLACE FUNCTION begin_model_turn(
  p_run uuid,
  p_account uuid,
  p_process integer,
  p_writer integer,
  p_max bigint,
  p_root uuid,
  p_least bigint,
  p_most bigint,
  p_prompt run_prompt_part
)
RETURNS TABLE (
  status text,
  writer integer,
  next integer,
  open_message uuid,
  spent bigint,
  holds boolean,
  covered bigint,
  room bigint
)
-- All by keys: what a run used is planned at each turn otherwise.
SET plan_cache_mode = force_generic_plan
LANGUAGE plpgsql AS $$
-- Nullable: p_process, p_writer, p_max, p_root, p_prompt, writer, next, open_message, spent, holds,
-- covered, room.
BEGIN
  -- What is lost with the server is done again by whoever takes the run up.
  PERFORM set_config('synchronous_commit', 'off', true);
  UPDATE runs r SET status = 'running', started_at = now(),
    agent_version = coalesce(r.agent_version, p_prompt.agent_version)
  WHERE r.id = p_run AND r.account_id = p_account
    AND r.status = ANY (run_statuses_before('running'));
  SELECT r.status INTO status
  FROM runs r WHERE r.id = p_run AND r.account_id = p_account FOR SHARE;
  IF p_writer IS NULL THEN
    SELECT t.writer, t.next, t.open_message INTO writer, next, open_message
    FROM take_log(p_run, p_process, false, 0) t;
    IF NOT FOUND THEN
      status := 'closed';
      RETURN NEXT;
      RETURN;
    END IF;
  ELSE
    SELECT l.writer, l.next_sequence, l.open_message_id INTO writer, next, open_message
    FROM run_logs l
    WHERE l.run_id = p_run AND l.writer = p_writer AND l.closed_at IS NULL FOR SHARE;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'the log has another writer' USING ERRCODE = 'LT002';
    END IF;
  END IF;
  holds := false;
  IF status = 'running' THEN
    IF p_prompt.hash IS NOT NULL THEN
      INSERT INTO prompts (id, account_id, hash, system, tools)
      VALUES (new_id(), p_account, p_prompt.hash, p_prompt.system, p_prompt.tools)
      ON CONFLICT (account_id, hash) DO NOTHING;
      INSERT INTO run_prompts (run_id, turn, account_id, hash)
      VALUES (p_run, p_prompt.turn, p_account, p_prompt.hash)
      ON CONFLICT (run_id, turn) DO UPDATE SET hash = excluded.hash;
      -- A run that the release before began.
      IF p_prompt.agent_version IS NOT NULL THEN
        UPDATE runs r SET agent_version = p_prompt.agent_version
        WHERE r.id = p_run AND r.account_id = p_account AND r.agent_version IS NULL;
      END IF;
    END IF;
    SELECT c.covered, c.room INTO covered, room
    FROM cover_model_call(p_run, p_account, p_max, p_root, p_least, p_most) c;
    holds := FOUND;
  END IF;
  -- Of the run that was found by its account: naming it here has all that the account ever used
  -- gone through where there are no statistics, and a plan made for each run where there are.
  IF status IS NOT NULL THEN
    SELECT coalesce(sum(u.credits_micros), 0) INTO spent FROM run_usage u WHERE u.run_id = p_run;
  END IF;
  RETURN NEXT;
END $$;

-- prisma/functions/begins_private.sql
-- Whether a run begins with something private in its hands: a workspace, an end user's input, its
-- agent's notes, or what the run that started it, or that it repeats, has seen. A build is told
-- what to do by that run and shown nothing else of it, so that it begins without.
CREATE OR REPLACE FUNCTION begins_private(r runs)
RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF r.kind IN ('agent_creation', 'agent_edit') THEN
    RETURN false;
  END IF;
  IF r.workspace_id IS NOT NULL OR r.kind = 'app' THEN
    RETURN true;
  END IF;
  -- Most have neither, and what needs the row as a whole is planned anew for each.
  IF r.agent_id IS NOT NULL THEN
    IF EXISTS (
      SELECT 1 FROM agents a
      WHERE a.id = r.agent_id AND a.account_id = r.account_id
        AND a.config #> '{tools,memory}' = 'true')
    THEN
      RETURN true;
    END IF;
  END IF;
  IF r.parent_run_id IS NULL AND r.replayed_from IS NULL AND r.history_of IS NULL THEN
    RETURN false;
  END IF;
  RETURN EXISTS (
    SELECT 1 FROM runs o
      JOIN conversations c ON c.id = o.conversation_id AND c.account_id = o.account_id
    WHERE o.id IN (r.parent_run_id, r.replayed_from, r.history_of)
      AND o.account_id = r.account_id AND c.seen_private);
END $$;

-- prisma/functions/charge_call.sql
-- Settles one model call: usage, ledger, hold and wallet together, so that they always agree.
-- What neither the wallet nor the run's limit covers is not charged: it is the operator's loss,
-- to be seen by the row's price. What the hold has left beyond `keep` goes back to the wallet.
-- Does nothing for a call that is settled already, nor for a run that holds nothing any more.
-- Gives what was paid, in millionths of a credit.
CREATE OR REPLACE FUNCTION charge_call(p_charge call_charge)
RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  v_held bigint;
  v_paid bigint;
  v_kept bigint;
  v_available bigint;
  v_room bigint;
  v_end_user text;
  v_key uuid;
BEGIN
  SELECT credits_micros INTO v_paid
  FROM run_usage
  WHERE run_id = p_charge.run AND account_id = p_charge.account AND step_key = p_charge.step_key;
  IF FOUND THEN
    RETURN v_paid;
  END IF;
  IF p_charge.root IS NOT NULL THEN
    -- From the uppermost down: who is below the same limit comes one after another.
    PERFORM 1 FROM runs
    WHERE account_id = p_charge.account
      AND id IN (SELECT a.run FROM runs_above(p_charge.root, p_charge.account) a
        WHERE a.most IS NOT NULL)
    ORDER BY id FOR NO KEY UPDATE;
  END IF;
  SELECT amount_micros INTO v_held FROM credit_holds
  WHERE run_id = p_charge.run AND account_id = p_charge.account FOR UPDATE;
  IF NOT FOUND THEN
    RETURN 0;
  END IF;
  v_room := run_room(p_charge.run, p_charge.account, p_charge.max, p_charge.root);
  SELECT available_micros INTO v_available
  FROM accounts WHERE id = p_charge.account FOR NO KEY UPDATE;
  v_paid := greatest(0, least(p_charge.price, v_room, v_held + v_available));
  v_kept := least(greatest(0, v_held - v_paid), p_charge.keep);
  UPDATE credit_holds SET amount_micros = v_kept
  WHERE run_id = p_charge.run AND account_id = p_charge.account;
  UPDATE accounts SET available_micros = available_micros + v_held - v_paid - v_kept
  WHERE id = p_charge.account;
  SELECT r.end_user, r.key_id INTO v_end_user, v_key
  FROM runs r WHERE r.id = p_charge.run AND r.account_id = p_charge.account;
  INSERT INTO run_usage (run_id, step_key, account_id, agent_id, end_user, key_id, model,
    capability, input_tokens, output_tokens, cached_input_tokens, units, credits_micros,
    price_micros)
  VALUES (p_charge.run, p_charge.step_key, p_charge.account, p_charge.agent,
    v_end_user, v_key, p_charge.model, p_charge.capability, p_charge.input_tokens,
    p_charge.output_tokens, p_charge.cached_input_tokens, p_charge.units, v_paid, p_charge.price);
  INSERT INTO ledger_entries (id, account_id, run_id, kind, amount_micros)
  VALUES (p_charge.ledger_id, p_charge.account, p_charge.run, 'usage', -v_paid);
  RETURN v_paid;
END $$;

-- prisma/functions/end_run.sql
-- Ends a run: its status, its conversation's turn, what it asks a person for, and its answer in
-- the conversation. Gives the ended row; no row where the run had ended before. Log, charge and
-- hold are the caller's. Of two that try, one wins. Raises LT005 where it would be completed and
-- messages to it wait: it goes on with them. The next run of its conversation's queue begins.
CREATE OR REPLACE FUNCTION end_run(
  p_run uuid,
  p_account uuid,
  p_status text,
  p_result jsonb,
  p_error jsonb,
  p_agent uuid,
  p_message_id uuid
)
RETURNS TABLE (
  id uuid,
  account_id uuid,
  kind text,
  status text,
  agent_id uuid,
  conversation_id uuid,
  parent_run_id uuid,
  webhook_url text,
  should_notify boolean,
  result jsonb,
  error jsonb,
  model text,
  trace_parent text,
  created_at timestamptz,
  completed_at timestamptz
)
LANGUAGE plpgsql AS $$
-- Nullable: p_result, p_error, p_agent, agent_id, conversation_id, parent_run_id, webhook_url,
-- result, error, trace_parent.
#variable_conflict use_column
DECLARE
  v_run runs;
  v_held boolean;
BEGIN
  UPDATE runs SET
    status = p_status,
    result = p_result,
    error = p_error,
    agent_id = coalesce(p_agent, agent_id),
    requires_action = NULL,
    completed_at = now(),
    started_at = coalesce(started_at, CASE WHEN p_status <> 'cancelled' THEN now() END)
  WHERE id = p_run AND account_id = p_account AND status = ANY (run_statuses_before(p_status))
  RETURNING * INTO v_run;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  -- Whoever sends a message holds the run's row: what is not seen here is refused there.
  IF p_status = 'completed' AND EXISTS (
    SELECT 1 FROM run_messages m
    WHERE m.run_id = p_run AND m.account_id = p_account AND m.due = 'next_step'
      AND m.turn IS NULL)
  THEN
    RAISE EXCEPTION 'messages to the run wait' USING ERRCODE = 'LT005';
  END IF;
  -- Before the conversation: whoever has just taken it out of the queue has given it that.
  DELETE FROM queued_runs q WHERE q.run_id = p_run AND q.account_id = p_account;
  UPDATE conversations SET active_run_id = NULL, updated_at = now()
  WHERE id = v_run.conversation_id AND account_id = p_account AND active_run_id = p_run;
  v_held := FOUND;
  IF p_result IS NOT NULL THEN
    INSERT INTO messages (id, conversation_id, run_id, role, text)
    SELECT p_message_id, c.id, p_run, 'assistant', p_result ->> 'text'
    FROM conversations c WHERE c.id = v_run.conversation_id AND c.account_id = p_account
    ON CONFLICT (run_id, role) DO NOTHING;
  END IF;
  -- Behind the answer: that is where the next request stands.
  IF v_held THEN
    PERFORM begin_queued_run(v_run.conversation_id, p_account);
  END IF;
  UPDATE approvals SET status = 'expired', decided_at = now()
  WHERE run_id = p_run AND account_id = p_account AND status = 'pending';
  id := v_run.id;
  account_id := v_run.account_id;
  kind := v_run.kind;
  status := v_run.status;
  agent_id := v_run.agent_id;
  conversation_id := v_run.conversation_id;
  parent_run_id := v_run.parent_run_id;
  webhook_url := v_run.webhook_url;
  should_notify := v_run.should_notify;
  result := v_run.result;
  error := v_run.error;
  model := v_run.model;
  trace_parent := v_run.trace_parent;
  created_at := v_run.created_at;
  completed_at := v_run.completed_at;
  RETURN NEXT;
END $$;

-- prisma/functions/engine_route.sql
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

-- prisma/functions/move_run_log.sql
-- Appends one batch to a run's log where its fence fits, and says whether it did. With
-- `append_run_logs`, which does it with many, the one place where a log moves on.
CREATE OR REPLACE FUNCTION move_run_log(p_log log_batch)
RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE run_logs log SET
    next_sequence = p_log.last + 1,
    closed_at = CASE WHEN p_log.closes THEN now() END,
    owner = CASE WHEN p_log.closes THEN NULL ELSE log.owner END,
    open_message_id = CASE WHEN p_log.is_whole THEN NULL
      ELSE coalesce(p_log.message, log.open_message_id) END,
    todo = coalesce(p_log.todo, log.todo)
  WHERE log.run_id = p_log.run AND log.writer = p_log.writer
    AND log.next_sequence = p_log.first AND log.closed_at IS NULL;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  IF p_log.lines IS NOT NULL THEN
    INSERT INTO run_events (run_id, first_sequence, last_sequence, lines)
    VALUES (p_log.run, p_log.first, p_log.last, p_log.lines);
  END IF;
  RETURN true;
END $$;

-- prisma/functions/release_hold.sql
-- Gives what a run did not spend back to the wallet. Again: nothing happens.
CREATE OR REPLACE FUNCTION release_hold(p_run uuid)
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_account uuid;
  v_amount bigint;
BEGIN
  DELETE FROM credit_holds WHERE run_id = p_run RETURNING account_id, amount_micros
  INTO v_account, v_amount;
  IF v_amount <> 0 THEN
    UPDATE accounts SET available_micros = available_micros + v_amount WHERE id = v_account;
  END IF;
END $$;

RESET check_function_bodies;
