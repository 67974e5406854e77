-- Of the release before, whose processes call it while this one is rolled out; the next release
-- drops it. The same as `begin_model_turn`, by JSON.
CREATE OR REPLACE FUNCTION begin_turn(p jsonb)
RETURNS jsonb
LANGUAGE sql AS $$
  SELECT jsonb_build_object('status', t.status, 'writer', t.writer, 'next', t.next,
    'open_message', t.open_message, 'spent', t.spent::text, 'covered', t.covered::text,
    'room', t.room::text, 'holds', coalesce(t.holds, false))
  FROM begin_model_turn((p ->> 'run')::uuid, (p ->> 'account')::uuid,
    (p ->> 'process')::int, (p ->> 'writer')::int, (p -> 'cover' ->> 'max')::bigint,
    (p -> 'cover' ->> 'root')::uuid, (p -> 'cover' ->> 'least')::bigint,
    (p -> 'cover' ->> 'most')::bigint, NULL::run_prompt_part) t
$$;
