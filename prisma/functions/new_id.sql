-- An id that sorts by the time it was made at (RFC 9562, version 7).
CREATE OR REPLACE FUNCTION new_id()
RETURNS uuid
LANGUAGE sql VOLATILE AS $$
  SELECT (lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0') || '7'
    || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid
$$;
