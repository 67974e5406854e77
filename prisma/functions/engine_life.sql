-- The sign of life of a process (decision 0045): one row, on a connection of its own, and nothing
-- else. False: it was given up, and its runs with it.
CREATE OR REPLACE FUNCTION engine_life(p_process integer, p_silence integer)
RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  UPDATE engine_processes SET
    seen_at = clock_timestamp(),
    steady_since = CASE WHEN seen_at > clock_timestamp() - make_interval(secs => p_silence / 2.0)
      THEN steady_since ELSE clock_timestamp() END
  WHERE id = p_process;
  RETURN FOUND;
END $$;
