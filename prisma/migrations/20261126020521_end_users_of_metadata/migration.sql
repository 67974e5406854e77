-- lathe: no transaction
DO $$
DECLARE
  v_last uuid := '00000000-0000-0000-0000-000000000000';
  v_next uuid;
BEGIN
  LOOP
    SELECT b.id INTO v_next FROM (
      SELECT id FROM runs WHERE id > v_last ORDER BY id LIMIT 5000) b ORDER BY b.id DESC LIMIT 1;
    EXIT WHEN NOT FOUND;
    UPDATE runs SET end_user = metadata ->> 'end_user'
    WHERE id > v_last AND id <= v_next AND end_user IS NULL AND metadata ->> 'end_user' <> '';
    UPDATE run_usage u SET end_user = r.end_user FROM runs r
    WHERE r.id > v_last AND r.id <= v_next AND r.end_user IS NOT NULL
      AND u.run_id = r.id AND u.end_user IS NULL;
    INSERT INTO end_users (id, account_id, end_user, created_at, last_seen_at)
    SELECT new_id(), account_id, end_user, min(created_at), max(created_at) FROM runs
    WHERE id > v_last AND id <= v_next AND end_user IS NOT NULL GROUP BY account_id, end_user
    ON CONFLICT (account_id, end_user) DO UPDATE
    SET last_seen_at = greatest(end_users.last_seen_at, excluded.last_seen_at);
    COMMIT;
    v_last := v_next;
  END LOOP;
  v_last := '00000000-0000-0000-0000-000000000000';
  LOOP
    SELECT b.id INTO v_next FROM (
      SELECT id FROM conversations WHERE id > v_last ORDER BY id LIMIT 5000
    ) b ORDER BY b.id DESC LIMIT 1;
    EXIT WHEN NOT FOUND;
    -- One in which several have been stays nobody's.
    UPDATE conversations c SET end_user = o.end_user FROM (
      SELECT r.conversation_id, min(r.end_user) AS end_user FROM runs r
      WHERE r.conversation_id > v_last AND r.conversation_id <= v_next AND r.end_user IS NOT NULL
      GROUP BY r.conversation_id HAVING count(DISTINCT r.end_user) = 1) o
    WHERE c.id = o.conversation_id AND c.end_user IS NULL;
    COMMIT;
    v_last := v_next;
  END LOOP;
  INSERT INTO end_users (id, account_id, end_user, created_at, last_seen_at)
  SELECT new_id(), account_id, end_user, min(created_at), max(created_at) FROM agent_memories
  WHERE end_user <> '' GROUP BY account_id, end_user
  ON CONFLICT (account_id, end_user) DO NOTHING;
END $$;
