-- Of the release before, whose processes call it while this one is rolled out; the next release
-- drops it. The same as `accept_run` with typed arguments. `p_body`: the answer that is kept,
-- with @created_at@ where that belongs, by JSON.
CREATE OR REPLACE FUNCTION accept_run(
  p jsonb,
  p_input jsonb,
  p_text text,
  p_line text,
  p_body text
)
RETURNS jsonb
LANGUAGE sql AS $$
  SELECT CASE WHEN a.replay_status IS NOT NULL
    THEN jsonb_build_object('replay',
      jsonb_build_object('status', a.replay_status, 'body', a.replay_body))
    ELSE jsonb_build_object('created_ms', (extract(epoch FROM a.created_at) * 1000)::bigint,
      'routed', CASE WHEN a.lanes IS NOT NULL THEN routed_of(a.lanes, a.woken, a.owners) END)
    END
  FROM accept_run((p ->> 'run')::uuid, (p ->> 'account')::uuid, p ->> 'kind',
    (p ->> 'agent')::uuid, (p ->> 'conversation')::uuid, p ->> 'family', (p ->> 'is_new')::bool,
    (p ->> 'workspace')::uuid, (p ->> 'schedule')::uuid, p_input, p_text, p ->> 'model',
    p -> 'metadata', (p ->> 'max_credits')::bigint, p ->> 'webhook_url',
    (p ->> 'should_notify')::bool, p ->> 'release_note', p ->> 'origin',
    (p ->> 'parent_run')::uuid, p ->> 'parent_call', p ->> 'trace_parent',
    (p ->> 'message_id')::uuid, p_line, (p ->> 'estimate')::bigint, (p ->> 'limit')::bigint,
    (p ->> 'blocked')::bool, (p ->> 'writes')::int, (p ->> 'agents_cap')::int,
    (p ->> 'conversations_cap')::int, p -> 'idempotency' ->> 'route',
    p -> 'idempotency' ->> 'key', p -> 'idempotency' ->> 'hash',
    (p -> 'idempotency' ->> 'hours')::int, (p -> 'idempotency' ->> 'status')::int,
    string_to_array(p_body, '@created_at@'), jsonb_typeof(p -> 'event') = 'object',
    jsonb_typeof(p -> 'event' -> 'starts') = 'array',
    ARRAY(SELECT jsonb_array_elements_text(CASE WHEN jsonb_typeof(p -> 'event' -> 'match') = 'array'
      THEN p -> 'event' -> 'match' ELSE '[]' END)),
    starts_of((p -> 'event' -> 'starts')::json), cancels_of((p -> 'event' -> 'starts')::json),
    NULL, '{}') a
$$;
