-- Counts one write against an account's hourly quota and gives where the hour stands; the caller
-- refuses what is one too many, and its rollback gives the write back.
CREATE OR REPLACE FUNCTION take_hourly_write(
  p_account uuid,
  OUT count integer,
  OUT retry_seconds integer
)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  INSERT INTO hour_buckets AS b (key, window_started_at, count)
  VALUES ('write:' || p_account, clock_timestamp(), 1)
  ON CONFLICT (key) DO UPDATE SET
    count = CASE WHEN b.window_started_at <= clock_timestamp() - interval '1 hour'
      THEN 1 ELSE b.count + 1 END,
    window_started_at = CASE WHEN b.window_started_at <= clock_timestamp() - interval '1 hour'
      THEN clock_timestamp() ELSE b.window_started_at END
  RETURNING b.count, greatest(1,
    ceil(3600 - extract(epoch FROM clock_timestamp() - b.window_started_at)))::integer
  INTO count, retry_seconds;
END $$;
