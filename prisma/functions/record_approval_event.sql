-- An approval is asked for, was decided, or has expired.
CREATE OR REPLACE FUNCTION record_approval_event()
RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM record_event(NEW.account_id,
    CASE TG_OP WHEN 'INSERT' THEN 'approval.requested' ELSE 'approval.resolved' END,
    jsonb_build_object('approval_id', NEW.id, 'run_id', NEW.run_id, 'agent_id', NEW.agent_id,
      'conversation_id', (SELECT r.conversation_id FROM runs r
        WHERE r.id = NEW.run_id AND r.account_id = NEW.account_id),
      'tool_name', NEW.tool_name, 'status', NEW.status));
  RETURN NULL;
END $$;
