-- A turn as the release before writes it: {turn, message_id, model, content, finish_reason,
-- agent_version_id, call: {took_ms, first_token_ms, reasoning_tokens, request_id}, spans}. The
-- next release drops it.
CREATE OR REPLACE FUNCTION turn_of(p_run uuid, p jsonb)
RETURNS model_turn
LANGUAGE sql IMMUTABLE AS $$
  SELECT ROW(CASE WHEN jsonb_typeof(p) = 'object' THEN p_run END, (p ->> 'turn')::int,
    (p ->> 'message_id')::uuid, p ->> 'model', p -> 'content', p ->> 'finish_reason',
    (p ->> 'agent_version_id')::uuid, (p -> 'call' ->> 'took_ms')::float8,
    (p -> 'call' ->> 'first_token_ms')::int, (p -> 'call' ->> 'reasoning_tokens')::int,
    p -> 'call' ->> 'request_id', NULL::jsonb, NULL::int)::model_turn
$$;
