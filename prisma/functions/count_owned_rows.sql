-- Counts the rows of a kind (the trigger's argument) as `count_account_rows` does, those of an
-- account's end users apart from its own: under `end_user_<kind>`.
CREATE OR REPLACE FUNCTION count_owned_rows()
RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO row_counts AS c (account_id, name, count)
    SELECT account_id, CASE WHEN end_user IS NULL THEN '' ELSE 'end_user_' END || TG_ARGV[0],
      count(*)
    FROM changed GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (account_id, name) DO UPDATE SET count = c.count + excluded.count;
  ELSE
    UPDATE row_counts c SET count = c.count - gone.count
    FROM (
      SELECT account_id,
        CASE WHEN end_user IS NULL THEN '' ELSE 'end_user_' END || TG_ARGV[0] AS name,
        count(*) AS count
      FROM changed GROUP BY 1, 2) gone
    WHERE c.account_id = gone.account_id AND c.name = gone.name;
  END IF;
  RETURN NULL;
END $$;
