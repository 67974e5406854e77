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
