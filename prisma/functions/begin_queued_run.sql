-- Begins the next run of a conversation's queue, where there is one. The caller holds the
-- conversation's row, and no run has it. What the run was asked stands in the conversation behind
-- the answers before it. Its event is stored, not routed: who drives the engine is told of it, and
-- finds it at its next beat where that word is lost.
CREATE OR REPLACE FUNCTION begin_queued_run(p_conversation uuid, p_account uuid)
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_next uuid;
BEGIN
  LOOP
    SELECT q.run_id INTO v_next FROM queued_runs q
    WHERE q.conversation_id = p_conversation AND q.account_id = p_account
    ORDER BY q.place LIMIT 1;
    IF NOT FOUND THEN
      RETURN;
    END IF;
    -- One that is being cancelled is waited for, and is not there then.
    DELETE FROM queued_runs q WHERE q.run_id = v_next AND q.account_id = p_account;
    EXIT WHEN FOUND;
  END LOOP;
  UPDATE conversations c SET active_run_id = v_next
  WHERE c.id = p_conversation AND c.account_id = p_account;
  UPDATE messages m SET position = DEFAULT FROM conversations c
  WHERE m.run_id = v_next AND c.id = m.conversation_id AND c.account_id = p_account;
  INSERT INTO engine_events (id, name, data)
  VALUES (v_next::text, 'run/accepted',
    json_build_object('run_id', v_next, 'account_id', p_account)::text);
  PERFORM pg_notify('engine_wake', 'stored');
END $$;
