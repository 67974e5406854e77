-- An event as a function sees it: composed as text, for its data may hold what `json` reads and
-- `jsonb` does not.
CREATE OR REPLACE FUNCTION engine_event(
  p_id text,
  p_name text,
  p_data text,
  p_received timestamptz
)
RETURNS json
LANGUAGE sql STABLE AS $$
  SELECT ('{"id":' || to_json(p_id)::text || ',"name":' || to_json(p_name)::text
    || ',"data":' || p_data
    || ',"ts":' || (extract(epoch FROM p_received) * 1000)::bigint || '}')::json
$$;
