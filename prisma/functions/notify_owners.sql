-- Tells an account's owners by the bell, and by mail where there is any and they want it. `p_key`:
-- what it tells of; each call is another notification. Its event is stored, not routed, as those of
-- `record_event`.
CREATE OR REPLACE FUNCTION notify_owners(
  p_account uuid,
  p_key text,
  p_path text,
  p_title text,
  p_body text
)
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_notification uuid := new_id();
BEGIN
  INSERT INTO notifications (id, account_id, key, path, title, body)
  VALUES (v_notification, p_account, p_key || ':' || v_notification, p_path, p_title,
    left(p_body, 2000));
  INSERT INTO engine_events (id, name, data)
  VALUES (v_notification, 'notification/created',
    json_build_object('notification_id', v_notification)::text);
  PERFORM pg_notify('engine_wake', 'stored');
END $$;
