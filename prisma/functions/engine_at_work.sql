-- How many runs are at work under a first key; it counts no further than `p_most`.
CREATE OR REPLACE FUNCTION engine_at_work(p_key text, p_most integer)
RETURNS integer
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT count(*) FROM (
    SELECT 1 FROM engine_runs r WHERE r.key = p_key AND r.owner IS NOT NULL LIMIT p_most) r);
END $$;
