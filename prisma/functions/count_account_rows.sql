-- Counts the rows of a kind (the trigger's argument) by account, exactly, whoever writes them,
-- cascades and older processes too. One update a statement and account; its row lock has writers
-- of one account and one kind come one after another, so that whoever looks at the count after
-- its own insert sees all others.
CREATE OR REPLACE FUNCTION count_account_rows()
RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO row_counts AS c (account_id, name, count)
    SELECT account_id, TG_ARGV[0], count(*) FROM changed GROUP BY account_id
    ON CONFLICT (account_id, name) DO UPDATE SET count = c.count + excluded.count;
  ELSE
    UPDATE row_counts c SET count = c.count - gone.count
    FROM (SELECT account_id, count(*) AS count FROM changed GROUP BY account_id) gone
    WHERE c.account_id = gone.account_id AND c.name = TG_ARGV[0];
  END IF;
  RETURN NULL;
END $$;
