-- An id that sorts by the time it was made at (RFC 9562, version 7), to the microsecond: what one
-- transaction makes keeps its order.
CREATE OR REPLACE FUNCTION new_id()
RETURNS uuid
LANGUAGE sql VOLATILE AS $$
  SELECT (lpad(to_hex(floor(ms)::bigint), 12, '0')
    || '7' || lpad(to_hex(floor((ms - floor(ms)) * 4096)::integer), 3, '0')
    || substr(replace(gen_random_uuid()::text, '-', ''), 17))::uuid
  FROM (SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms) AS now
$$;
